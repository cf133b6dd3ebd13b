#include "analysis/overhead/graph_order.h"

#include <algorithm>
#include <string>

#include "analysis/capture/labels.h"
#include "fmt/format.h"

namespace simpler::overhead {
namespace {

using capture::DependencyGraph;
using NodeIndex = DependencyGraph::NodeIndex;

constexpr size_t kNamedTasks = 8;

// Walks producers among the nodes that were never released until one repeats. The cycle begins with
// its smallest id.
std::vector<NodeIndex> FindCycle(const DependencyGraph& graph,
                                 const std::vector<uint32_t>& unreleased_producers) {
  const auto stuck = [&](NodeIndex node) { return unreleased_producers[node] > 0; };
  NodeIndex at = 0;
  while (!stuck(at)) ++at;
  std::vector<NodeIndex> walk;
  std::vector<bool> visited(graph.nodes().size());
  while (!visited[at]) {
    visited[at] = true;
    walk.push_back(at);
    const auto producers = graph.Predecessors(at);
    at = *std::find_if(producers.begin(), producers.end(),
                       [&](NodeIndex producer) { return producer != at && stuck(producer); });
  }
  walk.erase(walk.begin(), std::find(walk.begin(), walk.end(), at));
  std::reverse(walk.begin(), walk.end());  // producer -> consumer
  std::rotate(walk.begin(), std::min_element(walk.begin(), walk.end()), walk.end());
  return walk;
}

absl::Status CycleError(const DependencyGraph& graph, const std::vector<NodeIndex>& cycle) {
  const auto name = [&](NodeIndex node) {
    const uint64_t id = graph.nodes()[node].id;
    return fmt::format("{} ({})", capture::TaskDisplay(id), id);
  };
  std::string path;
  for (size_t i = 0; i < std::min(cycle.size(), kNamedTasks); ++i) path += name(cycle[i]) + " -> ";
  if (cycle.size() > kNamedTasks) {
    path += fmt::format("{} more -> ", cycle.size() - kNamedTasks);
  }
  return absl::InvalidArgumentError(fmt::format(
      "the dependency graph holds a cycle of {} tasks: {}{}; no order of execution satisfies it, "
      "record the graph again with the run it belongs to",
      cycle.size(), path, name(cycle.front())));
}

}  // namespace

absl::StatusOr<std::vector<NodeIndex>> TopologicalOrder(const DependencyGraph& graph) {
  const size_t count = graph.nodes().size();
  std::vector<uint32_t> waiting(count);  // producers not yet in `order`
  for (const DependencyGraph::Edge& edge : graph.edges())
    waiting[edge.succ] += edge.pred != edge.succ;
  std::vector<NodeIndex> order;
  order.reserve(count);
  for (NodeIndex node = 0; node < count; ++node) {
    if (waiting[node] == 0) order.push_back(node);
  }
  for (size_t next = 0; next < order.size(); ++next) {
    for (NodeIndex consumer : graph.Successors(order[next])) {
      if (consumer != order[next] && --waiting[consumer] == 0) order.push_back(consumer);
    }
  }
  if (order.size() < count) return CycleError(graph, FindCycle(graph, waiting));
  return order;
}

absl::Status CheckAcyclic(const DependencyGraph& graph) { return TopologicalOrder(graph).status(); }

}  // namespace simpler::overhead
