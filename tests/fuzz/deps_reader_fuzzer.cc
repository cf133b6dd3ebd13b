// Any bytes are either refused with a message or give a consistent graph.
#include <cstdint>
#include <cstdlib>
#include <set>
#include <string_view>
#include <utility>

#include "analysis/formats/deps_reader.h"
#include "analysis/formats/edge_annotations_reader.h"

namespace simpler::formats {
namespace {

using capture::DependencyGraph;

void Require(bool condition) {
  if (!condition) std::abort();
}

void CheckNodes(const DependencyGraph& graph) {
  uint64_t tasks = 0;
  for (size_t i = 0; i < graph.nodes().size(); ++i) {
    const DependencyGraph::Node& node = graph.nodes()[i];
    Require(i == 0 || graph.nodes()[i - 1].id < node.id);
    Require(graph.Find(node.id) == i);
    Require(node.block_num >= 1);
    tasks += node.is_task ? 1 : 0;
  }
  Require(tasks == graph.task_count());
}

void CheckEdges(const DependencyGraph& graph) {
  std::set<std::pair<uint32_t, uint32_t>> unique;
  for (const DependencyGraph::Edge& edge : graph.edges()) {
    Require(edge.pred < graph.nodes().size() && edge.succ < graph.nodes().size());
    Require(unique.emplace(edge.pred, edge.succ).second);
  }
  size_t successors = 0;
  size_t predecessors = 0;
  for (uint32_t node = 0; node < graph.nodes().size(); ++node) {
    for (uint32_t succ : graph.Successors(node)) Require(unique.count({node, succ}) == 1);
    for (uint32_t pred : graph.Predecessors(node)) Require(unique.count({pred, node}) == 1);
    successors += graph.Successors(node).size();
    predecessors += graph.Predecessors(node).size();
  }
  Require(successors == unique.size() && predecessors == unique.size());
}

void CheckAnnotations(const JsonFile& file, const DependencyGraph& graph) {
  const absl::StatusOr<EdgeAnnotations> annotations = ParseEdgeAnnotations(file, graph);
  if (!annotations.ok()) return;
  Require(annotations->from_creator.size() == graph.edges().size());
  uint64_t rows = 0;
  for (uint32_t count : annotations->row_count) {
    Require(count >= 1);
    rows += count;
  }
  Require(rows == graph.edges().size() + graph.repeated_edge_count());
}

void Check(std::string_view text) {
  const JsonFile file = JsonFile::FromText(text, "fuzz");
  const absl::StatusOr<DepsFile> deps = ParseDeps(file);
  if (!deps.ok()) {
    Require(!deps.status().message().empty());
    return;
  }
  CheckNodes(deps->graph);
  CheckEdges(deps->graph);
  CheckAnnotations(file, deps->graph);
}

}  // namespace
}  // namespace simpler::formats

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  simpler::formats::Check({reinterpret_cast<const char*>(data), size});
  return 0;
}
