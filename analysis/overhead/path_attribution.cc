#include "analysis/overhead/path_attribution.h"

#include <algorithm>
#include <tuple>

#include "analysis/overhead/cycle_sum.h"

namespace simpler::overhead {
namespace {

using capture::CycleSpan;
using capture::DependencyGraph;
using capture::DeviceCycles;
using capture::Task;
using capture::TaskNodes;

std::optional<uint32_t> LastFinished(const std::vector<Task>& tasks) {
  std::optional<uint32_t> last;
  for (uint32_t i = 0; i < tasks.size(); ++i) {
    if (!tasks[i].has_scheduler) continue;
    if (!last || tasks[*last].finish < tasks[i].finish) last = i;
  }
  return last;
}

// Tasks are ordered by id, so a larger index is a larger id.
std::optional<uint32_t> LatestProducer(uint32_t task, const std::vector<Task>& tasks,
                                       const TaskNodes& nodes, const DependencyGraph& graph) {
  const DependencyGraph::NodeIndex node = nodes.node_of_task[task];
  if (node == DependencyGraph::kNoNode) return std::nullopt;
  std::optional<uint32_t> latest;
  for (DependencyGraph::NodeIndex producer : graph.Predecessors(node)) {
    const uint32_t candidate = nodes.task_of_node[producer];
    if (producer == node || candidate == TaskNodes::kNoTask) continue;
    if (!latest ||
        std::tie(tasks[*latest].end, *latest) < std::tie(tasks[candidate].end, candidate)) {
      latest = candidate;
    }
  }
  return latest;
}

CycleSpan Positive(CycleSpan span) { return std::max<CycleSpan>(span, 0); }

}  // namespace

std::optional<PathAttribution> AttributePath(const std::vector<Task>& tasks, const TaskNodes& nodes,
                                             const DependencyGraph& graph) {
  const std::optional<uint32_t> sink = LastFinished(tasks);
  if (!sink) return std::nullopt;
  PathAttribution path;
  DeviceCycles path_start = tasks[*sink].start;
  for (std::optional<uint32_t> at = sink; at;) {
    const Task& task = tasks[*at];
    path.tasks.push_back(*at);
    path.compute = AddSaturated(path.compute, task.end - task.start);
    path_start = std::min(path_start, task.start);
    const std::optional<uint32_t> producer = LatestProducer(*at, tasks, nodes, graph);
    if (producer) {
      path.scheduler = AddSaturated(path.scheduler, Positive(task.start - tasks[*producer].end));
    } else if (task.has_scheduler) {
      path.scheduler = AddSaturated(path.scheduler, Positive(task.start - task.dispatch));
      path_start = std::min(path_start, task.dispatch);
    }
    at = producer;
  }
  std::reverse(path.tasks.begin(), path.tasks.end());
  path.span = tasks[*sink].finish - path_start;
  if (path.span <= 0) return std::nullopt;
  path.other = Positive(path.span - AddSaturated(path.compute, path.scheduler));
  return path;
}

}  // namespace simpler::overhead
