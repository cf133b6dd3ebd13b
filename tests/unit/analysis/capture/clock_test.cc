#include "analysis/capture/clock.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>

namespace simpler::capture {
namespace {

TEST(Clock, StampsOfOneDomainSubtractExactly) {
  const DeviceCycles last{std::numeric_limits<int64_t>::max()};
  EXPECT_EQ(last - DeviceCycles{0}, std::numeric_limits<int64_t>::max());
  EXPECT_EQ(DeviceCycles{0} - last, -std::numeric_limits<int64_t>::max());
  EXPECT_EQ((DeviceCycles{7} + CycleSpan{3}).value, 10);
  EXPECT_EQ((DeviceCycles{7} - CycleSpan{3}).value, 4);
  EXPECT_EQ(HostNanos{900} - HostNanos{500}, 400);
}

TEST(CycleScale, ConvertsToMicrosecondsAtTheDeviceFrequency) {
  EXPECT_DOUBLE_EQ(CycleScale(50'000'000).Micros(100), 2.0);
  EXPECT_DOUBLE_EQ(CycleScale(1'000'000'000).Micros(-1500), -1.5);
}

TEST(CycleScale, NanosecondsAreExactWhenTheFrequencyDividesABillion) {
  EXPECT_EQ(CycleScale(50'000'000).Nanos(3), 60);
  EXPECT_EQ(CycleScale(50'000'000).Nanos(int64_t{1} << 50), (int64_t{1} << 50) * 20);
  EXPECT_EQ(CycleScale(1'000'000'000).Nanos(std::numeric_limits<int64_t>::max()),
            std::numeric_limits<int64_t>::max());
}

TEST(CycleScale, NanosecondsAreRoundedDownOtherwise) {
  EXPECT_EQ(CycleScale(3'000'000'000).Nanos(1), 0);
  EXPECT_EQ(CycleScale(3'000'000'000).Nanos(5), 1);
}

}  // namespace
}  // namespace simpler::capture
