#include "analysis/report/analysis.h"

#include <utility>

#include "absl/status/status.h"
#include "analysis/overhead/analyze_overhead.h"
#include "fmt/format.h"

namespace simpler::report {
namespace {

using capture::JoinReport;
using capture::Warning;

// The same failure, saying first which file it is about.
absl::Status About(const std::string& file, const absl::Status& status) {
  return {status.code(), fmt::format("{}: {}", file, std::string(status.message()))};
}

absl::Status RequirePartners(const JoinReport& report) {
  if (report.scheduler_rows_without_aicore == 0 && report.aicore_rows_without_scheduler == 0) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(
      fmt::format("{} scheduler_tasks rows have no aicore_tasks row and {} aicore_tasks rows have "
                  "no scheduler_tasks row, which --strict refuses; leave it out to analyse the "
                  "rows that match",
                  report.scheduler_rows_without_aicore, report.aicore_rows_without_scheduler));
}

absl::Status CheckCancelled(const Options& options) {
  if (!options.cancelled || !options.cancelled()) return absl::OkStatus();
  return absl::CancelledError("the analysis was given up: nobody waits for it any more");
}

void Append(const std::vector<Warning>& more, std::vector<Warning>* warnings) {
  warnings->insert(warnings->end(), more.begin(), more.end());
}

// Both paths and, where every path task has its stamps, what their gaps are blamed on.
absl::Status FindPaths(const overhead::OverheadInputs& model, capture::CycleSpan tolerance,
                       Analysis* analysis) {
  if (!model.dependencies || model.tasks.empty()) return absl::OkStatus();
  absl::StatusOr<overhead::CriticalPath> path =
      overhead::FindCriticalPath(model, {.tolerance = tolerance});
  if (!path.ok()) return About(analysis->inputs.graph_name, path.status());
  analysis->critical_path = *std::move(path);
  analysis->families =
      overhead::SumByKernelFamily(model, analysis->critical_path->observed, analysis->inputs.names);
  absl::StatusOr<overhead::Blame> blame =
      overhead::BlameObservedPath(model, analysis->critical_path->observed);
  if (blame.ok()) {
    analysis->blame = *std::move(blame);
  } else if (analysis->overhead.health.rows_with_scheduler > 0) {
    analysis->warnings.push_back({"no_blame", std::string(blame.status().message()), 1});
  }
  return absl::OkStatus();
}

void Judge(const overhead::OverheadInputs& model, Analysis* analysis) {
  analysis->quality = overhead::AssessQuality(model, analysis->overhead);
  analysis->verdict =
      overhead::ReachVerdict({.inputs = &model,
                              .report = &analysis->overhead,
                              .quality = &analysis->quality,
                              .path = analysis->critical_path ? &*analysis->critical_path : nullptr,
                              .blame = analysis->blame ? &*analysis->blame : nullptr,
                              .names = analysis->inputs.names});
}

}  // namespace

absl::StatusOr<Analysis> Analyze(Inputs inputs, const Options& options) {
  absl::StatusOr<capture::JoinedRun> rows =
      capture::JoinedRun::Join(*inputs.capture, inputs.run_index);
  if (!rows.ok()) return About(inputs.capture_name, rows.status());
  if (options.strict) {
    if (absl::Status status = RequirePartners(rows->report()); !status.ok()) {
      return About(inputs.capture_name, status);
    }
  }
  if (absl::Status status = CheckCancelled(options); !status.ok()) return status;
  absl::StatusOr<overhead::OverheadInputs> model =
      overhead::OverheadInputs::Prepare(*rows, inputs.graph);
  if (!model.ok()) return About(inputs.graph_name, model.status());
  if (absl::Status status = CheckCancelled(options); !status.ok()) return status;

  Analysis analysis;
  analysis.inputs = std::move(inputs);
  analysis.origin = capture::EarliestStamp(rows->run());
  analysis.overhead = overhead::AnalyzeOverhead(*model);
  if (absl::Status status = CheckCancelled(options); !status.ok()) return status;
  Append(analysis.inputs.capture->warnings, &analysis.warnings);
  Append(analysis.inputs.warnings, &analysis.warnings);
  Append(analysis.overhead.warnings, &analysis.warnings);
  if (absl::Status status = FindPaths(*model, options.tolerance, &analysis); !status.ok()) {
    return status;
  }
  if (absl::Status status = CheckCancelled(options); !status.ok()) return status;
  Judge(*model, &analysis);
  analysis.tasks = std::move(model->tasks);
  if (model->dependencies) analysis.nodes = std::move(model->dependencies->nodes);
  analysis.functions = overhead::SummariseFunctions(*rows, analysis.tasks, analysis.inputs.graph,
                                                    analysis.nodes ? &*analysis.nodes : nullptr);
  analysis.ledger = BuildLedger(*rows);
  analysis.rows = *std::move(rows);
  return analysis;
}

}  // namespace simpler::report
