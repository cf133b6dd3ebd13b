#include "daemon/service/answer_messages.h"

#include "analysis/report/bundle_inputs.h"
#include "analysis/report/info.h"
#include "analysis/report/percent.h"
#include "analysis/report/report_json.h"
#include "analysis/report/report_text.h"
#include "analysis/report/stats.h"
#include "daemon/service/capture_messages.h"
#include "fmt/format.h"

namespace simpler::daemon {
namespace {

namespace v1 = profiler::v1;

void FillVerdict(const overhead::Verdict& verdict, v1::Verdict* message) {
  message->set_class_(overhead::VerdictClassName(verdict.verdict));
  if (verdict.blame) message->set_blame(overhead::VerdictBlameName(*verdict.blame));
  message->mutable_sentences()->Add(verdict.sentences.begin(), verdict.sentences.end());
}

void FillQuality(const overhead::Quality& quality, v1::Quality* message) {
  message->set_class_(overhead::QualityClassName(quality.quality));
  message->mutable_reasons()->Add(quality.reasons.begin(), quality.reasons.end());
}

void FillPercent(const report::OverheadPercent& percent, v1::ComputeOverheadResponse* response) {
  if (percent.aic) response->set_aic_overhead_percent(*percent.aic);
  if (percent.aiv) response->set_aiv_overhead_percent(*percent.aiv);
  if (percent.all) response->set_all_overhead_percent(*percent.all);
  if (percent.has) response->set_has_overhead_percent(*percent.has);
}

std::string CriticalPathDocument(const report::Analysis& analysis, v1::DocumentFormat format,
                                 const report::CriticalPathTextOptions& text) {
  if (format == v1::DOCUMENT_FORMAT_JSON) return report::CriticalPathJson(analysis);
  if (format == v1::DOCUMENT_FORMAT_TEXT) return report::CriticalPathText(analysis, text);
  if (format == v1::DOCUMENT_FORMAT_CSV) return report::CriticalPathCsv(analysis);
  return {};
}

std::string OverheadDocument(const report::Analysis& analysis, v1::DocumentFormat format) {
  if (format == v1::DOCUMENT_FORMAT_JSON) return report::ReportJson(analysis);
  if (format == v1::DOCUMENT_FORMAT_TEXT) return report::ReportText(analysis);
  return {};
}

std::string StatsDocument(const report::Analysis& analysis, v1::DocumentFormat format) {
  if (format == v1::DOCUMENT_FORMAT_JSON) return report::StatsJson(analysis);
  if (format == v1::DOCUMENT_FORMAT_TEXT) return report::StatsText(analysis);
  if (format == v1::DOCUMENT_FORMAT_CSV) return report::StatsCsv(analysis);
  return {};
}

}  // namespace

absl::StatusOr<RunKey> ToRunKey(const v1::RunSelector& selector) {
  if (selector.capture_id().empty()) {
    return absl::InvalidArgumentError(
        "run.capture_id is empty: name a capture, ListCaptures shows their ids");
  }
  return RunKey{.capture_id = selector.capture_id(),
                .run_index = selector.run_index(),
                .strict = selector.strict()};
}

absl::Status CheckDocumentFormat(v1::DocumentFormat format, bool has_table) {
  switch (format) {
    case v1::DOCUMENT_FORMAT_NONE:
    case v1::DOCUMENT_FORMAT_JSON:
    case v1::DOCUMENT_FORMAT_TEXT:
      return absl::OkStatus();
    case v1::DOCUMENT_FORMAT_CSV:
      if (has_table) return absl::OkStatus();
      return absl::InvalidArgumentError("CSV: this answer is no table; ask for JSON or TEXT");
    default:
      return absl::InvalidArgumentError(
          fmt::format("document format {}: this server knows NONE, JSON, TEXT and CSV (0 to 3)",
                      static_cast<int>(format)));
  }
}

absl::Status CheckDocumentSize(const std::string& document) {
  if (document.size() <= kMaxDocumentBytes) return absl::OkStatus();
  return absl::ResourceExhaustedError(
      fmt::format("the document has {} bytes, a message holds at most {}: fetch the capture as an "
                  "archive and ask simplerctl for the document",
                  document.size(), kMaxDocumentBytes));
}

absl::Status CheckPathRequest(const v1::ComputeCriticalPathRequest& request) {
  constexpr int64_t kMaxTolerance = 1'000'000;
  constexpr uint32_t kMaxFamilies = 1'000'000;
  const int64_t tolerance = request.tolerance_cycles();
  if (request.has_tolerance_cycles() && (tolerance < 0 || tolerance > kMaxTolerance)) {
    return absl::InvalidArgumentError(
        fmt::format("tolerance_cycles {}: must be in [0, {}]", tolerance, kMaxTolerance));
  }
  const uint32_t families = request.top_families();
  if (request.has_top_families() && (families == 0 || families > kMaxFamilies)) {
    return absl::InvalidArgumentError(
        fmt::format("top_families {}: must be in [1, {}]", families, kMaxFamilies));
  }
  return absl::OkStatus();
}

absl::Status FillOverhead(const report::Analysis& analysis, v1::DocumentFormat format,
                          v1::ComputeOverheadResponse* response) {
  if (analysis.overhead.window) {
    response->set_window_us(analysis.scale().Micros(analysis.overhead.window->length()));
  }
  FillPercent(report::PercentOf(analysis, &overhead::OverheadSweep::headline), response);
  FillVerdict(analysis.verdict, response->mutable_verdict());
  FillQuality(analysis.quality, response->mutable_quality());
  FillWarnings(analysis.warnings, response->mutable_warnings());
  response->set_document(OverheadDocument(analysis, format));
  return CheckDocumentSize(response->document());
}

absl::Status FillCriticalPath(const report::Analysis& analysis, v1::DocumentFormat format,
                              const report::CriticalPathTextOptions& text,
                              v1::ComputeCriticalPathResponse* response) {
  if (absl::Status status = report::CheckHasPath(analysis); !status.ok()) return status;
  const overhead::CriticalPath& path = *analysis.critical_path;
  const capture::CycleScale scale = analysis.scale();
  response->set_static_length_us(scale.Micros(path.static_path.length));
  response->set_observed_makespan_us(scale.Micros(path.observed.makespan));
  response->set_observed_compute_us(scale.Micros(path.observed.compute));
  response->set_observed_stall_us(scale.Micros(path.observed.stall));
  FillWarnings(analysis.warnings, response->mutable_warnings());
  response->set_document(CriticalPathDocument(analysis, format, text));
  response->set_summary(report::CriticalPathSummary(analysis, text.label));
  return CheckDocumentSize(response->document());
}

absl::Status FillStats(const report::Analysis& analysis, v1::DocumentFormat format,
                       v1::ComputeStatsResponse* response) {
  const overhead::FunctionStats& total = analysis.functions.total;
  response->set_rows(total.count);
  response->set_exec_us(analysis.scale().Micros(total.exec.total));
  if (total.latency.present()) {
    response->set_latency_us(analysis.scale().Micros(total.latency.total));
  }
  FillWarnings(analysis.warnings, response->mutable_warnings());
  response->set_document(StatsDocument(analysis, format));
  return CheckDocumentSize(response->document());
}

absl::StatusOr<std::string> InfoDocument(const capture::CaptureBundle& bundle, uint32_t run_index,
                                         v1::DocumentFormat format) {
  absl::StatusOr<report::Inputs> inputs = report::InputsOf(bundle, run_index);
  if (!inputs.ok()) return inputs.status();
  std::string document =
      format == v1::DOCUMENT_FORMAT_JSON ? report::InfoJson(*inputs) : report::InfoText(*inputs);
  if (absl::Status status = CheckDocumentSize(document); !status.ok()) return status;
  return document;
}

}  // namespace simpler::daemon
