// Which edges of a task graph follow from other edges.
#pragma once

#include <vector>

#include "absl/status/statusor.h"
#include "analysis/capture/dependency_graph.h"

namespace simpler::graph {

// One flag per edge, in the order of DependencyGraph::edges(): set when the successor is also
// reached through another successor of the predecessor. Self edges are never redundant and lead
// nowhere. FailedPrecondition, naming a task, when the graph has a cycle of several tasks. O(nodes
// + edges) memory; the search below a node stops at the depth of its deepest successor, so the time
// is close to linear for graphs whose edges are short compared with the graph.
absl::StatusOr<std::vector<bool>> FindRedundantEdges(const capture::DependencyGraph& graph);

}  // namespace simpler::graph
