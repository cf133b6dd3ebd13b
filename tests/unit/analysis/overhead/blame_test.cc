#include "analysis/overhead/blame.h"

#include <array>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/prepared_run.h"

namespace simpler::overhead {
namespace {

using capture::CycleSpan;
using support::CaptureBuilder;
using support::PreparedRun;
using testing::ElementsAre;
using testing::HasSubstr;

// One cycle per µs, so spans read as the times given to Row.
CaptureBuilder Ticks(const std::vector<std::string>& cores) {
  CaptureBuilder builder(1'000'000, 1'000'000);
  builder.Cores(cores);
  return builder;
}

// Blame of the last task on the observed path, in the order of BlameClass. Checks the identity.
BlameSpans BlameOfLastTask(const CaptureBuilder& builder) {
  const PreparedRun run(builder);
  const auto path = FindCriticalPath(run.inputs);
  EXPECT_TRUE(path.ok()) << path.status();
  const auto blame = BlameObservedPath(run.inputs, path->observed);
  EXPECT_TRUE(blame.ok()) << blame.status();
  CycleSpan sum = blame->compute;
  for (CycleSpan span : blame->classes) sum += span;
  EXPECT_EQ(sum, path->observed.makespan);
  return blame->by_task.back();
}

//                       front, data_wait, core_wait, pickup, detection, dispatch_latency
auto Spans(CycleSpan front, CycleSpan data_wait, CycleSpan core_wait, CycleSpan pickup,
           CycleSpan detection, CycleSpan dispatch_latency) {
  return ElementsAre(front, data_wait, core_wait, pickup, detection, dispatch_latency);
}

TEST(BlameTest, HeadOfThePathIsFrontUntilDispatchedThenPickup) {
  const auto builder = Ticks({"aic", "aic"})
                           .Row(1, 0, {.dispatch = 0, .start = 0, .end = 5, .finish = 6})
                           .Row(2, 1, {.dispatch = 8, .start = 20, .end = 30, .finish = 31});
  EXPECT_THAT(BlameOfLastTask(builder), Spans(8, 0, 0, 12, 0, 0));
}

TEST(BlameTest, GapAfterAProducerIsDetectionThenLatencyThenPickup) {
  const auto builder = Ticks({"aic", "aic"})
                           .Row(1, 0, {.dispatch = 0, .start = 0, .end = 10, .finish = 13})
                           .Row(2, 1, {.dispatch = 18, .start = 20, .end = 30, .finish = 31})
                           .Edge(1, 2);
  EXPECT_THAT(BlameOfLastTask(builder), Spans(0, 0, 0, 2, 3, 5));
}

// Row 3 keeps the only AIC core taken from its dispatch at 11 and overlaps the start of task 2.
TEST(BlameTest, TakenCoreIsCoreWaitBeforeAndAfterDispatch) {
  const auto builder = Ticks({"aic", "aiv"})
                           .Row(1, 1, {.dispatch = 0, .start = 0, .end = 10, .finish = 12})
                           .Row(3, 0, {.dispatch = 11, .start = 12, .end = 30, .finish = 31})
                           .Row(2, 0, {.dispatch = 15, .start = 20, .end = 40, .finish = 41})
                           .Edge(1, 2);
  EXPECT_THAT(BlameOfLastTask(builder), Spans(0, 0, 4 + 5, 0, 1, 0));
}

// Task 3 executes only later, but its dispatch at 12 takes the slot that task 2 needed.
TEST(BlameTest, OutstandingDispatchTakesTheCoreThoughItIdles) {
  const PreparedRun run(Ticks({"aic", "aiv"})
                            .Row(1, 1, {.dispatch = 0, .start = 0, .end = 10, .finish = 10})
                            .Row(2, 0, {.dispatch = 18, .start = 20, .end = 28, .finish = 29})
                            .Row(3, 0, {.dispatch = 12, .start = 30, .end = 31, .finish = 32})
                            .Edge(1, 2));
  const auto path = FindCriticalPath(run.inputs);
  ASSERT_TRUE(path.ok());
  ASSERT_EQ(path->observed.tasks.size(), 3u);
  const auto blame = BlameObservedPath(run.inputs, path->observed);
  ASSERT_TRUE(blame.ok());
  EXPECT_THAT(blame->by_task[1], Spans(0, 0, 6, 2, 0, 2));
  EXPECT_THAT(blame->by_task[2], Spans(0, 0, 0, 2, 0, 0));
  EXPECT_EQ(blame->compute, 10 + 8 + 1);
  EXPECT_EQ(blame->Class(BlameClass::kCoreWait), 6);
}

// A dummy's marker is the end of the data wait, and nobody has to detect it.
TEST(BlameTest, ProducerRetiredByAMarkerIsDataWaitWithoutDetection) {
  const auto builder = Ticks({"aic", "aic"})
                           .Row(1, 0, {.dispatch = 0, .start = 0, .end = 5, .finish = 6})
                           .Row(2, 1, {.dispatch = 17, .start = 20, .end = 30, .finish = 31})
                           .Node(9, {-1, -1, -1})
                           .Phase(0, capture::PhaseKind::kDummyTask, 14, 15, {.task_id = 9})
                           .Edge(9, 2);
  EXPECT_THAT(BlameOfLastTask(builder), Spans(0, 15, 0, 3, 0, 2));
}

TEST(BlameTest, ConsumerThatStartsBeforeItsProducerEndsWaitsForDataThroughout) {
  const auto builder = Ticks({"aic", "aic"})
                           .Row(1, 0, {.dispatch = 0, .start = 0, .end = 25, .finish = 26})
                           .Row(2, 1, {.dispatch = 10, .start = 20, .end = 30, .finish = 31})
                           .Edge(1, 2);
  EXPECT_THAT(BlameOfLastTask(builder), Spans(0, 20, 0, 0, 0, 0));
}

// The AIV core is free, the AIC core is taken until 16: a MIX task needs both.
TEST(BlameTest, MixTaskWaitsWhenEitherEngineHasNoFreeCore) {
  const auto builder = Ticks({"aic", "aiv", "aiv"})
                           .Row(1, 2, {.dispatch = 0, .start = 0, .end = 10, .finish = 10})
                           .Row(3, 0, {.dispatch = 0, .start = 0, .end = 16, .finish = 17})
                           .Row(2, 1, {.dispatch = 18, .start = 20, .end = 30, .finish = 31})
                           .Row(2, 0, {.dispatch = 18, .start = 21, .end = 30, .finish = 31})
                           .Edge(1, 2);
  EXPECT_THAT(BlameOfLastTask(builder), Spans(0, 0, 6, 2, 0, 2));
}

TEST(BlameTest, OfProducersThatEndTogetherTheLargerIdIsDetectedLast) {
  const auto builder = Ticks({"aic", "aic", "aic"})
                           .Row(1, 0, {.dispatch = 0, .start = 0, .end = 10, .finish = 19})
                           .Row(2, 1, {.dispatch = 0, .start = 0, .end = 10, .finish = 14})
                           .Row(3, 2, {.dispatch = 20, .start = 20, .end = 30, .finish = 31})
                           .Edge(1, 3)
                           .Edge(2, 3);
  EXPECT_THAT(BlameOfLastTask(builder), Spans(0, 0, 0, 0, 4, 6));
}

// The worked example of docs/critical-path.md.
TEST(BlameTest, CauseOfAGapIsNotWhatFillsIt) {
  const PreparedRun run(Ticks({"aic", "aic"})
                            .Row(1, 0, {.dispatch = 0, .start = 1, .end = 10, .finish = 13})
                            .Row(2, 1, {.dispatch = 0, .start = 1, .end = 22, .finish = 24})
                            .Row(3, 1, {.dispatch = 16, .start = 24, .end = 30, .finish = 33})
                            .Row(4, 0, {.dispatch = 37, .start = 38, .end = 45, .finish = 46})
                            .Edge(1, 3)
                            .Edge(3, 4));
  const auto path = FindCriticalPath(run.inputs);
  ASSERT_TRUE(path.ok());
  EXPECT_EQ(path->static_path.length, 22);
  EXPECT_EQ(path->observed.makespan, 44);
  EXPECT_EQ(path->observed.ByCause(StallCause::kCoreWait), 2);
  EXPECT_EQ(path->observed.ByCause(StallCause::kDataWait), 8);
  const auto blame = BlameObservedPath(run.inputs, path->observed);
  ASSERT_TRUE(blame.ok());
  EXPECT_EQ(blame->compute, 34);
  EXPECT_THAT(blame->classes, Spans(0, 0, 0, 3, 3, 4));
}

TEST(BlameTest, WithoutDispatchStampsThereIsNoBlame) {
  const PreparedRun run(Ticks({"aic"}).Level(1).Row(1, 0, {.start = 0, .end = 5}));
  const auto path = FindCriticalPath(run.inputs);
  ASSERT_TRUE(path.ok());
  const auto blame = BlameObservedPath(run.inputs, path->observed);
  ASSERT_EQ(blame.status().code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(std::string(blame.status().message()), HasSubstr("level 2"));
}

TEST(BlameTest, EmptyPathHasNothingToBlame) {
  const PreparedRun run(Ticks({"aic"}));
  const auto blame = BlameObservedPath(run.inputs, ObservedPath{});
  ASSERT_TRUE(blame.ok());
  EXPECT_THAT(blame->classes, Spans(0, 0, 0, 0, 0, 0));
}

}  // namespace
}  // namespace simpler::overhead
