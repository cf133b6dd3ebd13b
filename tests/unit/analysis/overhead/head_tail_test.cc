#include "analysis/overhead/head_tail.h"

#include <vector>

#include "analysis/overhead/analyze_overhead.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/capture_builder.h"
#include "tests/support/prepared_run.h"

namespace simpler::overhead {
namespace {

using capture::CycleSpan;
using capture::DeviceCycles;
using support::CaptureBuilder;
using support::PreparedRun;

HeadTail Measure(const CaptureBuilder& builder) {
  const PreparedRun run(builder);
  return MeasureHeadTail(run.inputs.core_rows);
}

TEST(HeadTailTest, CaseA37MeasuresAroundTheKernel) {
  const HeadTail result = Measure(CaptureBuilder().Cores({"aic"}).Row(1, 0, {3, 4.5, 9, 9.75}));
  EXPECT_EQ(result.head->total, 1500);
  EXPECT_EQ(result.tail->total, 750);
}

CycleSpan HeadAfterRowEndingAt20(const CaptureBuilder::RowTimes& times) {
  return Measure(CaptureBuilder().Cores({"aic"}).Row(1, 0, {1, 1, 20, 20}).Row(2, 0, times))
      .head->total;
}

TEST(HeadTailTest, CaseA38HeadBeginsAfterThePreviousRow) {
  EXPECT_EQ(HeadAfterRowEndingAt20({6, 20.7, 25, 26}), 700);
  EXPECT_EQ(HeadAfterRowEndingAt20({23, 24.25, 25, 26}), 1250);
  EXPECT_EQ(HeadAfterRowEndingAt20({6, 18, 30, 29}), 0);
}

TEST(HeadTailTest, CaseA38TailIsNeverNegative) {
  EXPECT_EQ(Measure(CaptureBuilder().Cores({"aic"}).Row(1, 0, {6, 18, 30, 29})).tail->total, 0);
}

TEST(HeadTailTest, CaseA39ThePreviousRowIsTheLastInOrderOfStart) {
  const HeadTail result = Measure(CaptureBuilder()
                                      .Cores({"aic"})
                                      .Row(1, 0, {0, 5, 9, 9})
                                      .Row(2, 0, {0, 5, 7, 7})
                                      .Row(3, 0, {2, 12, 13, 13}));
  EXPECT_EQ(result.head->count, 3u);
  EXPECT_EQ(result.head->total, 10'000);
  EXPECT_EQ(result.head->p10, 0);
  EXPECT_EQ(result.head->p50, 5000);
  EXPECT_EQ(result.head->max, 5000);
}

std::vector<DeviceCycles> Values(int64_t count) {
  std::vector<DeviceCycles> values;
  for (int64_t i = count; i > 0; --i) values.push_back({i});
  return values;
}

TEST(HeadTailTest, CaseA40PercentilesTakeTheUpperElement) {
  std::vector<DeviceCycles> values = Values(20);
  const Distribution result = Summarise(values).value();
  EXPECT_EQ(result.count, 20u);
  EXPECT_EQ(result.total, 210);
  EXPECT_EQ(result.p10, 3);
  EXPECT_EQ(result.p25, 6);
  EXPECT_EQ(result.p50, 11);
  EXPECT_EQ(result.p75, 16);
  EXPECT_EQ(result.p90, 19);
  EXPECT_EQ(result.p95, 20);
  EXPECT_EQ(result.p99, 20);
  EXPECT_EQ(result.max, 20);
}

TEST(HeadTailTest, CaseA40SmallSamples) {
  std::vector<DeviceCycles> one = Values(1);
  const Distribution result = Summarise(one).value();
  EXPECT_EQ(result.p10, 1);
  EXPECT_EQ(result.p99, 1);
  std::vector<DeviceCycles> none;
  EXPECT_EQ(Summarise(none), std::nullopt);
}

TEST(HeadTailTest, RowsWithoutStampsHaveNoValueButDelayTheNext) {
  CaptureBuilder builder;
  builder.Cores({"aic"}).Row(1, 0, {.start = 1, .end = 20}).Row(2, 0, {6, 20.5, 25, 26});
  const HeadTail result = Measure(builder);
  EXPECT_EQ(result.head->count, 1u);
  EXPECT_EQ(result.head->total, 500);
}

}  // namespace
}  // namespace simpler::overhead
