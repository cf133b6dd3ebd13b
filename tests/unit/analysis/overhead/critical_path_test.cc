#include "analysis/overhead/critical_path.h"

#include <vector>

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
CaptureBuilder Ticks() {
  CaptureBuilder builder(1'000'000, 1'000'000);
  builder.Level(1).Cores({"aic", "aiv", "aiv", "aiv"});
  return builder;
}

CriticalPath Find(const CaptureBuilder& builder, CycleSpan tolerance = 2) {
  const PreparedRun run(builder);
  auto path = FindCriticalPath(run.inputs, {tolerance});
  EXPECT_TRUE(path.ok()) << path.status();
  return *std::move(path);
}

std::vector<uint64_t> Ids(const std::vector<PathTask>& tasks) {
  std::vector<uint64_t> ids;
  for (const PathTask& task : tasks) ids.push_back(task.id);
  return ids;
}

std::vector<CycleSpan> Stalls(const ObservedPath& path) {
  std::vector<CycleSpan> stalls;
  for (const PathTask& task : path.tasks) stalls.push_back(task.stall);
  return stalls;
}

std::vector<StallCause> Causes(const ObservedPath& path) {
  std::vector<StallCause> causes;
  for (const PathTask& task : path.tasks) causes.push_back(task.cause.value());
  return causes;
}

constexpr StallCause kFront = StallCause::kFrontGap;
constexpr StallCause kData = StallCause::kDataWait;
constexpr StallCause kCore = StallCause::kCoreWait;

TEST(CriticalPathTest, A119ChainWithCoreMate) {
  const CriticalPath path = Find(Ticks()
                                     .Row(1, 0, {.start = 100, .end = 200})
                                     .Row(2, 0, {.start = 205, .end = 300})
                                     .Row(3, 1, {.start = 100, .end = 240})
                                     .Row(4, 1, {.start = 310, .end = 400})
                                     .Edge(1, 2)
                                     .Edge(2, 4)
                                     .Edge(3, 4));
  EXPECT_EQ(path.kept_edges, 3u);
  EXPECT_EQ(path.static_path.length, 285);
  EXPECT_THAT(Ids(path.static_path.tasks), ElementsAre(1, 2, 4));
  EXPECT_THAT(Ids(path.observed.tasks), ElementsAre(1, 2, 4));
  EXPECT_THAT(Stalls(path.observed), ElementsAre(0, 5, 10));
  EXPECT_THAT(Causes(path.observed), ElementsAre(kFront, kData, kData));
  EXPECT_EQ(path.observed.makespan, 300);
  EXPECT_EQ(path.observed.compute, 285);
  EXPECT_EQ(path.observed.stall, 15);
  EXPECT_EQ(path.observed.ByCause(kData), 15);
}

TEST(CriticalPathTest, A120ProducerWithinToleranceOfTheStart) {
  const CriticalPath path = Find(Ticks()
                                     .Row(1, 0, {.start = 100, .end = 200})
                                     .Row(2, 0, {.start = 202, .end = 300})
                                     .Row(3, 1, {.start = 90, .end = 201})
                                     .Edge(1, 2)
                                     .Edge(3, 2));
  EXPECT_THAT(Ids(path.static_path.tasks), ElementsAre(3, 2));
  EXPECT_EQ(path.static_path.length, 209);
  EXPECT_THAT(Ids(path.observed.tasks), ElementsAre(3, 2));
  EXPECT_THAT(Stalls(path.observed), ElementsAre(0, 1));
  EXPECT_THAT(Causes(path.observed), ElementsAre(kFront, kData));
}

TEST(CriticalPathTest, A121CoreHandOverWithoutEdge) {
  const CriticalPath path =
      Find(Ticks().Row(1, 0, {.start = 100, .end = 200}).Row(2, 0, {.start = 202, .end = 300}));
  EXPECT_THAT(Ids(path.observed.tasks), ElementsAre(1, 2));
  EXPECT_THAT(Causes(path.observed), ElementsAre(kFront, kCore));
  EXPECT_EQ(path.observed.ByCause(kCore), 2);
  EXPECT_THAT(Ids(path.static_path.tasks), ElementsAre(1));
  EXPECT_EQ(path.static_path.length, 100);
}

