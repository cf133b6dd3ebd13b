#include "analysis/capture/spmd.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "tests/support/capture_builder.h"

namespace simpler::capture {
namespace {

using ::testing::ElementsAre;

// Rows 1: {aiv, aiv}, 2: {aic, aiv}, 3: {aiv}, 4: {aiv, aiv}.
support::CaptureBuilder FourTasks() {
  support::CaptureBuilder builder;
  builder.Cores({"aic", "aiv", "aiv"})
      .Row(1, 1, {0, 1, 2, 3})
      .Row(1, 2, {0, 1, 2, 3})
      .Row(2, 0, {4, 5, 6, 7})
      .Row(2, 1, {4, 5, 6, 7})
      .Row(3, 1, {8, 9, 10, 11})
      .Row(4, 1, {12, 13, 14, 15})
      .Row(4, 2, {12, 13, 14, 15});
  return builder;
}

std::vector<bool> SpmdFlags(const support::CaptureBuilder& builder) {
  const Capture capture = builder.BuildCapture();
  const DependencyGraph graph = builder.BuildGraph();
  const std::vector<Task> tasks = FoldTasks(*JoinedRun::Join(capture, 0));
  return SpmdTasks(tasks, graph, MatchTasks(tasks, graph));
}

TEST(Spmd, CaseA36TheBlockCountIsAuthoritative) {
  support::CaptureBuilder builder = FourTasks();
  builder.Node(4, {-1, 1, -1}, 1).Node(9, {-1, 1, -1}, 2);
  EXPECT_THAT(SpmdFlags(builder), ElementsAre(true, false, false, false));
  const DependencyGraph graph = builder.BuildGraph();
  EXPECT_FALSE(IsSpmdNode(graph.nodes()[graph.Find(4)]));
  EXPECT_TRUE(IsSpmdNode(graph.nodes()[graph.Find(9)]));
}

TEST(Spmd, CaseA36RowsDecideWithoutAGraph) {
  support::CaptureBuilder builder;
  builder.Cores({"aiv", "aiv"}).Row(1, 0, {0, 1, 2, 3}).Row(1, 1, {0, 1, 2, 3});
  EXPECT_THAT(SpmdFlags(builder), ElementsAre(true));
}

TEST(Spmd, AnEndOfAnEdgeWithoutDescriptionIsJudgedByItsRows) {
  support::CaptureBuilder builder = FourTasks();
  builder.Edge(1, 3);
  EXPECT_THAT(SpmdFlags(builder), ElementsAre(true, false, false, true));
}

}  // namespace
}  // namespace simpler::capture
