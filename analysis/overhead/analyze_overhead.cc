#include "analysis/overhead/analyze_overhead.h"

#include <utility>

#include "absl/status/status.h"
#include "analysis/overhead/core_switch.h"
#include "analysis/overhead/graph_order.h"
#include "analysis/overhead/head_tail.h"
#include "analysis/overhead/limits.h"
#include "analysis/overhead/path_attribution.h"
#include "analysis/overhead/ready_tasks.h"
#include "analysis/overhead/scheduler_budget.h"
#include "analysis/overhead/stamp_health.h"
#include "analysis/overhead/submissions.h"
#include "analysis/overhead/sweep.h"

namespace simpler::overhead {
namespace {

using capture::DependencyGraph;
using capture::JoinedRun;

OverheadInputs::Dependencies Depend(const capture::Run& run,
                                    const std::vector<capture::Task>& tasks,
                                    const DependencyGraph& graph) {
  OverheadInputs::Dependencies result;
  result.nodes = capture::MatchTasks(tasks, graph);
  result.markers = RetirementMarkers::Collect(run, graph, result.nodes);
  result.headline = HeadlineReadiness(tasks, result.nodes, graph);
  result.refined = RefinedReadiness(tasks, result.nodes, graph, result.markers);
  return result;
}

std::optional<PerEngine<CountChanges>> Submitted(const OverheadInputs& inputs) {
  const JoinedRun& rows = *inputs.rows;
  if (rows.capture().level < 4 || capture::IsHostOrchestrated(rows.capture(), rows.run())) {
    return std::nullopt;
  }
  const auto submitted = SubmissionEnds(rows.run(), inputs.tasks);
  if (!submitted) return std::nullopt;
  return SubmittedReadyTasks(inputs.tasks, inputs.dependencies->headline, *submitted,
                             *inputs.window);
}

// Parts that need to know when tasks were ready, and the switch split with them.
void AnalyzeWaiting(const OverheadInputs& inputs, OverheadReport& report) {
  const OverheadInputs::Dependencies& dependencies = *inputs.dependencies;
  SweepChanges changes;
  changes.running = RunningRows(inputs.core_rows);
  changes.ready = ReadyTasks(inputs.tasks, dependencies.headline, *inputs.window);
  changes.ready_refined = ReadyTasks(inputs.tasks, dependencies.refined, *inputs.window);
  changes.ready_submitted = Submitted(inputs);
  report.sweep = SweepOverhead(changes, inputs.occupancy, *inputs.window);

  PerEngine<IntervalSet> waiting;
  for (size_t i = 0; i < capture::kEngineCount; ++i) {
    waiting.values[i] = changes.ready.values[i].Positive();
  }
  report.core_switch = MeasureSwitches(inputs.core_rows, &waiting);
  report.path = AttributePath(inputs.tasks, dependencies.nodes, *inputs.graph);
}

}  // namespace

absl::StatusOr<OverheadInputs> OverheadInputs::Prepare(const JoinedRun& rows,
                                                       const DependencyGraph* graph) {
  if (graph != nullptr) {
    if (absl::Status status = CheckAcyclic(*graph); !status.ok()) return status;
  }
  CoreRows core_rows(rows);
  CoreOccupancy occupancy(core_rows);
  OverheadInputs inputs{&rows,
                        graph,
                        capture::FoldTasks(rows),
                        std::nullopt,
                        std::move(core_rows),
                        std::move(occupancy),
                        std::nullopt};
  inputs.window = capture::Makespan(inputs.tasks);
  if (graph != nullptr) inputs.dependencies = Depend(rows.run(), inputs.tasks, *graph);
  return inputs;
}

OverheadReport AnalyzeOverhead(const OverheadInputs& inputs) {
  OverheadReport report;
  report.tasks = inputs.tasks.size();
  report.rows = inputs.rows->size();
  report.window = inputs.window;
  report.health = MeasureHealth(inputs);
  if (report.health.rows_with_scheduler > 0) {
    HeadTail head_tail = MeasureHeadTail(inputs.core_rows);
    report.head = head_tail.head;
    report.tail = head_tail.tail;
    if (inputs.dependencies) {
      AnalyzeWaiting(inputs, report);
    } else {
      report.core_switch = MeasureSwitches(inputs.core_rows, nullptr);
    }
  }
  report.scheduler = MeasureScheduler(*inputs.rows, inputs.tasks, inputs.graph,
                                      inputs.dependencies ? &inputs.dependencies->nodes : nullptr);
  report.warnings = ExplainLimits(inputs, report);
  return report;
}

absl::StatusOr<OverheadReport> AnalyzeOverhead(const JoinedRun& rows,
                                               const DependencyGraph* graph) {
  absl::StatusOr<OverheadInputs> inputs = OverheadInputs::Prepare(rows, graph);
  if (!inputs.ok()) return inputs.status();
  return AnalyzeOverhead(*inputs);
}

}  // namespace simpler::overhead
