#include "client/simplerctl/local_source.h"

#include <utility>

#include "analysis/report/critical_path.h"
#include "analysis/report/info.h"
#include "analysis/report/percent.h"
#include "analysis/report/report_json.h"
#include "analysis/report/report_text.h"
#include "analysis/report/stats.h"
#include "analysis/report/trace_summary.h"

namespace simpler::simplerctl {
namespace {

std::string RenderStats(const report::Analysis& analysis, OutputForm form) {
  switch (form) {
    case OutputForm::kJson:
      return report::StatsJson(analysis);
    case OutputForm::kCsv:
      return report::StatsCsv(analysis);
    case OutputForm::kText:
      break;
  }
  return report::StatsText(analysis);
}

std::string RenderCriticalPath(const report::Analysis& analysis, OutputForm form,
                               const report::CriticalPathTextOptions& text) {
  switch (form) {
    case OutputForm::kJson:
      return report::CriticalPathJson(analysis);
    case OutputForm::kCsv:
      return report::CriticalPathCsv(analysis);
    case OutputForm::kText:
      break;
  }
  return report::CriticalPathText(analysis, text);
}

}  // namespace

OverheadFigure OverheadFigureOf(const report::Analysis& analysis) {
  return {report::HasOverheadPercent(analysis),
          analysis.quality.quality == overhead::QualityClass::kInvalid};
}

LocalSource::LocalSource(const InputOptions& options, const SourceUse& use, uint64_t input_bytes)
    : input_bytes_(input_bytes),
      progress_(input_bytes + AnalysisUnits() + (use.writes_trace ? input_bytes : 0)) {
  options_.strict = options.strict;
  options_.tolerance = use.tolerance;
}

absl::StatusOr<std::unique_ptr<LocalSource>> LocalSource::Open(const InputOptions& options,
                                                               const SourceUse& use) {
  std::unique_ptr<LocalSource> source(new LocalSource(options, use, InputBytes(options)));
  absl::StatusOr<std::unique_ptr<LoadedInputs>> loaded = LoadInputs(options, &source->progress_);
  if (!loaded.ok()) return loaded.status();
  source->loaded_ = *std::move(loaded);
  return source;
}

absl::Status LocalSource::EnsureAnalysis() {
  if (analysis_) return absl::OkStatus();
  progress_.Begin("analysing", AnalysisUnits());
  absl::StatusOr<report::Analysis> analysis = report::Analyze(loaded_->inputs, options_);
  if (!analysis.ok()) return analysis.status();
  analysis_ = *std::move(analysis);
  return absl::OkStatus();
}

absl::StatusOr<const report::Analysis*> LocalSource::Analyze() {
  if (absl::Status status = EnsureAnalysis(); !status.ok()) return status;
  progress_.Finish();
  return &*analysis_;
}

absl::StatusOr<const report::Analysis*> LocalSource::AnalyzePath() {
  absl::StatusOr<const report::Analysis*> analysis = Analyze();
  if (!analysis.ok()) return analysis;
  if (absl::Status status = report::CheckHasPath(**analysis); !status.ok()) return status;
  return analysis;
}

absl::StatusOr<ReportAnswer> LocalSource::Report(OutputForm form) {
  absl::StatusOr<const report::Analysis*> analysis = Analyze();
  if (!analysis.ok()) return analysis.status();
  return ReportAnswer{
      form == OutputForm::kJson ? report::ReportJson(**analysis) : report::ReportText(**analysis),
      OverheadFigureOf(**analysis)};
}

absl::StatusOr<std::string> LocalSource::Stats(OutputForm form) {
  absl::StatusOr<const report::Analysis*> analysis = Analyze();
  if (!analysis.ok()) return analysis.status();
  return RenderStats(**analysis, form);
}

absl::StatusOr<CriticalPathAnswer> LocalSource::CriticalPath(OutputForm form, size_t top_families) {
  absl::StatusOr<const report::Analysis*> analysis = AnalyzePath();
  if (!analysis.ok()) return analysis.status();
  const report::CriticalPathTextOptions text{.label = loaded_->label, .top_families = top_families};
  return CriticalPathAnswer{RenderCriticalPath(**analysis, form, text),
                            report::CriticalPathSummary(**analysis, text.label)};
}

absl::StatusOr<std::string> LocalSource::Info(OutputForm form) {
  progress_.Finish();
  return form == OutputForm::kJson ? report::InfoJson(loaded_->inputs)
                                   : report::InfoText(loaded_->inputs);
}

absl::StatusOr<LocalSource::TraceModel> LocalSource::PrepareTrace(
    const timeline::TraceRequest& request) {
  absl::StatusOr<timeline::TimelineOptions> options = timeline::OptionsFor(request);
  if (!options.ok()) return options.status();
  if (absl::Status status = EnsureAnalysis(); !status.ok()) return status;
  progress_.Begin("writing the trace", input_bytes_);
  return TraceModel{report::TimelineInputsOf(*analysis_), *std::move(options)};
}

absl::StatusOr<TraceAnswer> LocalSource::WriteTrace(const timeline::TraceRequest& request,
                                                    OutputForm summary_form,
                                                    timeline::ByteSink* sink) {
  absl::StatusOr<TraceModel> model = PrepareTrace(request);
  if (!model.ok()) return model.status();
  absl::StatusOr<timeline::TraceSummary> summary =
      timeline::WriteTrace(request.format, model->inputs, model->options, *sink);
  if (!summary.ok()) return summary.status();
  progress_.Finish();
  return TraceAnswer{summary_form == OutputForm::kJson ? report::TraceSummaryJson(*summary)
                                                       : report::TraceSummaryText(*summary),
                     has_graph()};
}

absl::StatusOr<timeline::TraceSummary> LocalSource::WriteTraceParts(
    const timeline::TraceRequest& request, uint64_t max_bytes,
    const timeline::OpenPart& open_part) {
  absl::StatusOr<TraceModel> model = PrepareTrace(request);
  if (!model.ok()) return model.status();
  absl::StatusOr<timeline::TraceSummary> summary = timeline::WriteTraceInParts(
      request.format, model->inputs, model->options, max_bytes, open_part);
  progress_.Finish();
  return summary;
}

std::string LocalSource::DefaultTracePath() const {
  return loaded_->directory + "/merged_swimlane";
}

}  // namespace simpler::simplerctl
