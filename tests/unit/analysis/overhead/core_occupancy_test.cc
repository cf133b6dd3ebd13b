#include "analysis/overhead/core_occupancy.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/capture_builder.h"
#include "tests/support/prepared_run.h"

namespace simpler::overhead {
namespace {

using capture::CoreType;
using support::CaptureBuilder;
using support::PreparedRun;
using ::testing::ElementsAre;

Interval Micros(double begin, double end) {
  return {CaptureBuilder().Stamp(begin), CaptureBuilder().Stamp(end)};
}

TEST(CoreOccupancyTest, CoreIsTakenFromDispatchToEnd) {
  const PreparedRun run(CaptureBuilder().Cores({"aic"}).Row(1, 0, {2, 4, 6, 9}));
  const CoreOccupancy& occupancy = run.inputs.occupancy;
  const auto free_at = [&](double at) {
    return occupancy.FreeAt(CoreType::kAic, CaptureBuilder().Stamp(at));
  };
  EXPECT_EQ(free_at(1.999), 1);
  EXPECT_EQ(free_at(2), 0);
  EXPECT_EQ(free_at(5.999), 0);
  EXPECT_EQ(free_at(6), 1);
  EXPECT_THAT(occupancy.Full(CoreType::kAic).intervals(), ElementsAre(Micros(2, 6)));
}

TEST(CoreOccupancyTest, OverlappingRowsTakeACoreOnce) {
  const PreparedRun run(CaptureBuilder()
                            .Cores({"aiv", "aiv"})
                            .Row(1, 0, {0, 1, 6, 6})
                            .Row(2, 0, {4, 7, 9, 9})
                            .Row(3, 1, {5, 5, 7, 7}));
  const CoreOccupancy& occupancy = run.inputs.occupancy;
  EXPECT_EQ(occupancy.cores(CoreType::kAiv), 2);
  EXPECT_EQ(occupancy.FreeAt(CoreType::kAiv, CaptureBuilder().Stamp(4.5)), 1);
  EXPECT_THAT(occupancy.Full(CoreType::kAiv).intervals(), ElementsAre(Micros(5, 7)));
}

TEST(CoreOccupancyTest, HandOverAtOneInstantLeavesNoFreeCore) {
  const PreparedRun run(CaptureBuilder()
                            .Cores({"aic", "aic"})
                            .Row(1, 0, {0, 1, 5, 6})
                            .Row(2, 1, {0, 1, 9, 10})
                            .Row(3, 0, {5, 6, 9, 10}));
  EXPECT_THAT(run.inputs.occupancy.Full(CoreType::kAic).intervals(), ElementsAre(Micros(0, 9)));
}

TEST(CoreOccupancyTest, WithoutUsableDispatchTheStartCounts) {
  CaptureBuilder builder;
  builder.Cores({"aic"}).Row(1, 0, {.start = 2, .end = 4}).Row(2, 0, {8, 6, 9, 10});
  const PreparedRun run(builder);
  EXPECT_THAT(run.inputs.occupancy.Full(CoreType::kAic).intervals(),
              ElementsAre(Micros(2, 4), Micros(6, 9)));
}

TEST(CoreOccupancyTest, EngineWithoutCoresIsNeverFull) {
  const PreparedRun run(CaptureBuilder().Cores({"aic", "none"}).Row(1, 1, {0, 1, 5, 6}));
  EXPECT_EQ(run.inputs.occupancy.cores(CoreType::kAic), 0);
  EXPECT_THAT(run.inputs.occupancy.Full(CoreType::kAic).intervals(), ElementsAre());
  EXPECT_THAT(run.inputs.occupancy.Full(CoreType::kAiv).intervals(), ElementsAre());
}

}  // namespace
}  // namespace simpler::overhead
