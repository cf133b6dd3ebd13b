#include "analysis/capture/spmd.h"

namespace simpler::capture {
namespace {

bool HasSeveralRowsOnOneEngine(const Task& task) {
  return task.row_count > 1 && __builtin_popcount(task.engines) == 1;
}

}  // namespace

bool IsSpmdNode(const DependencyGraph::Node& node) {
  return node.has_block_num && node.block_num > 1;
}

std::vector<bool> SpmdTasks(const std::vector<Task>& tasks, const DependencyGraph& graph,
                            const TaskNodes& nodes) {
  std::vector<bool> spmd(tasks.size());
  for (size_t i = 0; i < tasks.size(); ++i) {
    const DependencyGraph::NodeIndex index = nodes.node_of_task[i];
    const bool described = index != DependencyGraph::kNoNode && graph.nodes()[index].has_block_num;
    spmd[i] = described ? IsSpmdNode(graph.nodes()[index]) : HasSeveralRowsOnOneEngine(tasks[i]);
  }
  return spmd;
}

}  // namespace simpler::capture
