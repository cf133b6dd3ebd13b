#include "analysis/capture/dependency_graph.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace simpler::capture {
namespace {

using NodeIndex = DependencyGraph::NodeIndex;
using Edge = DependencyGraph::Edge;

// Keeps the first of equal (pred, succ) pairs, in place and in order. Returns how many went away.
uint64_t DropRepeatedEdges(std::vector<Edge>& edges) {
  std::vector<uint32_t> order(edges.size());
  for (uint32_t i = 0; i < order.size(); ++i) order[i] = i;
  std::sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
    return std::tie(edges[a].pred, edges[a].succ, a) < std::tie(edges[b].pred, edges[b].succ, b);
  });
  std::vector<bool> repeated(edges.size());
  for (size_t i = 1; i < order.size(); ++i) {
    repeated[order[i]] = edges[order[i]] == edges[order[i - 1]];
  }
  size_t kept = 0;
  for (size_t i = 0; i < edges.size(); ++i) {
    if (!repeated[i]) edges[kept++] = edges[i];
  }
  const uint64_t dropped = edges.size() - kept;
  edges.resize(kept);
  edges.shrink_to_fit();
  return dropped;
}

// CSR adjacency keyed by `key`, listing `value`, in edge order.
template <typename Key, typename Value>
void BuildAdjacency(const std::vector<Edge>& edges, size_t node_count, Key key, Value value,
                    std::vector<uint32_t>& begin, std::vector<NodeIndex>& list) {
  begin.assign(node_count + 1, 0);
  for (const Edge& edge : edges) ++begin[key(edge) + 1];
  for (size_t i = 0; i < node_count; ++i) begin[i + 1] += begin[i];
  list.resize(edges.size());
  std::vector<uint32_t> next(begin.begin(), begin.end() - 1);
  for (const Edge& edge : edges) list[next[key(edge)]++] = value(edge);
}

}  // namespace

void DependencyGraph::Builder::AddTask(Node node) {
  node.is_task = true;
  tasks_.push_back(node);
}

void DependencyGraph::Builder::AddEdge(uint64_t pred, uint64_t succ) {
  edges_.push_back({pred, succ});
}

DependencyGraph DependencyGraph::Builder::Build() {
  DependencyGraph graph;
  // Later descriptions of one id win, as in a map assignment.
  std::stable_sort(tasks_.begin(), tasks_.end(),
                   [](const Node& a, const Node& b) { return a.id < b.id; });
  for (size_t i = 0; i < tasks_.size(); ++i) {
    if (i + 1 < tasks_.size() && tasks_[i + 1].id == tasks_[i].id) continue;
    graph.nodes_.push_back(tasks_[i]);
  }
  std::vector<Node>().swap(tasks_);
  graph.task_count_ = graph.nodes_.size();

  const auto by_id = [](const Node& node, uint64_t id) { return node.id < id; };
  std::vector<uint64_t> missing;
  for (const RawEdge& edge : edges_) {
    for (uint64_t id : {edge.pred, edge.succ}) {
      const auto it = std::lower_bound(graph.nodes_.begin(), graph.nodes_.end(), id, by_id);
      if (it == graph.nodes_.end() || it->id != id) missing.push_back(id);
    }
  }
  std::sort(missing.begin(), missing.end());
  missing.erase(std::unique(missing.begin(), missing.end()), missing.end());
  const size_t described = graph.nodes_.size();
  for (uint64_t id : missing) {
    Node node;
    node.id = id;
    graph.nodes_.push_back(node);
  }
  std::inplace_merge(graph.nodes_.begin(), graph.nodes_.begin() + static_cast<ptrdiff_t>(described),
                     graph.nodes_.end(), [](const Node& a, const Node& b) { return a.id < b.id; });

  graph.edges_.reserve(edges_.size());
  for (const RawEdge& edge : edges_) {
    graph.edges_.push_back({graph.Find(edge.pred), graph.Find(edge.succ)});
  }
  std::vector<RawEdge>().swap(edges_);
  graph.repeated_edge_count_ = DropRepeatedEdges(graph.edges_);
  graph.self_edge_count_ =
      static_cast<uint64_t>(std::count_if(graph.edges_.begin(), graph.edges_.end(),
                                          [](const Edge& edge) { return edge.pred == edge.succ; }));
  BuildAdjacency(
      graph.edges_, graph.nodes_.size(), [](const Edge& e) { return e.pred; },
      [](const Edge& e) { return e.succ; }, graph.successor_begin_, graph.successors_);
  BuildAdjacency(
      graph.edges_, graph.nodes_.size(), [](const Edge& e) { return e.succ; },
      [](const Edge& e) { return e.pred; }, graph.predecessor_begin_, graph.predecessors_);
  return graph;
}

DependencyGraph::NodeIndex DependencyGraph::Find(uint64_t id) const {
  const auto it = std::lower_bound(nodes_.begin(), nodes_.end(), id,
                                   [](const Node& node, uint64_t key) { return node.id < key; });
  if (it == nodes_.end() || it->id != id) return kNoNode;
  return static_cast<NodeIndex>(it - nodes_.begin());
}

}  // namespace simpler::capture
