// Answers that this process computes.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "analysis/report/analysis.h"
#include "client/simplerctl/answer_source.h"
#include "client/simplerctl/inputs.h"
#include "client/simplerctl/progress.h"

namespace simpler::simplerctl {

class LocalSource final : public AnswerSource {
 public:
  // Reads the capture; one that is in the daemon is fetched from there as a whole.
  static absl::StatusOr<std::unique_ptr<LocalSource>> Open(const InputOptions& options,
                                                           const SourceUse& use);

  absl::StatusOr<ReportAnswer> Report(OutputForm form) override;
  absl::StatusOr<std::string> Stats(OutputForm form) override;
  absl::StatusOr<CriticalPathAnswer> CriticalPath(OutputForm form, size_t top_families) override;
  absl::StatusOr<std::string> Info(OutputForm form) override;
  absl::StatusOr<TraceAnswer> WriteTrace(const timeline::TraceRequest& request,
                                         OutputForm summary_form,
                                         timeline::ByteSink* sink) override;
  std::string DefaultTracePath() const override;

  // The rest is what only this process can do.

  // Computed once; belongs to the source.
  absl::StatusOr<const report::Analysis*> Analyze();
  // Analyze, and FailedPrecondition when there is no critical path.
  absl::StatusOr<const report::Analysis*> AnalyzePath();

  // As timeline::WriteTraceInParts.
  absl::StatusOr<timeline::TraceSummary> WriteTraceParts(const timeline::TraceRequest& request,
                                                         uint64_t max_bytes,
                                                         const timeline::OpenPart& open_part);
  bool has_graph() const { return loaded_->bundle.graph.has_value(); }

 private:
  // What a trace is written from.
  struct TraceModel {
    timeline::TimelineInputs inputs;
    timeline::TimelineOptions options;
  };
  LocalSource(const InputOptions& options, const SourceUse& use, uint64_t input_bytes);

  absl::Status EnsureAnalysis();
  // Analyses, and begins the last stage of the progress bar.
  absl::StatusOr<TraceModel> PrepareTrace(const timeline::TraceRequest& request);

  // Analysing takes a quarter of the time of reading; writing a trace takes as long as reading.
  uint64_t AnalysisUnits() const { return input_bytes_ / 4; }

  report::Options options_;
  uint64_t input_bytes_;
  Progress progress_;
  std::unique_ptr<LoadedInputs> loaded_;
  std::optional<report::Analysis> analysis_;
};

// What a limit is checked against.
OverheadFigure OverheadFigureOf(const report::Analysis& analysis);

}  // namespace simpler::simplerctl
