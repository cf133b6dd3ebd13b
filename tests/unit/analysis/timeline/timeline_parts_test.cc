// The parts a timeline is built from.
#include <string>
#include <vector>

#include "analysis/timeline/first_fit.h"
#include "analysis/timeline/flow_table.h"
#include "analysis/timeline/json_text.h"
#include "analysis/timeline/lane_table.h"
#include "analysis/timeline/model.h"
#include "analysis/timeline/time_axis.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/capture_builder.h"

namespace simpler::timeline {
namespace {

using support::CaptureBuilder;
using testing::ElementsAre;
using testing::IsEmpty;

TEST(FirstFitTest, AnIntervalTakesTheFirstFreeLane) {
  FirstFit lanes;
  EXPECT_EQ(lanes.Place(0, 10), 0);
  EXPECT_EQ(lanes.Place(5, 15), 1);
  EXPECT_EQ(lanes.Place(10, 12), 0);
  EXPECT_EQ(lanes.Place(11, 20), 2);
  EXPECT_EQ(lanes.Place(12, 13), 0);
  EXPECT_EQ(lanes.Place(15, 16), 0);
  EXPECT_EQ(lanes.Place(15, 16), 1);
  EXPECT_EQ(lanes.lane_count(), 3);
}

TEST(FirstFitTest, ManyOpenIntervalsHaveManyLanesAndAllComeFreeAgain) {
  FirstFit lanes;
  for (int64_t i = 0; i < 1'000; ++i) EXPECT_EQ(lanes.Place(i, 5'000), i);
  for (int64_t i = 0; i < 1'000; ++i) EXPECT_EQ(lanes.Place(5'000 + i, 10'000), i);
  EXPECT_EQ(lanes.lane_count(), 1'000);
}

TEST(FlowTableTest, FindsFlowsFromBothEndsAndKeepsEachOnce) {
  FlowTable table;
  table.Add(7, 2);
  table.Add(7, 1);
  table.Add(3, 2);
  table.Add(7, 2);
  EXPECT_EQ(table.Seal(), 1);
  EXPECT_THAT(table.From(7), ElementsAre(1, 2));
  EXPECT_THAT(table.Into(2), ElementsAre(3, 7));
  EXPECT_THAT(table.Into(1), ElementsAre(7));
  EXPECT_THAT(table.From(2), IsEmpty());
  EXPECT_THAT(table.Into(3), IsEmpty());
}

TEST(FlowTableTest, KnowsNothingOfSlicesBehindTheLastOne) {
  FlowTable table;
  EXPECT_EQ(table.Seal(), 0);
  EXPECT_THAT(table.From(0), IsEmpty());
  FlowTable one;
  one.Add(0, 1);
  EXPECT_EQ(one.Seal(), 0);
  EXPECT_THAT(one.Into(1), ElementsAre(0));
  EXPECT_THAT(one.From(2), IsEmpty());
  EXPECT_THAT(one.Into(UINT32_MAX), IsEmpty());
}

TEST(JsonTextTest, NumbersReadBackUnchanged) {
  JsonText json;
  json.Number(20.900000000000002).Raw(" ").Number(0.02).Raw(" ").Number(UINT64_MAX).Raw(" ");
  json.Number(-1);
  EXPECT_EQ(json.view(), "20.900000000000002 0.02 18446744073709551615 -1");
}

TEST(JsonTextTest, StringsEscapeWhatJsonReserves) {
  JsonText json;
  json.String("a\"b\\\x01\t·");
  EXPECT_EQ(json.view(), R"("a\"b\\\u0001\u0009·")");
}

TEST(LaneFilterTest, PlainTextIsPartOfAPathAndGlobsMatchPathOrLane) {
  const auto matches = [](const std::string& pattern) {
    return LaneMatches({pattern}, "Worker View", "AIC_12");
  };
  EXPECT_TRUE(LaneMatches({}, "Worker View", "AIC_12"));
  EXPECT_TRUE(matches("AIC_1"));
  EXPECT_TRUE(matches("View/AIC"));
  EXPECT_FALSE(matches("aic"));
  EXPECT_TRUE(matches("AIC_*"));
  EXPECT_TRUE(matches("Worker View/*"));
  EXPECT_FALSE(matches("AIC_?"));
  EXPECT_FALSE(matches("Scheduler*"));
  EXPECT_TRUE(LaneMatches({"nothing", "AIC_[12]?"}, "Worker View", "AIC_12"));
}

std::vector<uint32_t> Indices(const std::vector<LaneSlice>& slices) {
  std::vector<uint32_t> indices;
  for (const LaneSlice& slice : slices) indices.push_back(slice.index);
  return indices;
}

TEST(TakeOutCrossingTest, NestedAndAdjacentSlicesStay) {
  std::vector<LaneSlice> slices = {{5, 6, 0}, {0, 10, 1}, {10, 12, 2}, {0, 4, 3}, {6, 6, 4}};
  EXPECT_THAT(TakeOutCrossing(slices), IsEmpty());
  EXPECT_THAT(Indices(slices), ElementsAre(1, 3, 0, 4, 2));
}

TEST(TakeOutCrossingTest, ASliceThatEndsOutsideTheOneItStartedInIsTakenOut) {
  std::vector<LaneSlice> slices = {{0, 10, 0}, {5, 15, 1}, {8, 9, 2}, {9, 11, 3}};
  EXPECT_THAT(Indices(TakeOutCrossing(slices)), ElementsAre(1, 3));
  EXPECT_THAT(Indices(slices), ElementsAre(0, 2));
}

TEST(TimeAxisTest, ZeroIsTheEarliestStampAndCyclesAreExact) {
  CaptureBuilder builder(50'000'000, 1'000);
  builder.Cores({"aic"}).Row(1, 0, {.dispatch = 0.1, .start = 1, .end = 6, .finish = 7});
  const capture::Capture capture = builder.BuildCapture();
  const auto axis = TimeAxis::Create(capture, capture.runs[0], {});
  ASSERT_TRUE(axis.ok()) << axis.status();
  EXPECT_EQ(axis->Nanos(builder.Stamp(1)), 900);
  EXPECT_EQ(axis->Micros(capture::DeviceCycles{1'050}), 0.9);
  EXPECT_EQ(axis->Micros(capture::DeviceCycles{0}), 0);
  EXPECT_FALSE(axis->is_composite());
}

TEST(TimeAxisTest, OddFrequenciesRoundDown) {
  CaptureBuilder builder(3'000'000'000, 100);
  builder.Cores({"aic"}).Row(1, 0, {.start = 0, .end = 1});
  const capture::Capture capture = builder.BuildCapture();
  const auto axis = TimeAxis::Create(capture, capture.runs[0], {});
  ASSERT_TRUE(axis.ok()) << axis.status();
  EXPECT_EQ(axis->Nanos(capture::DeviceCycles{105}), 1);
  EXPECT_EQ(axis->Nanos(capture::DeviceCycles{106}), 2);
}

TEST(TimeAxisTest, HostileStampsDoNotOverflow) {
  CaptureBuilder builder(1'000'000, 1);
  builder.Cores({"aic"}).Row(1, 0, {.start = 0, .end = 1});
  const capture::Capture capture = builder.BuildCapture();
  const auto axis = TimeAxis::Create(capture, capture.runs[0], {});
  ASSERT_TRUE(axis.ok()) << axis.status();
  EXPECT_GT(axis->Nanos(capture::DeviceCycles{INT64_MAX}), int64_t{1} << 60);
}

TEST(ParseFlowsTest, FamiliesKindsAndErrors) {
  EXPECT_EQ(ParseFlows("all")->count(), kFlowKindCount);
  EXPECT_EQ(ParseFlows("none")->count(), 0);
  EXPECT_EQ(ParseFlows("dependency")->count(), 2);
  EXPECT_TRUE(ParseFlows("complete.worker")->test(static_cast<size_t>(FlowKind::kCompleteWorker)));
  EXPECT_EQ(ParseFlows("nonsense").status().code(), absl::StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace simpler::timeline
