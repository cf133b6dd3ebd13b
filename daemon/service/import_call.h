// One ImportCapture call: feeds the store on query threads, message by message.
#pragma once

#include <grpcpp/server_context.h>
#include <grpcpp/support/server_callback.h>

#include <memory>

#include "absl/status/status.h"
#include "daemon/query/query_engine.h"
#include "daemon/service/call_log.h"
#include "daemon/service/client_wait.h"
#include "daemon/service/service_options.h"
#include "daemon/service/stalled_calls.h"
#include "daemon/store/capture_store.h"
#include "proto/simpler/profiler/v1/profiler.pb.h"

namespace simpler::daemon {

// What streaming calls work with. Outlives them.
struct CallEnvironment {
  CaptureStore* store;
  QueryEngine* engine;
  StalledCalls* stalled;
  const ServiceOptions* options;
};

// gRPC reads a message on one of its threads; a query thread feeds it to the store and then asks
// for the next one. So at any time one thread at most works on the call, and a client is never
// ahead of the store by more than a message and what the transport buffers.
class ImportCall final : public grpc::ServerReadReactor<profiler::v1::ImportCaptureRequest>,
                         public StallableCall {
 public:
  // Starts the call. The result belongs to gRPC.
  static ImportCall* Start(grpc::CallbackServerContext* context,
                           profiler::v1::ImportCaptureResponse* response,
                           const CallEnvironment& environment);

  bool EndIfWaitingSince(SteadyTime limit) override;

 private:
  using Step = void (ImportCall::*)();

  ImportCall(grpc::CallbackServerContext* context, profiler::v1::ImportCaptureResponse* response,
             const CallEnvironment& environment);

  // gRPC threads.
  void OnReadDone(bool ok) override;
  void OnDone() override;

  // Runs a step on a query thread; while their queue is full, the client has to wait.
  void Schedule(Step step);

  // Steps; each ends in a read or with the end of the call.
  void Consume();
  void Complete();

  absl::Status BeginOrFeed();
  absl::Status CheckMessage() const;
  absl::Status BeginImport();
  void AnswerAlreadyStored(const CaptureInfo& info);
  void AnswerStored(const CaptureStore::Import::Result& result);

  void ReadNext();
  void End(const absl::Status& status);

  grpc::CallbackServerContext* const context_;
  profiler::v1::ImportCaptureResponse* const response_;
  const CallEnvironment environment_;
  CallLog log_;
  ClientWait wait_;
  profiler::v1::ImportCaptureRequest message_;
  std::unique_ptr<CaptureStore::Import> import_;  // from the first message on
  bool answered_ = false;                         // the first message said enough
};

}  // namespace simpler::daemon
