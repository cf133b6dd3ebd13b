#include "analysis/overhead/limits.h"

#include <algorithm>
#include <string>
#include <utility>

#include "analysis/overhead/counted.h"
#include "fmt/format.h"

namespace simpler::overhead {
namespace {

using capture::DependencyGraph;
using capture::JoinReport;
using capture::TaskNodes;
using capture::Warning;

std::string WorstCores(const std::vector<JoinReport::CoreCount>& cores) {
  std::string text;
  for (const JoinReport::CoreCount& core : cores) {
    text += fmt::format("{}core {}: {}", text.empty() ? "" : ", ", core.core, core.count);
  }
  return text;
}

class Limits {
 public:
  Limits(const OverheadInputs& inputs, const OverheadReport& report)
      : inputs_(inputs), report_(report) {}

  std::vector<Warning> Explain() {
    if (inputs_.tasks.empty()) {
      Add("no_rows", 1, "the run has no AICore rows, so there is nothing to measure");
      return std::move(warnings_);
    }
    ExplainStamps();
    ExplainGraph();
    ExplainSubmissions();
    ExplainPhases();
    return std::move(warnings_);
  }

 private:
  void Add(std::string code, uint64_t count, std::string text) {
    warnings_.push_back({std::move(code), std::move(text), count});
  }

  int level() const { return inputs_.rows->capture().level; }

  void ExplainStamps() {
    const JoinReport& join = inputs_.rows->report();
    if (report_.health.rows_with_scheduler == 0) {
      Add("no_scheduler_stamps", 1,
          fmt::format("overhead, switch, head, tail and path need dispatch and finish stamps, and "
                      "this run (level {}) has none; capture at level 2 or higher",
                      level()));
    } else if (join.aicore_rows_without_scheduler > 0) {
      Add("rows_without_scheduler", join.aicore_rows_without_scheduler,
          fmt::format("{} without scheduler row (worst: {}): counted as running cores and as "
                      "producers, not as waiting tasks; scheduler records were lost, enlarge the "
                      "scheduler's buffers",
                      Counted(join.aicore_rows_without_scheduler, "AICore row"),
                      WorstCores(join.worst_aicore_cores)));
    }
    if (join.scheduler_rows_without_aicore > 0) {
      Add("scheduler_rows_without_core", join.scheduler_rows_without_aicore,
          fmt::format("{} without AICore row (worst: {}): left out; AICore records were lost, "
                      "enlarge the per-core buffers",
                      Counted(join.scheduler_rows_without_aicore, "scheduler row"),
                      WorstCores(join.worst_scheduler_cores)));
    }
  }

  void ExplainGraph() {
    if (inputs_.graph == nullptr) {
      Add("no_dependency_graph", 1,
          "overhead, the switch split, fan-in/fan-out and the path need to know which task waits "
          "for which; record deps.json in a separate dependency-generation run and pass it");
      return;
    }
    ExplainUnknownTasks();
    if (const uint64_t absent = EdgesToAbsentTasks(); absent > 0) {
      Add("edges_to_absent_tasks", absent,
          fmt::format("{} with an end that neither ran on a core nor left a retirement marker; "
                      "such producers hold no consumer back",
                      Counted(absent, "edge")));
    }
  }

  void ExplainUnknownTasks() {
    const auto& nodes = inputs_.dependencies->nodes.node_of_task;
    const auto unknown =
        static_cast<uint64_t>(std::count(nodes.begin(), nodes.end(), DependencyGraph::kNoNode));
    if (unknown == 0) return;
    Add("tasks_not_in_graph", unknown,
        fmt::format("{} of {} not in the dependency graph: counted as never waiting; check that "
                    "the graph belongs to this case (nodes of a replayed graph run under ids that "
                    "a recorded graph lacks)",
                    unknown, Counted(inputs_.tasks.size(), "task")));
  }

  uint64_t EdgesToAbsentTasks() const {
    const OverheadInputs::Dependencies& dependencies = *inputs_.dependencies;
    const auto absent = [&](DependencyGraph::NodeIndex node) {
      return dependencies.nodes.task_of_node[node] == TaskNodes::kNoTask &&
             !dependencies.markers.EndOf(node);
    };
    uint64_t count = 0;
    for (const DependencyGraph::Edge& edge : inputs_.graph->edges()) {
      count += edge.pred != edge.succ && (absent(edge.pred) || absent(edge.succ));
    }
    return count;
  }

  void ExplainSubmissions() {
    if (!report_.sweep || report_.sweep->unsubmitted) return;
    const char* reason = "the device orchestrator recorded no submission of a task";
    if (capture::IsHostOrchestrated(inputs_.rows->capture(), inputs_.rows->run())) {
      reason = "the host orchestrated this run, and its submissions lie on another clock";
    } else if (level() < 4) {
      reason = "submissions are recorded at level 4 only";
    }
    Add("no_submissions", 1,
        fmt::format("how much overhead is due to tasks not yet submitted is unknown: {}", reason));
  }

  void ExplainPhases() {
    if (!report_.scheduler) {
      Add("no_scheduler_phases", 1,
          fmt::format("the scheduler budget needs phase records, and this run (level {}) has none; "
                      "capture at level 3 or higher",
                      level()));
      return;
    }
    if (!inputs_.rows->capture().metadata.core_to_thread) {
      Add("no_core_to_thread", 1,
          "metadata.core_to_thread is missing: tasks per thread are taken from complete records, "
          "fan-in and fan-out are unknown");
    }
    if (const uint64_t dropped = report_.scheduler->dropped_records; dropped > 0) {
      Add("dropped_phase_records", dropped,
          fmt::format("{} lost in {}: budgets, loops and pops are lower bounds",
                      Counted(dropped, "phase record"),
                      Counted(report_.scheduler->truncated_streams, "scheduler stream")));
    }
  }

  const OverheadInputs& inputs_;
  const OverheadReport& report_;
  std::vector<Warning> warnings_;
};

}  // namespace

std::vector<Warning> ExplainLimits(const OverheadInputs& inputs, const OverheadReport& report) {
  return Limits(inputs, report).Explain();
}

}  // namespace simpler::overhead