TEST(CriticalPathTest, A122EdgeAgainstTheTimingIsDropped) {
  const CriticalPath path = Find(Ticks()
                                     .Row(1, 0, {.start = 50, .end = 200})
                                     .Row(2, 1, {.start = 100, .end = 300})
                                     .Edge(1, 2));
  EXPECT_EQ(path.kept_edges, 0u);
  EXPECT_THAT(Ids(path.observed.tasks), ElementsAre(2));
  EXPECT_THAT(Causes(path.observed), ElementsAre(kFront));
  EXPECT_EQ(path.observed.ByCause(kFront), 50);
}

TEST(CriticalPathTest, A123OverlapUpToTheToleranceKeepsTheEdge) {
  const CaptureBuilder builder = Ticks()
                                     .Row(1, 0, {.start = 100, .end = 200})
                                     .Row(2, 1, {.start = 198, .end = 300})
                                     .Edge(1, 2);
  const CriticalPath kept = Find(builder, 2);
  EXPECT_EQ(kept.kept_edges, 1u);
  EXPECT_EQ(kept.static_path.length, 202);  // counts the overlap twice
  EXPECT_EQ(kept.observed.makespan, 200);
  EXPECT_EQ(kept.observed.compute, 200);  // does not
  EXPECT_EQ(Find(builder, 1).kept_edges, 0u);
}

TEST(CriticalPathTest, A124EqualStartsDropTheEdge) {
  const CriticalPath path = Find(Ticks()
                                     .Row(1, 0, {.start = 100, .end = 100})
                                     .Row(2, 1, {.start = 100, .end = 150})
                                     .Edge(1, 2));
  EXPECT_EQ(path.kept_edges, 0u);
}

TEST(CriticalPathTest, A125RowsFoldIntoOneTaskAndRepeatedEdgesCountOnce) {
  const CriticalPath path = Find(Ticks()
                                     .Row(1, 0, {.start = 100, .end = 200})
                                     .Row(1, 1, {.start = 110, .end = 260})
                                     .Row(2, 2, {.start = 270, .end = 300})
                                     .Edge(1, 2)
                                     .Edge(1, 2));
  EXPECT_EQ(path.kept_edges, 1u);
  EXPECT_EQ(path.static_path.length, 190);
  EXPECT_EQ(path.static_path.tasks.front().compute, 160);
  EXPECT_EQ(path.observed.ByCause(kData), 10);
}

TEST(CriticalPathTest, A126LongTaskBeatsTheChain) {
  const CriticalPath path = Find(Ticks()
                                     .Row(1, 0, {.start = 100, .end = 400})
                                     .Row(2, 1, {.start = 110, .end = 240})
                                     .Row(3, 1, {.start = 250, .end = 380})
                                     .Edge(2, 3));
  EXPECT_THAT(Ids(path.observed.tasks), ElementsAre(1));
  EXPECT_EQ(path.observed.compute, 300);
}

TEST(CriticalPathTest, A131PathTasksAreMarkedForTheTimeline) {
  const PreparedRun run(Ticks()
                            .Row(1, 0, {.start = 0, .end = 10})
                            .Row(2, 1, {.start = 0, .end = 19})
                            .Row(3, 1, {.start = 20, .end = 30})
                            .Edge(1, 3));
  const auto path = FindCriticalPath(run.inputs);
  ASSERT_TRUE(path.ok());
  EXPECT_THAT(OnPath(path->static_path.tasks, run.inputs.tasks.size()),
              ElementsAre(true, false, true));
  EXPECT_THAT(OnPath(path->observed.tasks, run.inputs.tasks.size()),
              ElementsAre(false, true, true));
}

TEST(CriticalPathTest, EmptyRunHasEmptyPaths) {
  const CriticalPath path = Find(Ticks().Edge(1, 2));
  EXPECT_TRUE(path.static_path.tasks.empty());
  EXPECT_TRUE(path.observed.tasks.empty());
  EXPECT_EQ(path.observed.makespan, 0);
}

