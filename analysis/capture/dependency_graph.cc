#include "analysis/capture/dependency_graph.h"

#include <algorithm>
#include <utility>

#include "absl/status/status.h"
#include "analysis/capture/id_set.h"
#include "fmt/format.h"

namespace simpler::capture {
namespace {

using NodeIndex = DependencyGraph::NodeIndex;
using Edge = DependencyGraph::Edge;

// Adjacency in compressed form: for every node `key(edge)`, the `value(edge, ordinal)` of its edges
// in edge order. `begin` gets node_count + 1 offsets into `list`.
template <typename Key, typename Value>
void BuildAdjacency(const std::vector<Edge>& edges, size_t node_count, Key key, Value value,
                    std::vector<uint32_t>& begin, std::vector<uint32_t>& list) {
  begin.assign(node_count + 1, 0);
  for (const Edge& edge : edges) ++begin[key(edge) + 1];
  for (size_t i = 0; i < node_count; ++i) begin[i + 1] += begin[i];
  list.resize(edges.size());
  std::vector<uint32_t> next(begin.begin(), begin.end() - 1);
  for (uint32_t i = 0; i < edges.size(); ++i) list[next[key(edges[i])]++] = value(edges[i], i);
}

constexpr auto kPred = [](const Edge& edge) { return edge.pred; };
constexpr auto kSucc = [](const Edge& edge) { return edge.succ; };
constexpr auto kPredOf = [](const Edge& edge, uint32_t) { return edge.pred; };
constexpr auto kSuccOf = [](const Edge& edge, uint32_t) { return edge.succ; };

// Flags every edge but the first of equal (pred, succ) pairs.
std::vector<bool> FindRepeatedEdges(const std::vector<Edge>& edges, size_t node_count) {
  std::vector<uint32_t> begin, ordinals;
  BuildAdjacency(
      edges, node_count, kPred, [](const Edge&, uint32_t ordinal) { return ordinal; }, begin,
      ordinals);
  std::vector<bool> repeated(edges.size());
  std::vector<NodeIndex> last_pred(node_count, DependencyGraph::kNoNode);
  for (uint32_t ordinal : ordinals) {
    const Edge& edge = edges[ordinal];
    repeated[ordinal] = std::exchange(last_pred[edge.succ], edge.pred) == edge.pred;
  }
  return repeated;
}

// Keeps the first of equal pairs, in order. Returns how many went away.
uint64_t DropRepeatedEdges(std::vector<Edge>& edges, size_t node_count) {
  const std::vector<bool> repeated = FindRepeatedEdges(edges, node_count);
  size_t kept = 0;
  for (size_t i = 0; i < edges.size(); ++i) {
    if (!repeated[i]) edges[kept++] = edges[i];
  }
  const uint64_t dropped = edges.size() - kept;
  edges.resize(kept);
  return dropped;
}

}  // namespace

void DependencyGraph::Builder::AddTask(Node node) {
  node.is_task = true;
  tasks_.push_back(node);
}

void DependencyGraph::Builder::AddEdge(uint64_t pred, uint64_t succ) {
  // Annotated graphs repeat a pair once per annotation, mostly in a row.
  if (!edges_.empty() && edges_.back().pred == pred && edges_.back().succ == succ) {
    ++repeated_edge_count_;
    return;
  }
  edges_.push_back({pred, succ});
}

DependencyGraph DependencyGraph::Builder::Build() {
  IdSet ids;
  for (const Node& task : tasks_) ids.Insert(task.id);
  for (const RawEdge& edge : edges_) {
    ids.Insert(edge.pred);
    ids.Insert(edge.succ);
  }
  ids.Seal();

  DependencyGraph graph;
  graph.nodes_.reserve(ids.size());
  for (uint64_t id : ids.Ids()) graph.nodes_.emplace_back().id = id;
  for (const Node& task : tasks_) {
    Node& node = graph.nodes_[ids.Rank(task.id)];
    if (!node.is_task) ++graph.task_count_;
    node = task;
  }
  std::vector<Node>().swap(tasks_);

  graph.edges_.reserve(edges_.size());
  for (const RawEdge& edge : edges_) {
    graph.edges_.push_back({ids.Rank(edge.pred), ids.Rank(edge.succ)});
  }
  std::vector<RawEdge>().swap(edges_);
  graph.Connect();
  graph.repeated_edge_count_ += repeated_edge_count_;
  return graph;
}

absl::StatusOr<DependencyGraph> DependencyGraph::FromParts(std::vector<Node> nodes,
                                                           std::vector<Edge> edges,
                                                           uint64_t repeated_edge_count) {
  for (size_t i = 1; i < nodes.size(); ++i) {
    if (nodes[i - 1].id < nodes[i].id) continue;
    return absl::InvalidArgumentError(
        fmt::format("node {} has task id {}, which does not follow {}; ids must ascend", i,
                    nodes[i].id, nodes[i - 1].id));
  }
  for (size_t i = 0; i < edges.size(); ++i) {
    if (std::max(edges[i].pred, edges[i].succ) < nodes.size()) continue;
    return absl::InvalidArgumentError(
        fmt::format("edge {} leads from node {} to node {}, but there are only {} nodes", i,
                    edges[i].pred, edges[i].succ, nodes.size()));
  }
  DependencyGraph graph;
  graph.nodes_ = std::move(nodes);
  graph.edges_ = std::move(edges);
  graph.task_count_ = static_cast<uint64_t>(std::count_if(
      graph.nodes_.begin(), graph.nodes_.end(), [](const Node& node) { return node.is_task; }));
  graph.Connect();
  if (graph.repeated_edge_count_ > 0) {
    return absl::InvalidArgumentError(
        fmt::format("{} edges occur twice", graph.repeated_edge_count_));
  }
  graph.repeated_edge_count_ = repeated_edge_count;
  return graph;
}

void DependencyGraph::Connect() {
  repeated_edge_count_ = DropRepeatedEdges(edges_, nodes_.size());
  self_edge_count_ = static_cast<uint64_t>(std::count_if(
      edges_.begin(), edges_.end(), [](const Edge& edge) { return edge.pred == edge.succ; }));
  BuildAdjacency(edges_, nodes_.size(), kPred, kSuccOf, successor_begin_, successors_);
  BuildAdjacency(edges_, nodes_.size(), kSucc, kPredOf, predecessor_begin_, predecessors_);
}

DependencyGraph::NodeIndex DependencyGraph::Find(uint64_t id) const {
  const auto it = std::lower_bound(nodes_.begin(), nodes_.end(), id,
                                   [](const Node& node, uint64_t key) { return node.id < key; });
  if (it == nodes_.end() || it->id != id) return kNoNode;
  return static_cast<NodeIndex>(it - nodes_.begin());
}

}  // namespace simpler::capture
