#include "analysis/archive/graph_codec.h"

#include <array>
#include <cstdint>

#include "analysis/archive/column_codec.h"
#include "analysis/archive/row_columns.h"

namespace simpler::archive {
namespace {

using capture::DependencyGraph;
using Node = DependencyGraph::Node;
using Edge = DependencyGraph::Edge;

constexpr uint8_t kIsTask = 1;
constexpr uint8_t kEarlyDispatch = 2;
constexpr uint8_t kHasKernels = 4;
constexpr uint8_t kHasBlockNum = 8;

uint8_t FlagsOf(const Node& node) {
  return static_cast<uint8_t>(
      (node.is_task ? kIsTask : 0) | (node.early_dispatch ? kEarlyDispatch : 0) |
      (node.has_kernels ? kHasKernels : 0) | (node.has_block_num ? kHasBlockNum : 0));
}

// One member of every entry as a column.
template <typename T, typename Entry, typename Get>
void EncodeMember(std::span<const Entry> entries, Get get, v1::Column* column) {
  std::vector<T> values;
  values.reserve(entries.size());
  for (const Entry& entry : entries) values.push_back(get(entry));
  EncodeColumn(values, column);
}

void EncodeKernels(std::span<const Node> nodes, size_t slot, v1::Column* column) {
  EncodeMember<int32_t>(
      nodes, [slot](const Node& node) { return node.kernel_ids[slot]; }, column);
}

}  // namespace

void Encode(std::span<const Node> nodes, v1::GraphNodes* message) {
  EncodeMember<uint64_t>(
      nodes, [](const Node& node) { return node.id; }, message->mutable_id());
  EncodeMember<uint8_t>(nodes, FlagsOf, message->mutable_flags());
  EncodeKernels(nodes, 0, message->mutable_kernel_ids()->mutable_aic());
  EncodeKernels(nodes, 1, message->mutable_kernel_ids()->mutable_aiv0());
  EncodeKernels(nodes, 2, message->mutable_kernel_ids()->mutable_aiv1());
  EncodeMember<uint32_t>(
      nodes, [](const Node& node) { return node.block_num; }, message->mutable_block_num());
}

void Encode(std::span<const Edge> edges, v1::GraphEdges* message) {
  EncodeMember<uint32_t>(
      edges, [](const Edge& edge) { return edge.pred; }, message->mutable_pred());
  // Consumers follow their producers closely, so distances are far smaller than indices.
  EncodeMember<uint32_t>(
      edges, [](const Edge& edge) { return edge.succ - edge.pred; }, message->mutable_distance());
}

absl::Status Decode(const v1::GraphNodes& message, std::vector<Node>& nodes) {
  std::vector<uint64_t> id;
  std::vector<uint8_t> flags;
  std::array<std::vector<int32_t>, 3> kernels;
  std::vector<uint32_t> block_num;
  RowColumns columns(message.id().count());
  columns.Read(message.id(), "id", id);
  columns.Read(message.flags(), "flags", flags);
  columns.Read(message.kernel_ids().aic(), "kernel_ids.aic", kernels[0]);
  columns.Read(message.kernel_ids().aiv0(), "kernel_ids.aiv0", kernels[1]);
  columns.Read(message.kernel_ids().aiv1(), "kernel_ids.aiv1", kernels[2]);
  columns.Read(message.block_num(), "block_num", block_num);
  if (!columns.status().ok()) return columns.status();
  for (size_t i = 0; i < id.size(); ++i) {
    Node& node = nodes.emplace_back();
    node.id = id[i];
    node.is_task = (flags[i] & kIsTask) != 0;
    node.early_dispatch = (flags[i] & kEarlyDispatch) != 0;
    node.has_kernels = (flags[i] & kHasKernels) != 0;
    node.has_block_num = (flags[i] & kHasBlockNum) != 0;
    node.kernel_ids = {kernels[0][i], kernels[1][i], kernels[2][i]};
    node.block_num = block_num[i];
  }
  return absl::OkStatus();
}

absl::Status Decode(const v1::GraphEdges& message, std::vector<Edge>& edges) {
  std::vector<uint32_t> pred;
  std::vector<uint32_t> distance;
  RowColumns columns(message.pred().count());
  columns.Read(message.pred(), "pred", pred);
  columns.Read(message.distance(), "distance", distance);
  if (!columns.status().ok()) return columns.status();
  for (size_t i = 0; i < pred.size(); ++i) edges.push_back({pred[i], pred[i] + distance[i]});
  return absl::OkStatus();
}

}  // namespace simpler::archive
