#include "analysis/formats/deps_writer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "analysis/formats/deps_reader.h"
#include "tests/support/capture_generator.h"

namespace simpler::formats {
namespace {

using capture::DependencyGraph;

std::string Written(const DependencyGraph& graph) {
  std::ostringstream out;
  EXPECT_TRUE(WriteDeps(graph, out).ok());
  return out.str();
}

void ExpectSame(const DependencyGraph& a, const DependencyGraph& b) {
  ASSERT_EQ(a.nodes().size(), b.nodes().size());
  for (size_t i = 0; i < a.nodes().size(); ++i) {
    const DependencyGraph::Node& x = a.nodes()[i];
    const DependencyGraph::Node& y = b.nodes()[i];
    EXPECT_EQ(x.id, y.id);
    EXPECT_EQ(x.is_task, y.is_task) << x.id;
    EXPECT_EQ(x.early_dispatch, y.early_dispatch) << x.id;
    EXPECT_EQ(x.has_kernels, y.has_kernels) << x.id;
    EXPECT_EQ(x.has_block_num, y.has_block_num) << x.id;
    EXPECT_EQ(x.kernel_ids, y.kernel_ids) << x.id;
    EXPECT_EQ(x.block_num, y.block_num) << x.id;
  }
  EXPECT_THAT(b.edges(), testing::ElementsAreArray(a.edges()));
  EXPECT_EQ(a.self_edge_count(), b.self_edge_count());
}

TEST(DepsWriterTest, ReadingBackGivesAnEqualGraph) {
  for (uint32_t seed = 1; seed <= 20; ++seed) {
    support::GeneratorOptions options;
    options.seed = seed;
    options.tasks = 100 * seed;
    const DependencyGraph graph = support::GenerateCapture(options).graph;
    const auto read = ParseDeps(JsonFile::FromText(Written(graph), "deps.json"));
    ASSERT_TRUE(read.ok()) << read.status();
    ExpectSame(graph, read->graph);
  }
}

TEST(DepsWriterTest, KeepsPresenceIdsBeyondDoublesAndSelfEdges) {
  DependencyGraph::Builder builder;
  DependencyGraph::Node bare;
  bare.id = UINT64_MAX;
  bare.has_block_num = true;
  builder.AddTask(bare);
  DependencyGraph::Node early;
  early.id = (uint64_t{1} << 53) + 1;
  early.has_block_num = true;
  early.early_dispatch = true;
  early.has_kernels = true;
  early.kernel_ids = {-1, 3, -1};
  builder.AddTask(early);
  builder.AddEdge(early.id, early.id);
  builder.AddEdge(7, bare.id);
  const DependencyGraph graph = builder.Build();
  const auto read = ParseDeps(JsonFile::FromText(Written(graph), "deps.json"));
  ASSERT_TRUE(read.ok()) << read.status();
  ExpectSame(graph, read->graph);
}

TEST(DepsWriterTest, ReportsAFailedStream) {
  std::ostringstream out;
  out.setstate(std::ios::badbit);
  EXPECT_EQ(WriteDeps(DependencyGraph::Builder().Build(), out).code(), absl::StatusCode::kDataLoss);
}

}  // namespace
}  // namespace simpler::formats
