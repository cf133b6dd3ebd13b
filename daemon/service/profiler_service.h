// The contract proto/simpler/profiler/v1 as a gRPC service: checks what is asked, has the store and
// the query engine answer it, and puts their answers into messages.
#pragma once

#include <chrono>
#include <memory>

#include "daemon/query/query_engine.h"
#include "daemon/service/import_call.h"
#include "daemon/service/service_options.h"
#include "daemon/service/stalled_calls.h"
#include "daemon/service/trace_call.h"
#include "daemon/store/capture_store.h"
#include "proto/simpler/profiler/v1/profiler.grpc.pb.h"

namespace simpler::daemon {

// FetchTrace on serialised messages, everything else on parsed ones.
using ProfilerServiceBase = profiler::v1::Profiler::WithCallbackMethod_ImportCapture<
    profiler::v1::Profiler::WithCallbackMethod_ListCaptures<
        profiler::v1::Profiler::WithCallbackMethod_GetCapture<
            profiler::v1::Profiler::WithCallbackMethod_DeleteCapture<
                profiler::v1::Profiler::WithCallbackMethod_ComputeOverhead<
                    profiler::v1::Profiler::WithCallbackMethod_ComputeCriticalPath<
                        profiler::v1::Profiler::WithCallbackMethod_ComputeStats<
                            profiler::v1::Profiler::WithRawCallbackMethod_FetchTrace<
                                profiler::v1::Profiler::WithCallbackMethod_Describe<
                                    profiler::v1::Profiler::Service>>>>>>>>>;

// gRPC calls the methods from its own threads, which never wait: what reads, decodes, computes or
// renders runs on query threads.
class ProfilerService final : public ProfilerServiceBase {
 public:
  // `store` and `engine` outlive the service.
  ProfilerService(CaptureStore* store, QueryEngine* engine, ServiceOptions options);

  // Ends the calls whose client has been doing nothing for too long. From the control thread.
  void EndStalledCalls();

  grpc::ServerReadReactor<profiler::v1::ImportCaptureRequest>* ImportCapture(
      grpc::CallbackServerContext* context, profiler::v1::ImportCaptureResponse* response) override;
  grpc::ServerUnaryReactor* ListCaptures(grpc::CallbackServerContext* context,
                                         const profiler::v1::ListCapturesRequest* request,
                                         profiler::v1::ListCapturesResponse* response) override;
  grpc::ServerUnaryReactor* GetCapture(grpc::CallbackServerContext* context,
                                       const profiler::v1::GetCaptureRequest* request,
                                       profiler::v1::GetCaptureResponse* response) override;
  grpc::ServerUnaryReactor* DeleteCapture(grpc::CallbackServerContext* context,
                                          const profiler::v1::DeleteCaptureRequest* request,
                                          profiler::v1::DeleteCaptureResponse* response) override;
  grpc::ServerUnaryReactor* ComputeOverhead(
      grpc::CallbackServerContext* context, const profiler::v1::ComputeOverheadRequest* request,
      profiler::v1::ComputeOverheadResponse* response) override;
  grpc::ServerUnaryReactor* ComputeCriticalPath(
      grpc::CallbackServerContext* context, const profiler::v1::ComputeCriticalPathRequest* request,
      profiler::v1::ComputeCriticalPathResponse* response) override;
  grpc::ServerUnaryReactor* ComputeStats(grpc::CallbackServerContext* context,
                                         const profiler::v1::ComputeStatsRequest* request,
                                         profiler::v1::ComputeStatsResponse* response) override;
  // The request is a serialised FetchTraceRequest, the answers are serialised TraceChunks.
  grpc::ServerWriteReactor<grpc::ByteBuffer>* FetchTrace(grpc::CallbackServerContext* context,
                                                         const grpc::ByteBuffer* request) override;
  grpc::ServerUnaryReactor* Describe(grpc::CallbackServerContext* context,
                                     const profiler::v1::DescribeRequest* request,
                                     profiler::v1::DescribeResponse* response) override;

 private:
  CallEnvironment Environment();

  const ServiceOptions options_;
  CaptureStore* const store_;
  QueryEngine* const engine_;
  const SteadyTime started_ = std::chrono::steady_clock::now();
  StalledCalls stalled_;
  FetchCounts fetches_;
};

}  // namespace simpler::daemon
