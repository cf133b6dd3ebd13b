#pragma once

#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "analysis/capture/dependency_graph.h"

namespace simpler::overhead {

// All nodes, producers before their consumers; self edges are ignored. InvalidArgument when the
// graph holds a cycle: the message names the tasks of one (the first few of a long one).
// O(nodes + edges).
absl::StatusOr<std::vector<capture::DependencyGraph::NodeIndex>> TopologicalOrder(
    const capture::DependencyGraph& graph);

// The same check without keeping the order.
absl::Status CheckAcyclic(const capture::DependencyGraph& graph);

}  // namespace simpler::overhead
