// Which tasks run one kernel on several cores at once.
#pragma once

#include <vector>

#include "analysis/capture/dependency_graph.h"
#include "analysis/capture/task_table.h"

namespace simpler::capture {

// The graph's word: the node states a block count above one. False for nodes without a block count.
bool IsSpmdNode(const DependencyGraph::Node& node);

// One flag per task. The block count of the graph decides; only a task that the graph does not
// describe is judged by its rows: several of them, all on one engine. `nodes` must be
// MatchTasks(tasks, graph); an empty graph is legal.
std::vector<bool> SpmdTasks(const std::vector<Task>& tasks, const DependencyGraph& graph,
                            const TaskNodes& nodes);

}  // namespace simpler::capture
