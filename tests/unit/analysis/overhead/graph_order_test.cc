#include "analysis/overhead/graph_order.h"

#include <algorithm>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace simpler::overhead {
namespace {

using capture::DependencyGraph;
using ::testing::HasSubstr;
using ::testing::Not;

DependencyGraph GraphOf(std::initializer_list<std::pair<uint64_t, uint64_t>> edges) {
  DependencyGraph::Builder builder;
  for (const auto& [pred, succ] : edges) builder.AddEdge(pred, succ);
  return builder.Build();
}

std::string Error(const DependencyGraph& graph) {
  return std::string(CheckAcyclic(graph).message());
}

TEST(GraphOrderTest, ProducersComeFirst) {
  const DependencyGraph graph = GraphOf({{9, 1}, {1, 5}, {9, 5}, {5, 2}, {2, 2}});
  const auto order = TopologicalOrder(graph);
  ASSERT_TRUE(order.ok()) << order.status();
  ASSERT_EQ(order->size(), graph.nodes().size());
  for (const DependencyGraph::Edge& edge : graph.edges()) {
    if (edge.pred == edge.succ) continue;
    EXPECT_LT(std::find(order->begin(), order->end(), edge.pred),
              std::find(order->begin(), order->end(), edge.succ));
  }
}

TEST(GraphOrderTest, EmptyGraphHasAnEmptyOrder) {
  EXPECT_TRUE(TopologicalOrder(GraphOf({})).value().empty());
}

TEST(GraphOrderTest, SelfEdgesAreNoCycle) { EXPECT_TRUE(CheckAcyclic(GraphOf({{1, 1}})).ok()); }

TEST(GraphOrderTest, ErrorNamesTheTasksOfTheCycleOnly) {
  const DependencyGraph graph =
      GraphOf({{1, 2}, {2, 3}, {3, 4}, {4, 2}, {4, 5}, {(uint64_t{1} << 32) + 7, 1}});
  EXPECT_EQ(CheckAcyclic(graph).code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(Error(graph), HasSubstr("cycle of 3 tasks"));
  EXPECT_THAT(Error(graph), HasSubstr("t2 (2) -> t3 (3) -> t4 (4) -> t2 (2)"));
  EXPECT_THAT(Error(graph), Not(HasSubstr("t5")));
  EXPECT_THAT(Error(graph), Not(HasSubstr("t1")));
}

TEST(GraphOrderTest, LongCycleIsAbbreviated) {
  DependencyGraph::Builder builder;
  for (uint64_t id = 0; id < 100; ++id) builder.AddEdge(id, (id + 1) % 100);
  const std::string error = Error(builder.Build());
  EXPECT_THAT(error, HasSubstr("cycle of 100 tasks"));
  EXPECT_THAT(error, HasSubstr("92 more"));
  EXPECT_LT(error.size(), 400u);
}

}  // namespace
}  // namespace simpler::overhead
