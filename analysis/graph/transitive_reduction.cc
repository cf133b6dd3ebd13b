#include "analysis/graph/transitive_reduction.h"

#include <algorithm>
#include <cstdint>

#include "absl/status/status.h"
#include "analysis/capture/labels.h"
#include "fmt/format.h"

namespace simpler::graph {
namespace {

using capture::DependencyGraph;
using NodeIndex = DependencyGraph::NodeIndex;

// Length of the longest path that ends at each node.
absl::StatusOr<std::vector<uint32_t>> Depths(const DependencyGraph& graph) {
  const size_t count = graph.nodes().size();
  std::vector<uint32_t> missing(count);
  for (const auto& edge : graph.edges()) {
    if (edge.pred != edge.succ) ++missing[edge.succ];
  }
  std::vector<NodeIndex> ready;
  for (NodeIndex node = 0; node < count; ++node) {
    if (missing[node] == 0) ready.push_back(node);
  }
  std::vector<uint32_t> depth(count);
  for (size_t next = 0; next < ready.size(); ++next) {
    const NodeIndex node = ready[next];
    for (NodeIndex succ : graph.Successors(node)) {
      if (succ == node) continue;
      depth[succ] = std::max(depth[succ], depth[node] + 1);
      if (--missing[succ] == 0) ready.push_back(succ);
    }
  }
  if (ready.size() == count) return depth;
  const auto blocked =
      std::find_if(missing.begin(), missing.end(), [](uint32_t left) { return left > 0; });
  const uint64_t id = graph.nodes()[static_cast<size_t>(blocked - missing.begin())].id;
  return absl::FailedPreconditionError(
      fmt::format("the graph has a cycle; task {} (id {}) is on it or waits for it",
                  capture::TaskDisplay(id), id));
}

// Finds, node by node, the successors that other successors lead to.
class RedundancySearch {
 public:
  RedundancySearch(const DependencyGraph& graph, const std::vector<uint32_t>& depth)
      : graph_(graph),
        depth_(depth),
        reached_from_(graph.nodes().size(), DependencyGraph::kNoNode) {}

  // Afterwards IsRedundant tells about the successors of `node`.
  void Explore(NodeIndex node) {
    const auto successors = graph_.Successors(node);
    order_.assign(successors.begin(), successors.end());
    order_.erase(std::remove(order_.begin(), order_.end(), node), order_.end());
    if (order_.size() < 2) return;
    // A path never leads to a smaller depth: who can reach a successor was explored before it.
    std::sort(order_.begin(), order_.end(),
              [&](NodeIndex a, NodeIndex b) { return depth_[a] < depth_[b]; });
    const uint32_t deepest = depth_[order_.back()];
    for (NodeIndex succ : order_) {
      if (reached_from_[succ] != node) MarkBelow(succ, node, deepest);
    }
  }

  // Valid for the node explored last.
  bool IsRedundant(NodeIndex node, NodeIndex succ) const {
    return node != succ && reached_from_[succ] == node;
  }

 private:
  // Marks what `start` leads to, down to `deepest`, as reached from `origin`.
  void MarkBelow(NodeIndex start, NodeIndex origin, uint32_t deepest) {
    stack_.assign(1, start);
    while (!stack_.empty()) {
      const NodeIndex node = stack_.back();
      stack_.pop_back();
      for (NodeIndex next : graph_.Successors(node)) {
        if (next == node || depth_[next] > deepest || reached_from_[next] == origin) continue;
        reached_from_[next] = origin;
        if (depth_[next] < deepest) stack_.push_back(next);
      }
    }
  }

  const DependencyGraph& graph_;
  const std::vector<uint32_t>& depth_;
  std::vector<NodeIndex> reached_from_;
  std::vector<NodeIndex> order_;
  std::vector<NodeIndex> stack_;
};

}  // namespace

absl::StatusOr<std::vector<bool>> FindRedundantEdges(const DependencyGraph& graph) {
  const absl::StatusOr<std::vector<uint32_t>> depth = Depths(graph);
  if (!depth.ok()) return depth.status();
  RedundancySearch search(graph, *depth);
  std::vector<bool> by_pred;  // grouped by predecessor, in edge order within a group
  std::vector<size_t> next_in_group;
  by_pred.reserve(graph.edges().size());
  for (NodeIndex node = 0; node < graph.nodes().size(); ++node) {
    next_in_group.push_back(by_pred.size());
    search.Explore(node);
    for (NodeIndex succ : graph.Successors(node)) {
      by_pred.push_back(search.IsRedundant(node, succ));
    }
  }
  std::vector<bool> redundant;
  redundant.reserve(graph.edges().size());
  for (const auto& edge : graph.edges()) redundant.push_back(by_pred[next_in_group[edge.pred]++]);
  return redundant;
}

}  // namespace simpler::graph
