#include "analysis/merge/containment.h"

#include <array>
#include <random>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace simpler::merge {
namespace {

using capture::DeviceCycles;
using capture::HostNanos;
using testing::HasSubstr;

ContainmentInputs FiftyMegahertzRank() {
  ContainmentInputs inputs;
  inputs.frequency_hz = 50'000'000;
  inputs.extent = {{100'050}, {100'480}};
  const PhaseWindow scheduler{2000, 6000};
  const PhaseWindow orchestrator{500, 3000};
  inputs.pairings = {{scheduler, {{100'150}, {100'400}}}, {orchestrator, {{100'050}, {100'180}}}};
  inputs.phases = {scheduler, orchestrator};
  inputs.outer_start = {5000};
  inputs.outer_duration = 20'000;
  inputs.device_wall = 12'000;
  return inputs;
}

ContainmentInputs GigahertzRank(int64_t outer_start) {
  ContainmentInputs inputs;
  inputs.frequency_hz = 1'000'000'000;
  inputs.extent = {{900}, {1300}};
  const PhaseWindow scheduler{700, 100};
  inputs.pairings = {{scheduler, {{900}, {950}}}};
  inputs.phases = {scheduler};
  inputs.outer_start = {outer_start};
  inputs.outer_duration = 8000;
  inputs.device_wall = 2000;
  return inputs;
}

std::string Refusal(const ContainmentInputs& inputs) {
  const auto placement = Placement::Contain(inputs);
  EXPECT_EQ(placement.status().code(), absl::StatusCode::kInvalidArgument);
  return std::string(placement.status().message());
}

TEST(ContainmentTest, A138OriginPositionAndSlack) {
  const auto placement = Placement::Contain(FiftyMegahertzRank());
  ASSERT_TRUE(placement.ok()) << placement.status();
  EXPECT_EQ(placement->origin_cycles(), 100'015.0);
  EXPECT_EQ(placement->residual(), 400);
  EXPECT_EQ(placement->device_extent(), 12'000);
  EXPECT_EQ(placement->slack(), 8000);
  EXPECT_EQ(placement->place_lo(), HostNanos{5000});
  EXPECT_EQ(placement->place_hi(), HostNanos{13'000});
  EXPECT_EQ(placement->Earliest({100'150}), HostNanos{7700});
  EXPECT_EQ(placement->EarliestOfPhase(500), HostNanos{5500});
  EXPECT_EQ(placement->early(), 200);
  EXPECT_EQ(placement->late(), 8200);
}

TEST(ContainmentTest, A139WorkLongerThanTheWindowIsRefused) {
  ContainmentInputs inputs = FiftyMegahertzRank();
  inputs.outer_duration = 9000;
  EXPECT_THAT(Refusal(inputs), HasSubstr("12.000 us of device work"));
  EXPECT_THAT(Refusal(inputs), HasSubstr("only 9.000 us wide"));
}

TEST(ContainmentTest, A139ContradictingWindowsAreRefused) {
  ContainmentInputs inputs = FiftyMegahertzRank();
  inputs.extent.first = {99'980};
  EXPECT_THAT(Refusal(inputs), HasSubstr("cannot describe one run"));
  EXPECT_THAT(Refusal(inputs), HasSubstr("500 ns"));
}

TEST(ContainmentTest, A140TwoRanks) {
  const auto first = Placement::Contain(GigahertzRank(1000));
  const auto second = Placement::Contain(GigahertzRank(11'000));
  ASSERT_TRUE(first.ok() && second.ok());
  EXPECT_EQ(first->Earliest({1100}), HostNanos{1925});
  EXPECT_EQ(second->Earliest({1100}), HostNanos{11'925});
  EXPECT_EQ(first->slack(), 6000);
  const std::array slacks = {first->slack(), second->slack()};
  EXPECT_EQ(CrossRankUncertainty(slacks), 12'000);
}

TEST(ContainmentTest, CrossRankUncertaintyTakesTheTwoLargestSlacks) {
  EXPECT_EQ(CrossRankUncertainty(std::array<int64_t, 3>{1000, 6000, 4000}), 10'000);
  EXPECT_EQ(CrossRankUncertainty(std::array<int64_t, 1>{3000}), std::nullopt);
  EXPECT_EQ(CrossRankUncertainty({}), std::nullopt);
}

TEST(ContainmentTest, WithoutPairingsOnlyTheWallLocatesTheOrigin) {
  ContainmentInputs inputs = GigahertzRank(1000);
  inputs.pairings.clear();
  const auto placement = Placement::Contain(inputs);
  ASSERT_TRUE(placement.ok());
  EXPECT_EQ(placement->residual(), 900 + 700);  // zero is in [1300 - 2000, 900]
  EXPECT_EQ(placement->origin_cycles(), 100.0);
}

TEST(ContainmentTest, PhaseOutsideTheWallWidensTheBlock) {
  ContainmentInputs inputs = GigahertzRank(1000);
  inputs.phases.push_back({-300, 50});
  inputs.phases.push_back({1900, 400});
  const auto placement = Placement::Contain(inputs);
  ASSERT_TRUE(placement.ok());
  EXPECT_EQ(placement->device_extent(), 2600);
  EXPECT_EQ(placement->EarliestOfPhase(-300), HostNanos{1000});
  EXPECT_EQ(placement->Earliest({1100}), HostNanos{1925 + 300});
}

// A cycle of 3 Hz is no whole number of nanoseconds; thirds must not be lost.
TEST(ContainmentTest, OddFrequenciesAreExact) {
  ContainmentInputs inputs;
  inputs.frequency_hz = 3;
  inputs.extent = {{10}, {13}};
  inputs.outer_start = {0};
  inputs.outer_duration = 1'000'000'001;
  inputs.device_wall = 1'000'000'000;
  const auto placement = Placement::Contain(inputs);
  ASSERT_TRUE(placement.ok()) << placement.status();
  EXPECT_EQ(placement->residual(), 0);
  EXPECT_EQ(placement->Earliest({11}), HostNanos{333'333'333});
  EXPECT_EQ(placement->Earliest({12}), HostNanos{666'666'667});
  EXPECT_EQ(placement->slack(), 1);
}

TEST(ContainmentTest, AbsurdNumbersAreRefused) {
  ContainmentInputs inputs = GigahertzRank(1000);
  inputs.frequency_hz = 0;
  EXPECT_THAT(Refusal(inputs), HasSubstr("clock frequency 0 Hz"));
  inputs = GigahertzRank(1000);
  inputs.outer_duration = INT64_MAX;
  EXPECT_THAT(Refusal(inputs), HasSubstr("runner_run"));
  inputs = GigahertzRank(INT64_MAX);
  EXPECT_THAT(Refusal(inputs), HasSubstr("runner_run"));
}

// Runs whose truth is known: the published bound must hold for every record.
TEST(ContainmentTest, TheTruthLiesWithinTheBounds) {
  std::mt19937 random(4711);
  const auto upto = [&random](int64_t low, int64_t high) {
    return std::uniform_int_distribution<int64_t>(low, high)(random);
  };
  for (int i = 0; i < 10'000; ++i) {
    ContainmentInputs inputs;  // 1 GHz: one cycle per nanosecond
    inputs.frequency_hz = 1'000'000'000;
    const int64_t origin = upto(10'000, 20'000);
    inputs.device_wall = upto(10, 500);
    const PhaseWindow phase{upto(0, inputs.device_wall / 2), upto(1, inputs.device_wall / 2)};
    const int64_t first = upto(phase.start, phase.start + phase.duration);
    const int64_t last = upto(first, phase.start + phase.duration);
    const int64_t begin = upto(0, first);
    const int64_t end = upto(last, inputs.device_wall);
    inputs.phases = {phase};
    inputs.pairings = {{phase, {{origin + first}, {origin + last}}}};
    inputs.extent = {{origin + begin}, {origin + end}};
    const int64_t before = upto(0, 300);
    const int64_t zero_on_host = 50'000 + before;
    inputs.outer_start = {50'000};
    inputs.outer_duration = before + inputs.device_wall + upto(200, 300);
    const auto placement = Placement::Contain(inputs);
    ASSERT_TRUE(placement.ok()) << placement.status();
    for (const int64_t at : {begin, first, last, end}) {
      const int64_t drawn = placement->Earliest({origin + at}).value;
      ASSERT_GE(zero_on_host + at, drawn - placement->early() - 1);  // 1: rounding of `drawn`
      ASSERT_LE(zero_on_host + at, drawn + placement->late() + 1);
    }
  }
}

}  // namespace
}  // namespace simpler::merge
