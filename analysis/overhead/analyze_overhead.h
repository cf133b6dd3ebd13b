// Entry point of the overhead model: everything that one run and its dependency graph can tell.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "absl/status/statusor.h"
#include "analysis/capture/dependency_graph.h"
#include "analysis/capture/joined_run.h"
#include "analysis/capture/task_table.h"
#include "analysis/overhead/core_occupancy.h"
#include "analysis/overhead/core_rows.h"
#include "analysis/overhead/overhead_report.h"
#include "analysis/overhead/readiness.h"
#include "analysis/overhead/retirement_markers.h"

namespace simpler::overhead {

// What the parts are computed from. Built once per run and shared with the critical path; holds
// pointers to `rows` and `graph`, which must outlive it. Immutable after Prepare.
struct OverheadInputs {
  const capture::JoinedRun* rows = nullptr;
  const capture::DependencyGraph* graph = nullptr;  // null: none was given
  std::vector<capture::Task> tasks;
  std::optional<capture::Window> window;  // absent without rows
  CoreRows core_rows;
  CoreOccupancy occupancy;

  // Present iff there is a graph.
  struct Dependencies {
    capture::TaskNodes nodes;
    RetirementMarkers markers;
    Readiness headline;
    Readiness refined;
  };
  std::optional<Dependencies> dependencies;

  // `graph` may be null. InvalidArgument when the graph holds a cycle; the message names its tasks.
  static absl::StatusOr<OverheadInputs> Prepare(const capture::JoinedRun& rows,
                                                const capture::DependencyGraph* graph);
};

// All six parts. Never fails for what a capture merely lacks: such parts are absent with a warning.
OverheadReport AnalyzeOverhead(const OverheadInputs& inputs);

// Both steps for callers that need nothing else.
absl::StatusOr<OverheadReport> AnalyzeOverhead(const capture::JoinedRun& rows,
                                               const capture::DependencyGraph* graph);

}  // namespace simpler::overhead