TEST(CriticalPathTest, WithoutGraphThereIsNoPath) {
  const capture::Capture capture = Ticks().Row(1, 0, {.start = 0, .end = 10}).BuildCapture();
  const auto rows = capture::JoinedRun::Join(capture, 0);
  ASSERT_TRUE(rows.ok());
  const auto inputs = OverheadInputs::Prepare(*rows, nullptr);
  ASSERT_TRUE(inputs.ok());
  const auto path = FindCriticalPath(*inputs);
  ASSERT_EQ(path.status().code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(std::string(path.status().message()), HasSubstr("deps.json"));
}

TEST(CriticalPathTest, SelfEdgesAreIgnored) {
  const CriticalPath path = Find(Ticks().Row(1, 0, {.start = 0, .end = 10}).Edge(1, 1));
  EXPECT_EQ(path.kept_edges, 0u);
  EXPECT_EQ(path.static_path.length, 10);
}

// "10" sorts before "9" as text, so 9 is the larger id.
TEST(CriticalPathTest, ProducersThatEndTogetherAreComparedAsDecimalText) {
  const CriticalPath path = Find(Ticks()
                                     .Row(9, 0, {.start = 0, .end = 10})
                                     .Row(10, 1, {.start = 0, .end = 10})
                                     .Row(11, 2, {.start = 15, .end = 20})
                                     .Edge(9, 11)
                                     .Edge(10, 11));
  EXPECT_THAT(Ids(path.observed.tasks), ElementsAre(9, 11));
}

TEST(CriticalPathTest, ProducerThatIsAlsoTheCoresPreviousOccupantIsDataWait) {
  const CriticalPath path = Find(
      Ticks().Row(1, 0, {.start = 0, .end = 10}).Row(2, 0, {.start = 15, .end = 20}).Edge(1, 2));
  EXPECT_THAT(Causes(path.observed), ElementsAre(kFront, kData));
}

TEST(CriticalPathTest, PreviousOccupantIsTheOneThatEndedLastNotTheLastToStart) {
  const CriticalPath path = Find(Ticks()
                                     .Row(1, 0, {.start = 0, .end = 30})
                                     .Row(2, 0, {.start = 5, .end = 10})
                                     .Row(3, 0, {.start = 31, .end = 40}));
  EXPECT_THAT(Ids(path.observed.tasks), ElementsAre(1, 3));
}

TEST(CriticalPathTest, OnlyTheCoreTheTaskBeganOnCanHaveHeldItUp) {
  const CriticalPath path = Find(Ticks()
                                     .Row(1, 1, {.start = 0, .end = 12})
                                     .Row(2, 0, {.start = 10, .end = 30})
                                     .Row(2, 1, {.start = 13, .end = 20}));
  EXPECT_THAT(Ids(path.observed.tasks), ElementsAre(2));
  EXPECT_EQ(path.observed.ByCause(kFront), 10);
}

// Task 2 comes first in the capture although its id is larger.
TEST(CriticalPathTest, OfTasksThatEndTogetherTheFirstRecordedEndsThePath) {
  const CriticalPath path =
      Find(Ticks().Row(2, 0, {.start = 0, .end = 10}).Row(1, 1, {.start = 0, .end = 10}));
  EXPECT_THAT(Ids(path.observed.tasks), ElementsAre(2));
  EXPECT_THAT(Ids(path.static_path.tasks), ElementsAre(2));
}

TEST(CriticalPathTest, StampsAtTheEndOfTheClockDoNotOverflow) {
  CaptureBuilder builder(1'000'000, INT64_MAX - 100);
  builder.Level(1).Cores({"aic"});
  builder.Row(1, 0, {.start = 0, .end = 50}).Row(2, 0, {.start = 60, .end = 100}).Edge(1, 2);
  EXPECT_EQ(Find(builder).observed.makespan, 100);
}

}  // namespace
}  // namespace simpler::overhead
