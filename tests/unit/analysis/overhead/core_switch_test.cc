#include "analysis/overhead/core_switch.h"

#include "analysis/overhead/analyze_overhead.h"
#include "gtest/gtest.h"
#include "tests/support/capture_builder.h"
#include "tests/support/prepared_run.h"

namespace simpler::overhead {
namespace {

using capture::CoreType;
using support::CaptureBuilder;
using support::PreparedRun;

OverheadReport Analyze(const CaptureBuilder& builder) {
  const PreparedRun run(builder);
  return AnalyzeOverhead(run.inputs);
}

EngineSwitch AicSwitch(const CaptureBuilder& builder) {
  return Analyze(builder).core_switch.value().engine[CoreType::kAic].value();
}

CaptureBuilder ThreeCores() {
  return CaptureBuilder()
      .Cores({"aic", "aic", "aiv"})
      .Row(1, 0, {0, 0, 10, 10})
      .Row(2, 0, {8, 10.5, 20, 20})
      .Row(3, 0, {19, 20.75, 30, 30})
      .Row(4, 0, {30, 30.5, 32, 32})
      .Row(5, 1, {0, 0, 15, 15})
      .Row(6, 1, {20, 21, 29, 29})
      .Row(7, 2, {0, 0, 12, 12})
      .Row(8, 2, {11, 12.4, 30, 30})
      .Edge(1, 6);
}

TEST(CoreSwitchTest, CaseA55SplitsByReadyWork) {
  const OverheadReport report = Analyze(ThreeCores());
  const EngineSwitch& aic = *report.core_switch->engine[CoreType::kAic];
  EXPECT_EQ(aic.cores, 2);
  EXPECT_EQ(aic.events, 2u);
  EXPECT_EQ(aic.min, 0);
  EXPECT_EQ(aic.max, 1250);
  EXPECT_EQ(aic.worst_core, 0);
  EXPECT_EQ(aic.total, 1250);
  EXPECT_EQ(aic.overhead, 500);
  EXPECT_EQ(aic.independent, 750);
  const EngineSwitch& aiv = *report.core_switch->engine[CoreType::kAiv];
  EXPECT_EQ(aiv.total, 400);
  EXPECT_EQ(aiv.overhead, 0);
  EXPECT_EQ(aiv.independent, 400);
  EXPECT_EQ(report.sweep->headline.engine[CoreType::kAic], 5500);
  EXPECT_EQ(report.sweep->headline.has, 5500);
}

TEST(CoreSwitchTest, CaseA56DispatchAtThePreviousEndIsNoSwitch) {
  EXPECT_EQ(
      AicSwitch(
          CaptureBuilder().Cores({"aic"}).Row(1, 0, {0, 0, 10, 11}).Row(2, 0, {10, 11, 12, 13}))
          .events,
      0u);
}

TEST(CoreSwitchTest, CaseA57OverlappingRowsAreNoSwitch) {
  const EngineSwitch aic = AicSwitch(CaptureBuilder()
                                         .Cores({"aic"})
                                         .Row(1, 0, {0, 0, 10, 11})
                                         .Row(2, 0, {5, 9, 12, 13})
                                         .Row(3, 0, {6, 12, 14, 15}));
  EXPECT_EQ(aic.events, 0u);
  EXPECT_EQ(aic.total, 0);
}

TEST(CoreSwitchTest, CaseA58CutsAGapWhereWaitingEnds) {
  const EngineSwitch aic = AicSwitch(CaptureBuilder()
                                         .Cores({"aic", "aic", "aiv"})
                                         .Row(1, 0, {0, 0, 10, 11})
                                         .Row(2, 0, {9, 12, 14, 15})
                                         .Row(3, 2, {0, 0, 9, 10})
                                         .Row(4, 1, {11, 11, 13, 14})
                                         .Edge(3, 4));
  EXPECT_EQ(aic.overhead, 1000);
  EXPECT_EQ(aic.independent, 1000);
}

TEST(CoreSwitchTest, CaseA59BoundsTheMakespanByTheBestCores) {
  const SwitchReport report = *Analyze(ThreeCores()).core_switch;
  EXPECT_EQ(report.bound_lower, 0);
  EXPECT_EQ(report.bound_upper, 400);
}

TEST(CoreSwitchTest, RowsWithOneStartAreOrderedByEndThenDispatch) {
  // In capture order the zero-length row would come last and hide the switch.
  const EngineSwitch aic = AicSwitch(CaptureBuilder()
                                         .Cores({"aic"})
                                         .Row(1, 0, {0, 1, 10, 11})
                                         .Row(2, 0, {0, 1, 1, 11})
                                         .Row(3, 0, {5, 12, 14, 15}));
  EXPECT_EQ(aic.total, 2000);
}

TEST(CoreSwitchTest, WithoutGraphTheSplitIsUnknown) {
  const capture::Capture capture = ThreeCores().BuildCapture();
  const auto rows = capture::JoinedRun::Join(capture, 0);
  ASSERT_TRUE(rows.ok());
  const SwitchReport report = MeasureSwitches(CoreRows(*rows), nullptr);
  EXPECT_EQ(report.engine[CoreType::kAic]->total, 1250);
  EXPECT_EQ(report.engine[CoreType::kAic]->overhead, std::nullopt);
  EXPECT_EQ(report.engine[CoreType::kAic]->independent, std::nullopt);
}

}  // namespace
}  // namespace simpler::overhead
