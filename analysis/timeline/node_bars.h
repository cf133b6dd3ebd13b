// The bars of graph nodes in one view, packed for looking at the neighbours of a task: an edge
// costs one cache line instead of one each of node, task and row.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "analysis/timeline/anchors.h"
#include "analysis/timeline/model.h"

namespace simpler::timeline {

class NodeBars {
 public:
  using NodeIndex = capture::DependencyGraph::NodeIndex;

  struct Bar {
    int64_t start = 0;  // device cycles
    uint32_t length = 0;
    uint32_t number = 0;  // SliceNumbers

    int64_t end() const { return start + length; }
  };

  // Knows nothing.
  NodeBars() = default;
  // The model has a graph. `keeps` says whether the bar of a row is in the trace. O(nodes + rows),
  // sixteen bytes a node.
  NodeBars(const Model& model, TaskView view, const std::function<bool(Anchor)>& keeps);

  // The bar of a node whose task has exactly one, if that is in the trace. Null says nothing: ask
  // ForEachAnchor. `node` is one of the graph.
  const Bar* Find(NodeIndex node) const {
    const Bar& bar = bars_[node];
    return bar.number != kUnknown ? &bar : nullptr;
  }
  void Prefetch(NodeIndex node) const { __builtin_prefetch(&bars_[node]); }

 private:
  static constexpr uint32_t kUnknown = UINT32_MAX;  // SliceNumbers::Fit

  std::vector<Bar> bars_;
};

}  // namespace simpler::timeline
