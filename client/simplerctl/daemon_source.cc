#include "client/simplerctl/daemon_source.h"

#include <utility>

#include "client/simplerctl/daemon_messages.h"

namespace simpler::simplerctl {

namespace v1 = profiler::v1;

DaemonSource::DaemonSource(std::unique_ptr<profiler::ProfilerClient> client,
                           const InputOptions& options, int64_t tolerance)
    : client_(std::move(client)),
      run_(RunOf(*options.path, options.run, options.strict)),
      tolerance_(tolerance) {}

absl::StatusOr<ReportAnswer> DaemonSource::Report(OutputForm form) {
  v1::ComputeOverheadRequest request;
  *request.mutable_run() = run_;
  request.set_document_format(ToMessage(form));
  absl::StatusOr<v1::ComputeOverheadResponse> response = client_->ComputeOverhead(request);
  if (!response.ok()) return response.status();
  ReportAnswer answer;
  answer.document = std::move(*response->mutable_document());
  if (response->has_has_overhead_percent()) {
    answer.overhead.has_percent = response->has_overhead_percent();
  }
  answer.overhead.invalid_capture = response->quality().class_() == "INVALID";
  return answer;
}

absl::StatusOr<std::string> DaemonSource::Stats(OutputForm form) {
  v1::ComputeStatsRequest request;
  *request.mutable_run() = run_;
  request.set_document_format(ToMessage(form));
  absl::StatusOr<v1::ComputeStatsResponse> response = client_->ComputeStats(request);
  if (!response.ok()) return response.status();
  return std::move(*response->mutable_document());
}

absl::StatusOr<CriticalPathAnswer> DaemonSource::CriticalPath(OutputForm form,
                                                              size_t top_families) {
  v1::ComputeCriticalPathRequest request;
  *request.mutable_run() = run_;
  request.set_document_format(ToMessage(form));
  request.set_tolerance_cycles(tolerance_);
  request.set_top_families(static_cast<uint32_t>(top_families));
  absl::StatusOr<v1::ComputeCriticalPathResponse> response = client_->ComputeCriticalPath(request);
  if (!response.ok()) return response.status();
  return CriticalPathAnswer{std::move(*response->mutable_document()),
                            std::move(*response->mutable_summary())};
}

absl::StatusOr<std::string> DaemonSource::Info(OutputForm form) {
  v1::GetCaptureRequest request;
  request.set_capture_id(run_.capture_id());
  request.set_run_index(run_.run_index());
  request.set_document_format(ToMessage(form));
  absl::StatusOr<v1::GetCaptureResponse> response = client_->GetCapture(request);
  if (!response.ok()) return response.status();
  return std::move(*response->mutable_document());
}

absl::StatusOr<TraceAnswer> DaemonSource::WriteTrace(const timeline::TraceRequest& request,
                                                     OutputForm summary_form,
                                                     timeline::ByteSink* sink) {
  v1::FetchTraceRequest fetch;
  *fetch.mutable_run() = run_;
  *fetch.mutable_options() = ToMessage(request);
  fetch.set_summary_format(ToMessage(summary_form));
  absl::StatusOr<profiler::FetchedTrace> trace = client_->FetchTrace(
      fetch, [sink](const v1::TraceChunk& chunk) { return sink->Append(chunk.data()); });
  if (!trace.ok()) return trace.status();
  absl::StatusOr<bool> has_graph = HasGraph();
  if (!has_graph.ok()) return has_graph.status();
  return TraceAnswer{std::move(trace->summary), *has_graph};
}

absl::StatusOr<bool> DaemonSource::HasGraph() {
  v1::GetCaptureRequest request;
  request.set_capture_id(run_.capture_id());
  absl::StatusOr<v1::GetCaptureResponse> response = client_->GetCapture(request);
  if (!response.ok()) return response.status();
  return response->capture().graph_tasks() > 0;
}

}  // namespace simpler::simplerctl
