// The static task graph of one case, as recorded by a dependency-generation run. Immutable once
// built; independent of any timing capture.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "absl/status/statusor.h"

namespace simpler::capture {

class DependencyGraph {
 public:
  using NodeIndex = uint32_t;
  static constexpr NodeIndex kNoNode = UINT32_MAX;

  // A node is anything that is named as a task or as an end of an edge.
  struct Node {
    uint64_t id = 0;
    bool is_task = false;  // has an entry in `tasks` (allocation nodes have none)
    bool early_dispatch = false;
    bool has_kernels = false;                       // kernel_ids is a list of three
    bool has_block_num = false;                     // the entry belongs to the block map
    std::array<int32_t, 3> kernel_ids{-1, -1, -1};  // AIC, AIV0, AIV1; -1 inactive
    uint32_t block_num = 1;                         // SPMD blocks, >= 1

    bool IsDummy() const {
      return has_kernels && kernel_ids[0] < 0 && kernel_ids[1] < 0 && kernel_ids[2] < 0;
    }
  };

  struct Edge {
    NodeIndex pred;
    NodeIndex succ;
    friend bool operator==(const Edge&, const Edge&) = default;
  };

  // Collects tasks and edges in file order. Not thread-safe; Build may be called once.
  class Builder {
   public:
    // Adds or replaces the description of a task; `node.is_task` is set.
    void AddTask(Node node);
    // Repeated pairs are counted and dropped; self edges are kept.
    void AddEdge(uint64_t pred, uint64_t succ);
    // Consumes what was added. O(tasks + edges).
    DependencyGraph Build();

   private:
    struct RawEdge {
      uint64_t pred;
      uint64_t succ;
    };
    std::vector<Node> tasks_;
    std::vector<RawEdge> edges_;
    uint64_t repeated_edge_count_ = 0;
  };

  // The graph that has exactly these nodes and edges: what nodes(), edges() and
  // repeated_edge_count() of a graph return makes an equal one. InvalidArgument, naming the entry,
  // when ids do not ascend, an edge names no node, or an edge occurs twice. O(nodes + edges).
  static absl::StatusOr<DependencyGraph> FromParts(std::vector<Node> nodes, std::vector<Edge> edges,
                                                   uint64_t repeated_edge_count);

  // Nodes in ascending id order.
  std::span<const Node> nodes() const { return nodes_; }
  // Unique edges (self edges included) in order of first appearance in the file.
  std::span<const Edge> edges() const { return edges_; }
  // Neighbours in edge order; self edges included.
  std::span<const NodeIndex> Successors(NodeIndex node) const {
    return Slice(successors_, successor_begin_, node);
  }
  std::span<const NodeIndex> Predecessors(NodeIndex node) const {
    return Slice(predecessors_, predecessor_begin_, node);
  }
  // kNoNode when the id is neither a task nor an end of an edge. O(log n).
  NodeIndex Find(uint64_t id) const;

  bool has_tasks() const { return task_count_ > 0; }
  uint64_t task_count() const { return task_count_; }
  uint64_t self_edge_count() const { return self_edge_count_; }
  uint64_t repeated_edge_count() const { return repeated_edge_count_; }

 private:
  // Drops repeated edges and fills the adjacency lists from nodes_ and edges_.
  void Connect();

  static std::span<const NodeIndex> Slice(const std::vector<NodeIndex>& list,
                                          const std::vector<uint32_t>& begin, NodeIndex node) {
    return {list.data() + begin[node], list.data() + begin[node + 1]};
  }

  std::vector<Node> nodes_;
  std::vector<Edge> edges_;
  std::vector<NodeIndex> successors_, predecessors_;
  std::vector<uint32_t> successor_begin_, predecessor_begin_;  // CSR offsets, nodes + 1
  uint64_t task_count_ = 0;
  uint64_t self_edge_count_ = 0;
  uint64_t repeated_edge_count_ = 0;
};

}  // namespace simpler::capture
