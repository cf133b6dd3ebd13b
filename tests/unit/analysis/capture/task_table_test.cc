#include "analysis/capture/task_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/capture_builder.h"

namespace simpler::capture {
namespace {

using support::CaptureBuilder;
using ::testing::ElementsAre;

std::vector<Task> Fold(const Capture& capture) { return FoldTasks(*JoinedRun::Join(capture, 0)); }

TEST(TaskTable, FoldsAllRowsOfATask) {
  CaptureBuilder builder;
  builder.Cores({"aic", "aiv"})
      .Row(7, 0, {.dispatch = 2, .start = 3, .end = 10, .finish = 12})
      .Row(7, 1, {.dispatch = 1, .start = 4, .end = 9, .finish = 14})
      .Row(3, 1, {.dispatch = 20, .start = 21, .end = 22, .finish = 23});
  const Capture capture = builder.BuildCapture();
  const std::vector<Task> tasks = Fold(capture);

  ASSERT_EQ(tasks.size(), 2u);
  EXPECT_EQ(tasks[0].id, 3u);
  EXPECT_EQ(tasks[0].row_count, 1u);
  EXPECT_TRUE(tasks[0].RunsOn(CoreType::kAiv));
  EXPECT_FALSE(tasks[0].RunsOn(CoreType::kAic));
  EXPECT_EQ(tasks[1].id, 7u);
  EXPECT_EQ(tasks[1].first_row, 1u);
  EXPECT_EQ(tasks[1].row_count, 2u);
  EXPECT_TRUE(tasks[1].RunsOn(CoreType::kAic) && tasks[1].RunsOn(CoreType::kAiv));
  EXPECT_EQ(tasks[1].start, builder.Stamp(3));
  EXPECT_EQ(tasks[1].end, builder.Stamp(10));
  EXPECT_EQ(tasks[1].dispatch, builder.Stamp(1));
  EXPECT_EQ(tasks[1].finish, builder.Stamp(14));
}

TEST(TaskTable, UnstampedRowsDoNotTouchSchedulerTimes) {
  CaptureBuilder builder;
  builder.Cores({"aiv", "aiv"})
      .Row(1, 0, {.start = 3, .end = 10})
      .Row(1, 1, {.dispatch = 5, .start = 6, .end = 8, .finish = 9})
      .Row(2, 0, {.start = 20, .end = 30});
  const Capture capture = builder.BuildCapture();
  const std::vector<Task> tasks = Fold(capture);
  ASSERT_EQ(tasks.size(), 2u);
  EXPECT_TRUE(tasks[0].has_scheduler);
  EXPECT_EQ(tasks[0].dispatch, builder.Stamp(5));
  EXPECT_EQ(tasks[0].finish, builder.Stamp(9));
  EXPECT_EQ(tasks[0].start, builder.Stamp(3));
  EXPECT_FALSE(tasks[1].has_scheduler);
}

TEST(TaskTable, MatchesTasksAndNodesBothWays) {
  CaptureBuilder builder;
  builder.Cores({"aiv"})
      .Row(1, 0, {0, 1, 2, 3})
      .Row(5, 0, {4, 5, 6, 7})
      .Row(9, 0, {8, 9, 10, 11})
      .Edge(0, 5)
      .Edge(5, 9)
      .Edge(9, 12);
  const Capture capture = builder.BuildCapture();
  const TaskNodes match = MatchTasks(Fold(capture), builder.BuildGraph());  // nodes 0, 5, 9, 12
  EXPECT_THAT(match.node_of_task, ElementsAre(DependencyGraph::kNoNode, 1, 2));
  EXPECT_THAT(match.task_of_node, ElementsAre(TaskNodes::kNoTask, 1, 2, TaskNodes::kNoTask));
}

TEST(TaskTable, MatchingWithAnEmptyGraphFindsNothing) {
  CaptureBuilder builder;
  builder.Cores({"aiv"}).Row(1, 0, {0, 1, 2, 3});
  const Capture capture = builder.BuildCapture();
  const TaskNodes match = MatchTasks(Fold(capture), DependencyGraph());
  EXPECT_THAT(match.node_of_task, ElementsAre(DependencyGraph::kNoNode));
  EXPECT_TRUE(match.task_of_node.empty());
}

TEST(TaskTable, TheMakespanRunsFromTheFirstStartToTheLastEnd) {
  CaptureBuilder builder;
  builder.Cores({"aiv", "aiv"}).Row(1, 0, {0, 4, 20, 21}).Row(2, 1, {0, 2, 6, 7});
  const Capture capture = builder.BuildCapture();
  const std::optional<Window> window = Makespan(Fold(capture));
  ASSERT_TRUE(window.has_value());
  EXPECT_EQ(window->begin, builder.Stamp(2));
  EXPECT_EQ(window->end, builder.Stamp(20));
  EXPECT_EQ(window->length(), 18'000);
  EXPECT_FALSE(Makespan({}).has_value());
}

}  // namespace
}  // namespace simpler::capture
