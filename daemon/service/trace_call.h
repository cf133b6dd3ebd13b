// One FetchTrace call: has the trace rendered and streams it.
#pragma once

#include <grpcpp/server_context.h>
#include <grpcpp/support/byte_buffer.h>
#include <grpcpp/support/server_callback.h>

#include <atomic>
#include <memory>
#include <stop_token>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "daemon/query/query_engine.h"
#include "daemon/service/call_log.h"
#include "daemon/service/client_wait.h"
#include "daemon/service/import_call.h"
#include "daemon/service/stalled_calls.h"
#include "proto/simpler/profiler/v1/profiler.pb.h"

namespace simpler::daemon {

// Fetches that run and have been cut, for limits and Describe.
struct FetchCounts {
  std::atomic<uint32_t> running = 0;
  std::atomic<uint64_t> cut = 0;
};

// Sends chunks as gRPC takes them, one at a time: a client that does not read holds one chunk and
// what the transport buffers. Works on serialised messages, so that a chunk goes from the page
// cache to the socket with one copy.
class TraceCall final : public grpc::ServerWriteReactor<grpc::ByteBuffer>, public StallableCall {
 public:
  // Starts the call. The result belongs to gRPC. `counts` outlives it.
  static TraceCall* Start(grpc::CallbackServerContext* context, const grpc::ByteBuffer& request,
                          const CallEnvironment& environment, FetchCounts* counts);
  ~TraceCall() override;

  bool EndIfWaitingSince(SteadyTime limit) override;

 private:
  using Trace = std::shared_ptr<const SpooledTrace>;

  TraceCall(grpc::CallbackServerContext* context, const CallEnvironment& environment,
            FetchCounts* counts);

  // Asks the engine for the trace.
  absl::Status Ask(grpc::ByteBuffer request);
  // On a query thread: the answer.
  void Answer(absl::StatusOr<Trace> trace);
  absl::Status SendFirst();
  absl::Status Send(profiler::v1::TraceChunk* head);
  // On a gRPC thread: the transport took the chunk, or never will.
  void OnWriteDone(bool ok) override;

  void OnCancel() override { stop_.request_stop(); }
  void OnDone() override;
  void End(const absl::Status& status);

  const CallEnvironment environment_;
  FetchCounts* const counts_;
  CallLog log_;
  ClientWait wait_;
  std::stop_source stop_;
  profiler::v1::FetchTraceRequest request_;
  Trace trace_;
  grpc::ByteBuffer message_;  // being written
  // Of the chunk being written, and the end of it.
  std::atomic<uint64_t> offset_ = 0;
  uint64_t next_offset_ = 0;
};

}  // namespace simpler::daemon
