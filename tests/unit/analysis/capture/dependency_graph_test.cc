#include "analysis/capture/dependency_graph.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

namespace simpler::capture {
namespace {

using ::testing::ElementsAre;
using ::testing::ElementsAreArray;
using ::testing::IsEmpty;

using IdPair = std::pair<uint64_t, uint64_t>;

std::vector<IdPair> EdgeIds(const DependencyGraph& graph) {
  std::vector<IdPair> ids;
  for (const auto& edge : graph.edges()) {
    ids.emplace_back(graph.nodes()[edge.pred].id, graph.nodes()[edge.succ].id);
  }
  return ids;
}

DependencyGraph::Node TaskNode(uint64_t id, int32_t first_kernel) {
  DependencyGraph::Node node;
  node.id = id;
  node.has_kernels = true;
  node.kernel_ids = {first_kernel, -1, -1};
  return node;
}

TEST(DependencyGraph, IsEmptyWithoutInput) {
  const DependencyGraph graph = DependencyGraph::Builder().Build();
  EXPECT_THAT(graph.nodes(), IsEmpty());
  EXPECT_THAT(graph.edges(), IsEmpty());
  EXPECT_FALSE(graph.has_tasks());
  EXPECT_EQ(graph.Find(0), DependencyGraph::kNoNode);
}

TEST(DependencyGraph, NodesAreTasksAndEndsOfEdgesInIdOrder) {
  DependencyGraph::Builder builder;
  builder.AddTask(TaskNode(9, 1));
  builder.AddTask(TaskNode(4, 2));
  builder.AddEdge(7, 4);
  const DependencyGraph graph = builder.Build();

  ASSERT_EQ(graph.nodes().size(), 3u);
  EXPECT_EQ(graph.nodes()[0].id, 4u);
  EXPECT_EQ(graph.nodes()[1].id, 7u);
  EXPECT_EQ(graph.nodes()[2].id, 9u);
  EXPECT_TRUE(graph.nodes()[0].is_task);
  EXPECT_FALSE(graph.nodes()[1].is_task);
  EXPECT_EQ(graph.task_count(), 2u);
  EXPECT_EQ(graph.Find(9), 2u);
  EXPECT_EQ(graph.Find(8), DependencyGraph::kNoNode);
}

TEST(DependencyGraph, TheLastDescriptionOfATaskWins) {
  DependencyGraph::Builder builder;
  builder.AddTask(TaskNode(5, 1));
  builder.AddTask(TaskNode(5, 2));
  const DependencyGraph graph = builder.Build();
  ASSERT_EQ(graph.nodes().size(), 1u);
  EXPECT_EQ(graph.nodes()[0].kernel_ids[0], 2);
  EXPECT_EQ(graph.task_count(), 1u);
}

TEST(DependencyGraph, KeepsTheFirstOfRepeatedEdgesAndCountsTheOthers) {
  DependencyGraph::Builder builder;
  for (const IdPair& edge : {IdPair(5, 6), {5, 6}, {1, 6}, {5, 6}, {6, 5}, {1, 6}}) {
    builder.AddEdge(edge.first, edge.second);
  }
  const DependencyGraph graph = builder.Build();
  EXPECT_THAT(EdgeIds(graph), ElementsAre(IdPair(5, 6), IdPair(1, 6), IdPair(6, 5)));
  EXPECT_EQ(graph.repeated_edge_count(), 3u);
}

TEST(DependencyGraph, KeepsSelfEdgesAndCountsThemOnce) {
  DependencyGraph::Builder builder;
  builder.AddEdge(2, 2);
  builder.AddEdge(1, 2);
  builder.AddEdge(2, 2);
  const DependencyGraph graph = builder.Build();
  EXPECT_THAT(EdgeIds(graph), ElementsAre(IdPair(2, 2), IdPair(1, 2)));
  EXPECT_EQ(graph.self_edge_count(), 1u);
}

TEST(DependencyGraph, NeighboursComeInEdgeOrder) {
  DependencyGraph::Builder builder;
  builder.AddEdge(1, 9);
  builder.AddEdge(1, 3);
  builder.AddEdge(4, 3);
  builder.AddEdge(1, 4);
  const DependencyGraph graph = builder.Build();  // nodes 1, 3, 4, 9
  EXPECT_THAT(graph.Successors(0), ElementsAre(3, 1, 2));
  EXPECT_THAT(graph.Predecessors(1), ElementsAre(0, 2));
  EXPECT_THAT(graph.Predecessors(0), IsEmpty());
}

TEST(DependencyGraph, AgreesWithADirectConstructionOnRandomGraphs) {
  for (uint64_t seed = 0; seed < 50; ++seed) {
    std::mt19937_64 random(seed);
    DependencyGraph::Builder builder;
    std::vector<IdPair> expected;
    for (int i = 0; i < 300; ++i) {
      const IdPair edge(random() % 4 << 32 | random() % 8, random() % 4 << 32 | random() % 8);
      builder.AddEdge(edge.first, edge.second);
      if (std::find(expected.begin(), expected.end(), edge) == expected.end()) {
        expected.push_back(edge);
      }
    }
    const DependencyGraph graph = builder.Build();
    EXPECT_THAT(EdgeIds(graph), ElementsAreArray(expected)) << "seed " << seed;
    EXPECT_EQ(graph.repeated_edge_count(), 300 - expected.size());
  }
}

}  // namespace
}  // namespace simpler::capture
