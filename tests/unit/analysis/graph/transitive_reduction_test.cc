#include "analysis/graph/transitive_reduction.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <utility>
#include <vector>

#include "tests/support/capture_builder.h"

namespace simpler::graph {
namespace {

using capture::DependencyGraph;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

using IdPair = std::pair<uint64_t, uint64_t>;

DependencyGraph GraphOf(const std::vector<IdPair>& edges) {
  support::CaptureBuilder builder;
  for (const auto& [pred, succ] : edges) builder.Edge(pred, succ);
  return builder.BuildGraph();
}

std::vector<bool> Redundant(const std::vector<IdPair>& edges) {
  const auto redundant = FindRedundantEdges(GraphOf(edges));
  EXPECT_TRUE(redundant.ok()) << redundant.status();
  return redundant.value_or(std::vector<bool>{});
}

TEST(TransitiveReduction, CaseA146ADiamondHasNoRedundantEdge) {
  EXPECT_THAT(Redundant({{1, 2}, {1, 3}, {2, 4}, {3, 4}}), Each(false));
}

TEST(TransitiveReduction, CaseA147ShortcutsOverAChainAreRedundant) {
  EXPECT_THAT(Redundant({{1, 5}, {1, 2}, {2, 3}, {3, 4}, {2, 5}, {4, 5}}),
              ElementsAre(true, false, false, false, true, false));
}

TEST(TransitiveReduction, AnEmptyGraphIsReduced) { EXPECT_TRUE(Redundant({}).empty()); }

TEST(TransitiveReduction, SelfEdgesAreKeptAndLeadNowhere) {
  EXPECT_THAT(Redundant({{1, 1}, {1, 2}, {2, 2}, {2, 3}, {1, 3}}),
              ElementsAre(false, false, false, false, true));
}

TEST(TransitiveReduction, NamesATaskOfACycle) {
  const auto redundant = FindRedundantEdges(GraphOf({{0, 1}, {1, 2}, {2, 1}}));
  ASSERT_EQ(redundant.status().code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(std::string(redundant.status().message()), HasSubstr("t1"));
}

// The definition, evaluated directly: is succ reachable through another successor?
bool ReachesThroughAnother(const DependencyGraph& graph, const DependencyGraph::Edge& edge) {
  std::vector<bool> seen(graph.nodes().size());
  std::vector<uint32_t> open;
  for (uint32_t other : graph.Successors(edge.pred)) {
    if (other != edge.succ) open.push_back(other);
  }
  while (!open.empty()) {
    const uint32_t node = open.back();
    open.pop_back();
    if (node == edge.succ) return true;
    if (seen[node]) continue;
    seen[node] = true;
    for (uint32_t next : graph.Successors(node)) open.push_back(next);
  }
  return false;
}

TEST(TransitiveReduction, AgreesWithTheDefinitionOnRandomGraphs) {
  for (uint64_t seed = 0; seed < 300; ++seed) {
    std::mt19937_64 random(seed);
    const uint64_t nodes = 2 + random() % 30;
    // A random numbering, so that ids say nothing about the direction of edges.
    std::vector<uint64_t> ids(nodes);
    for (uint64_t& id : ids) id = random();
    std::vector<IdPair> edges;
    for (uint64_t i = 0; i < nodes * 3; ++i) {
      const uint64_t a = random() % nodes;
      const uint64_t b = random() % nodes;
      if (a != b) edges.emplace_back(ids[std::min(a, b)], ids[std::max(a, b)]);
    }
    const DependencyGraph graph = GraphOf(edges);
    const auto redundant = FindRedundantEdges(graph);
    ASSERT_TRUE(redundant.ok()) << redundant.status();
    for (size_t i = 0; i < graph.edges().size(); ++i) {
      EXPECT_EQ((*redundant)[i], ReachesThroughAnother(graph, graph.edges()[i]))
          << "seed " << seed << " edge " << i;
    }
  }
}

}  // namespace
}  // namespace simpler::graph
