#include "daemon/service/profiler_service.h"

#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "analysis/archive/format.h"
#include "analysis/report/critical_path.h"
#include "daemon/service/answer_messages.h"
#include "daemon/service/capture_messages.h"
#include "daemon/service/unary_call.h"
#include "spdlog/spdlog.h"

namespace simpler::daemon {
namespace {

namespace v1 = profiler::v1;
using Answer = absl::StatusOr<std::shared_ptr<const AnalyzedCapture>>;

// Runs `work` on a query thread and ends the call with its result.
void AnswerLater(QueryEngine* engine, UnaryCall* call, std::function<absl::Status()> work) {
  const absl::Status status = engine->Post([call, work = std::move(work)] {
    call->End(call->stop_token().stop_requested() ? absl::CancelledError("the client went away")
                                                  : work());
  });
  if (!status.ok()) call->End(status);
}

// Ends the call with what `fill` makes of the analysis.
void AnswerWithAnalysis(QueryEngine* engine, UnaryCall* call, const v1::RunSelector& selector,
                        std::optional<int64_t> tolerance,
                        std::function<absl::Status(const report::Analysis&)> fill) {
  absl::StatusOr<RunKey> run = ToRunKey(selector);
  if (!run.ok()) return call->End(run.status());
  engine->Analyze(*run, tolerance, call->stop_token(),
                  [call, fill = std::move(fill)](const Answer& answer) {
                    call->End(answer.ok() ? fill((*answer)->analysis) : answer.status());
                  });
}

// What a report calls the capture.
std::string LabelOf(const CaptureStore& store, const std::string& id) {
  const absl::StatusOr<CaptureInfo> info = store.Get(id);
  return info.ok() && !info->import.name.empty() ? info->import.name : id;
}

}  // namespace

ProfilerService::ProfilerService(CaptureStore* store, QueryEngine* engine, ServiceOptions options)
    : options_(std::move(options)), store_(store), engine_(engine) {}

CallEnvironment ProfilerService::Environment() {
  return {.store = store_, .engine = engine_, .stalled = &stalled_, .options = &options_};
}

void ProfilerService::EndStalledCalls() {
  stalled_.End(std::chrono::steady_clock::now() - options_.client_patience);
}

grpc::ServerReadReactor<v1::ImportCaptureRequest>* ProfilerService::ImportCapture(
    grpc::CallbackServerContext* context, v1::ImportCaptureResponse* response) {
  return ImportCall::Start(context, response, Environment());
}

grpc::ServerUnaryReactor* ProfilerService::ListCaptures(grpc::CallbackServerContext* context,
                                                        const v1::ListCapturesRequest* request,
                                                        v1::ListCapturesResponse* response) {
  auto* call = new UnaryCall("ListCaptures", context);
  for (const CaptureInfo& info :
       store_->List({request->labels().begin(), request->labels().end()})) {
    FillCapture(info, response->add_captures());
  }
  for (const EvictionInfo& info : store_->evictions())
    FillEviction(info, response->add_evictions());
  const StoreUsage usage = store_->usage();
  response->set_store_used_bytes(usage.used_bytes);
  response->set_store_budget_bytes(usage.budget_bytes);
  call->End(absl::OkStatus());
  return call;
}

grpc::ServerUnaryReactor* ProfilerService::GetCapture(grpc::CallbackServerContext* context,
                                                      const v1::GetCaptureRequest* request,
                                                      v1::GetCaptureResponse* response) {
  auto* call = new UnaryCall("GetCapture", context);
  absl::Status status = CheckDocumentFormat(request->document_format(), /*has_table=*/false);
  absl::StatusOr<CaptureInfo> info = store_->Get(request->capture_id());
  if (status.ok()) status = info.status();
  if (status.ok()) FillCapture(*info, response->mutable_capture());
  if (!status.ok() || request->document_format() == v1::DOCUMENT_FORMAT_NONE) {
    call->End(status);
    return call;
  }
  AnswerLater(engine_, call, [this, request, response]() -> absl::Status {
    auto bundle = store_->Load(request->capture_id());
    if (!bundle.ok()) return bundle.status();
    absl::StatusOr<std::string> document =
        InfoDocument(**bundle, request->run_index(), request->document_format());
    if (!document.ok()) return document.status();
    response->set_document(*std::move(document));
    return absl::OkStatus();
  });
  return call;
}

grpc::ServerUnaryReactor* ProfilerService::DeleteCapture(grpc::CallbackServerContext* context,
                                                         const v1::DeleteCaptureRequest* request,
                                                         v1::DeleteCaptureResponse*) {
  auto* call = new UnaryCall("DeleteCapture", context);
  AnswerLater(engine_, call, [this, request]() -> absl::Status {
    absl::Status status = store_->Delete(request->capture_id());
    if (status.ok()) engine_->Forget(request->capture_id());
    return status;
  });
  return call;
}

grpc::ServerUnaryReactor* ProfilerService::ComputeOverhead(
    grpc::CallbackServerContext* context, const v1::ComputeOverheadRequest* request,
    v1::ComputeOverheadResponse* response) {
  auto* call = new UnaryCall("ComputeOverhead", context);
  const v1::DocumentFormat format = request->document_format();
  if (absl::Status status = CheckDocumentFormat(format, /*has_table=*/false); !status.ok()) {
    call->End(status);
    return call;
  }
  AnswerWithAnalysis(engine_, call, request->run(), std::nullopt,
                     [format, response](const report::Analysis& analysis) {
                       return FillOverhead(analysis, format, response);
                     });
  return call;
}

grpc::ServerUnaryReactor* ProfilerService::ComputeCriticalPath(
    grpc::CallbackServerContext* context, const v1::ComputeCriticalPathRequest* request,
    v1::ComputeCriticalPathResponse* response) {
  auto* call = new UnaryCall("ComputeCriticalPath", context);
  absl::Status status = CheckDocumentFormat(request->document_format(), /*has_table=*/true);
  if (status.ok()) status = CheckPathRequest(*request);
  if (!status.ok()) {
    call->End(status);
    return call;
  }
  const std::optional<int64_t> tolerance =
      request->has_tolerance_cycles() ? std::optional(request->tolerance_cycles()) : std::nullopt;
  AnswerWithAnalysis(
      engine_, call, request->run(), tolerance,
      [this, request, response](const report::Analysis& analysis) {
        report::CriticalPathTextOptions text{.label =
                                                 LabelOf(*store_, request->run().capture_id())};
        if (request->has_top_families()) text.top_families = request->top_families();
        return FillCriticalPath(analysis, request->document_format(), text, response);
      });
  return call;
}

grpc::ServerUnaryReactor* ProfilerService::ComputeStats(grpc::CallbackServerContext* context,
                                                        const v1::ComputeStatsRequest* request,
                                                        v1::ComputeStatsResponse* response) {
  auto* call = new UnaryCall("ComputeStats", context);
  const v1::DocumentFormat format = request->document_format();
  if (absl::Status status = CheckDocumentFormat(format, /*has_table=*/true); !status.ok()) {
    call->End(status);
    return call;
  }
  AnswerWithAnalysis(engine_, call, request->run(), std::nullopt,
                     [format, response](const report::Analysis& analysis) {
                       return FillStats(analysis, format, response);
                     });
  return call;
}

grpc::ServerWriteReactor<grpc::ByteBuffer>* ProfilerService::FetchTrace(
    grpc::CallbackServerContext* context, const grpc::ByteBuffer* request) {
  return TraceCall::Start(context, *request, Environment(), &fetches_);
}

grpc::ServerUnaryReactor* ProfilerService::Describe(grpc::CallbackServerContext* context,
                                                    const v1::DescribeRequest*,
                                                    v1::DescribeResponse* response) {
  auto* call = new UnaryCall("Describe", context);
  const auto uptime = std::chrono::steady_clock::now() - started_;
  response->set_version(SIMPLER_VERSION);
  response->set_uptime_ms(
      static_cast<uint64_t>(std::chrono::duration_cast<std::chrono::milliseconds>(uptime).count()));
  response->set_archive_major_version(archive::kMajorVersion);
  response->set_archive_minor_version(archive::kMinorVersion);
  const StoreUsage store = store_->usage();
  response->set_store_budget_bytes(store.budget_bytes);
  response->set_store_used_bytes(store.used_bytes);
  response->set_store_directory(store_->directory());
  response->set_captures(store.captures);
  const EngineUsage engine = engine_->usage();
  response->set_analysis_cache_budget_bytes(options_.engine.analysis_cache_bytes);
  response->set_analysis_cache_used_bytes(engine.analysis_cache_used_bytes);
  response->set_trace_spool_budget_bytes(options_.engine.spool_bytes);
  response->set_trace_spool_used_bytes(engine.spool_used_bytes);
  response->set_query_threads(options_.engine.threads);
  response->set_analyses_computed(engine.analyses_computed);
  response->set_analyses_shared(engine.analyses_shared);
  response->set_traces_rendered(engine.traces_rendered);
  response->set_traces_shared(engine.traces_shared);
  response->set_slow_readers_cut(fetches_.cut);
  call->End(absl::OkStatus());
  return call;
}

}  // namespace simpler::daemon
