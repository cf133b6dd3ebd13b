#include "analysis/overhead/cycle_sort.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include "gtest/gtest.h"

namespace simpler::overhead {
namespace {

using capture::DeviceCycles;

void ExpectSorted(std::vector<DeviceCycles> stamps) {
  std::vector<DeviceCycles> expected = stamps;
  std::sort(expected.begin(), expected.end());
  SortCycles(stamps);
  EXPECT_EQ(stamps, expected);
}

std::vector<DeviceCycles> Random(size_t count, int64_t low, int64_t high) {
  std::mt19937_64 random(count);
  std::uniform_int_distribution<int64_t> stamp(low, high);
  std::vector<DeviceCycles> stamps;
  for (size_t i = 0; i < count; ++i) stamps.push_back({stamp(random)});
  return stamps;
}

TEST(CycleSortTest, SortsEverySizeAndRange) {
  for (size_t count : {0, 1, 2, 511, 512, 513, 5000}) {
    ExpectSorted(Random(count, 0, 0));
    ExpectSorted(Random(count, 1'000'000, 1'000'003));
    ExpectSorted(Random(count, 5'000'000'000'000, 5'000'100'000'000));
    ExpectSorted(Random(count, 0, std::numeric_limits<int64_t>::max()));
    ExpectSorted(
        Random(count, std::numeric_limits<int64_t>::min(), std::numeric_limits<int64_t>::max()));
  }
}

TEST(CycleSortTest, SortsSortedAndReversedInput) {
  std::vector<DeviceCycles> stamps = Random(3000, 0, 1 << 20);
  std::sort(stamps.begin(), stamps.end());
  ExpectSorted(stamps);
  std::reverse(stamps.begin(), stamps.end());
  ExpectSorted(stamps);
}

}  // namespace
}  // namespace simpler::overhead
