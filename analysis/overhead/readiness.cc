#include "analysis/overhead/readiness.h"

#include <algorithm>
#include <optional>

namespace simpler::overhead {
namespace {

using capture::DependencyGraph;
using capture::DeviceCycles;
using capture::Task;
using capture::TaskNodes;

// `retired(node)` is asked for producers without rows.
template <typename Retired>
Readiness Compute(const std::vector<Task>& tasks, const TaskNodes& nodes,
                  const DependencyGraph& graph, Retired&& retired) {
  Readiness result;
  result.ready.resize(tasks.size());
  result.from_producers.resize(tasks.size());
  for (size_t task = 0; task < tasks.size(); ++task) {
    std::optional<DeviceCycles> latest;
    const DependencyGraph::NodeIndex node = nodes.node_of_task[task];
    if (node != DependencyGraph::kNoNode) {
      for (DependencyGraph::NodeIndex producer : graph.Predecessors(node)) {
        if (producer == node) continue;
        const uint32_t row_task = nodes.task_of_node[producer];
        const std::optional<DeviceCycles> end =
            row_task != TaskNodes::kNoTask ? std::optional(tasks[row_task].end) : retired(producer);
        if (end && (!latest || *latest < *end)) latest = end;
      }
    }
    result.from_producers[task] = latest.has_value();
    const DeviceCycles own = tasks[task].has_scheduler ? tasks[task].dispatch : tasks[task].start;
    result.ready[task] = latest.value_or(own);
  }
  return result;
}

}  // namespace

Readiness HeadlineReadiness(const std::vector<Task>& tasks, const TaskNodes& nodes,
                            const DependencyGraph& graph) {
  return Compute(tasks, nodes, graph,
                 [](DependencyGraph::NodeIndex) { return std::optional<DeviceCycles>(); });
}

Readiness RefinedReadiness(const std::vector<Task>& tasks, const TaskNodes& nodes,
                           const DependencyGraph& graph, const RetirementMarkers& markers) {
  return Compute(tasks, nodes, graph,
                 [&](DependencyGraph::NodeIndex producer) { return markers.EndOf(producer); });
}

}  // namespace simpler::overhead
