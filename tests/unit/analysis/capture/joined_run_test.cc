#include "analysis/capture/joined_run.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <random>
#include <utility>
#include <vector>

#include "tests/support/capture_builder.h"

namespace simpler::capture {
namespace {

using support::CaptureBuilder;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::vector<uint64_t> TaskIds(const JoinedRun& rows) {
  std::vector<uint64_t> ids;
  for (size_t i = 0; i < rows.size(); ++i) ids.push_back(rows.task_id(i));
  return ids;
}

std::vector<std::pair<CoreId, uint64_t>> Counts(const std::vector<JoinReport::CoreCount>& worst) {
  std::vector<std::pair<CoreId, uint64_t>> counts;
  for (const auto& [core, count] : worst) counts.emplace_back(core, count);
  return counts;
}

TEST(JoinedRun, JoinsStreamsInTheSameOrder) {
  CaptureBuilder builder;
  builder.Cores({"aic", "aiv"})
      .Row(4, 0, {.dispatch = 0.2, .start = 1, .end = 6, .finish = 7, .receive = 0.5})
      .Row(5, 1, {.dispatch = 0, .start = 2, .end = 12, .finish = 14, .receive = 1.5})
      .Row(6, 0, {.dispatch = 7, .start = 8, .end = 9, .finish = 10});
  const Capture capture = builder.BuildCapture();
  const auto rows = JoinedRun::Join(capture, 0);
  ASSERT_TRUE(rows.ok()) << rows.status();
  ASSERT_EQ(rows->size(), 3u);
  EXPECT_EQ(rows->core(1), 1);
  EXPECT_EQ(rows->type(0), CoreType::kAic);
  EXPECT_EQ(rows->type(1), CoreType::kAiv);
  EXPECT_EQ(rows->reg_task_id(2), 1u);
  EXPECT_EQ(rows->start(1), builder.Stamp(2));
  EXPECT_EQ(rows->end(1), builder.Stamp(12));
  EXPECT_EQ(rows->dispatch(1), builder.Stamp(0));
  EXPECT_EQ(rows->finish(1), builder.Stamp(14));
  EXPECT_TRUE(rows->has_receive(1));
  EXPECT_EQ(rows->receive(1), builder.Stamp(1.5));
  EXPECT_FALSE(rows->has_receive(2));
  EXPECT_EQ(rows->receive(2), builder.Stamp(8));
}

// Every order of the two streams must give the pairs that the keys say.
TEST(JoinedRun, JoinsShuffledStreamsOfManyBlocksByKey) {
  for (uint64_t seed = 0; seed < 20; ++seed) {
    std::mt19937_64 random(seed);
    std::vector<std::pair<CoreId, uint32_t>> aicore_order, scheduler_order;
    for (CoreId core = 0; core < 5; ++core) {
      for (uint32_t token = 0; token < 9; ++token) aicore_order.emplace_back(core, token);
    }
    scheduler_order = aicore_order;
    std::shuffle(aicore_order.begin(), aicore_order.end(), random);
    std::shuffle(scheduler_order.begin(), scheduler_order.end(), random);

    const auto time_of = [](CoreId core, uint32_t token) { return core * 100.0 + token; };
    CaptureBuilder builder;
    builder.Cores({"aiv", "aiv", "aiv", "aiv", "aiv"}).BlockSize(1 + seed % 4);
    for (const auto& [core, token] : aicore_order) {
      const double time = time_of(core, token);
      builder.Row(core * 100u + token, core,
                  {.start = time, .end = time + 1, .reg_task_id = token});
    }
    for (const auto& [core, token] : scheduler_order) {
      builder.SchedulerRow(core, token, time_of(core, token), time_of(core, token) + 2);
    }
    const Capture capture = builder.BuildCapture();
    const auto rows = JoinedRun::Join(capture, 0);
    ASSERT_TRUE(rows.ok()) << rows.status();
    ASSERT_EQ(rows->size(), 45u);
    for (size_t i = 0; i < rows->size(); ++i) {
      ASSERT_TRUE(rows->has_scheduler(i));
      EXPECT_EQ(rows->dispatch(i), rows->start(i));
      EXPECT_EQ(rows->finish(i) - rows->end(i), 1000);
      EXPECT_EQ(rows->task_id(i), rows->core(i) * 100u + rows->reg_task_id(i));
    }
    const std::vector<uint64_t> ids = TaskIds(*rows);
    EXPECT_TRUE(std::is_sorted(ids.begin(), ids.end()));
    EXPECT_EQ(rows->report().aicore_rows_without_scheduler, 0u);
    EXPECT_EQ(rows->report().scheduler_rows_without_aicore, 0u);
  }
}

TEST(JoinedRun, RowsOfATaskFollowTheSchedulerStreamAndUnstampedOnesComeLast) {
  CaptureBuilder builder;
  builder.Cores({"aiv", "aiv", "aiv"})
      .Row(1, 0, {.start = 1, .end = 2})
      .Row(1, 1, {.start = 1, .end = 2})
      .Row(1, 2, {.start = 1, .end = 2})
      .SchedulerRow(2, 0, 0, 3)
      .SchedulerRow(1, 0, 0, 3);
  const Capture capture = builder.BuildCapture();
  const auto rows = JoinedRun::Join(capture, 0);
  ASSERT_TRUE(rows.ok()) << rows.status();
  ASSERT_EQ(rows->size(), 3u);
  EXPECT_EQ(rows->core(0), 2);
  EXPECT_EQ(rows->core(1), 1);
  EXPECT_EQ(rows->core(2), 0);
  EXPECT_FALSE(rows->has_scheduler(2));
  EXPECT_EQ(rows->report().aicore_rows_without_scheduler, 1u);
  EXPECT_THAT(Counts(rows->report().worst_aicore_cores), ElementsAre(std::pair(0, 1u)));
}

TEST(JoinedRun, CaseA4ReportsSchedulerRowsWithoutCoreRows) {
  CaptureBuilder builder;
  builder.Cores({"aiv", "aiv"})
      .Row(4, 0, {0.2, 1, 6, 7})
      .SchedulerRow(1, 7, 0, 1)
      .SchedulerRow(0, 9, 0, 1)
      .SchedulerRow(1, 8, 0, 1);
  const Capture capture = builder.BuildCapture();
  const auto rows = JoinedRun::Join(capture, 0);
  ASSERT_TRUE(rows.ok()) << rows.status();
  EXPECT_EQ(rows->size(), 1u);
  EXPECT_EQ(rows->report().scheduler_rows_without_aicore, 3u);
  EXPECT_THAT(Counts(rows->report().worst_scheduler_cores),
              ElementsAre(std::pair(1, 2u), std::pair(0, 1u)));
}

TEST(JoinedRun, TheReportNamesThreeCoresAtMost) {
  CaptureBuilder builder;
  builder.Cores({"aiv", "aiv", "aiv", "aiv"});
  for (const auto& [core, rows] : std::map<CoreId, uint32_t>{{0, 1}, {1, 3}, {2, 2}, {3, 3}}) {
    for (uint32_t token = 0; token < rows; ++token) builder.SchedulerRow(core, token, 0, 1);
  }
  const Capture capture = builder.BuildCapture();
  const auto rows = JoinedRun::Join(capture, 0);
  ASSERT_TRUE(rows.ok()) << rows.status();
  EXPECT_TRUE(rows->empty());
  EXPECT_THAT(Counts(rows->report().worst_scheduler_cores),
              ElementsAre(std::pair(1, 3u), std::pair(3, 3u), std::pair(2, 2u)));
}

TEST(JoinedRun, CaseA7RefusesDuplicateCoreRows) {
  for (const bool with_scheduler_row : {false, true}) {
    CaptureBuilder builder;
    builder.Cores({"aiv"})
        .Row(1, 0, {.start = 1, .end = 2, .reg_task_id = 6})
        .Row(2, 0, {.start = 3, .end = 4, .reg_task_id = 6});
    if (with_scheduler_row) builder.SchedulerRow(0, 6, 0, 1);
    const Capture capture = builder.BuildCapture();
    const auto rows = JoinedRun::Join(capture, 0);
    ASSERT_EQ(rows.status().code(), absl::StatusCode::kInvalidArgument);
    EXPECT_THAT(std::string(rows.status().message()),
                AllOf(HasSubstr("duplicate"), HasSubstr("core_id 0"), HasSubstr("reg_task_id 6"),
                      HasSubstr("aicore_tasks")));
  }
}

TEST(JoinedRun, RefusesDuplicateSchedulerRows) {
  CaptureBuilder builder;
  builder.Cores({"aiv", "aiv"})
      .Row(1, 1, {0, 1, 2, 3})
      .Row(2, 0, {4, 5, 6, 7})
      .SchedulerRow(1, 0, 4, 7);
  const Capture capture = builder.BuildCapture();
  const auto rows = JoinedRun::Join(capture, 0);
  ASSERT_EQ(rows.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(rows.status().message()), HasSubstr("duplicate scheduler_tasks"));
}

TEST(JoinedRun, CaseA10OneTaskTwiceOnOneCoreKeepsBothRows) {
  CaptureBuilder builder;
  builder.Cores({"aiv"}).Row(4, 0, {0.0, 1, 6, 7}).Row(4, 0, {0.8, 6.2, 8, 9});
  const Capture capture = builder.BuildCapture();
  const auto rows = JoinedRun::Join(capture, 0);
  ASSERT_TRUE(rows.ok()) << rows.status();
  ASSERT_EQ(rows->size(), 2u);
  EXPECT_EQ(rows->dispatch(0), builder.Stamp(0.0));
  EXPECT_EQ(rows->start(1), builder.Stamp(6.2));
  EXPECT_EQ(rows->dispatch(1), builder.Stamp(0.8));
}

TEST(JoinedRun, CaseA11KeepsCoreRowsWithoutSchedulerRows) {
  CaptureBuilder builder;
  builder.Level(2).Cores({"aiv", "aiv"}).Row(1, 0, {0, 1, 2, 3}).Row(2, 1, {.start = 4, .end = 5});
  const Capture capture = builder.BuildCapture();
  const auto rows = JoinedRun::Join(capture, 0);
  ASSERT_TRUE(rows.ok()) << rows.status();
  EXPECT_THAT(TaskIds(*rows), ElementsAre(1, 2));
  EXPECT_EQ(rows->report().aicore_rows_without_scheduler, 1u);
  EXPECT_THAT(Counts(rows->report().worst_aicore_cores), ElementsAre(std::pair(1, 1u)));
}

TEST(JoinedRun, OnlyLevelOneExpectsNoSchedulerRows) {
  CaptureBuilder builder;
  builder.Cores({"aiv"}).Row(2, 0, {.start = 4, .end = 5}).Row(1, 0, {.start = 6, .end = 7});
  for (const int level : {1, 2}) {
    const Capture capture = builder.Level(level).BuildCapture();
    const auto rows = JoinedRun::Join(capture, 0);
    ASSERT_TRUE(rows.ok()) << rows.status();
    EXPECT_THAT(TaskIds(*rows), ElementsAre(1, 2));
    EXPECT_FALSE(rows->has_scheduler(0));
    EXPECT_EQ(rows->report().aicore_rows_without_scheduler, level == 1 ? 0u : 2u);
  }
}

TEST(JoinedRun, LevelOneReportsNothingEvenWhenTokensAreOutOfOrder) {
  CaptureBuilder builder;
  builder.Level(1)
      .Cores({"aiv"})
      .Row(2, 0, {.start = 4, .end = 5, .reg_task_id = 3})
      .Row(1, 0, {.start = 6, .end = 7, .reg_task_id = 1});
  const Capture capture = builder.BuildCapture();
  const auto rows = JoinedRun::Join(capture, 0);
  ASSERT_TRUE(rows.ok()) << rows.status();
  EXPECT_THAT(TaskIds(*rows), ElementsAre(1, 2));
  EXPECT_EQ(rows->report().aicore_rows_without_scheduler, 0u);
  EXPECT_THAT(rows->report().worst_aicore_cores, IsEmpty());
}

TEST(JoinedRun, RunsOfOneFileAreJoinedApart) {
  CaptureBuilder builder;
  builder.Cores({"aiv"}).NextRun(3).Row(1, 0, {0, 1, 2, 3}).Row(2, 0, {4, 5, 6, 7});
  builder.NextRun(4).Row(1, 0, {10, 11, 12, 13});
  const Capture capture = builder.BuildCapture();
  ASSERT_EQ(capture.runs.size(), 2u);
  EXPECT_EQ(capture.runs[1].epoch, 4);
  const auto second = JoinedRun::Join(capture, 1);
  ASSERT_TRUE(second.ok()) << second.status();
  EXPECT_EQ(second->run_index(), 1u);
  ASSERT_EQ(second->size(), 1u);
  EXPECT_EQ(second->reg_task_id(0), 0u);
  EXPECT_EQ(second->dispatch(0), builder.Stamp(10));
}

TEST(JoinedRun, RefusesARunThatDoesNotExist) {
  const Capture capture = CaptureBuilder().BuildCapture();
  EXPECT_EQ(JoinedRun::Join(capture, 1).status().code(), absl::StatusCode::kOutOfRange);
}

TEST(JoinedRun, AnEmptyRunIsLegal) {
  const Capture capture = CaptureBuilder().BuildCapture();
  const auto rows = JoinedRun::Join(capture, 0);
  ASSERT_TRUE(rows.ok()) << rows.status();
  EXPECT_TRUE(rows->empty());
}

}  // namespace
}  // namespace simpler::capture
