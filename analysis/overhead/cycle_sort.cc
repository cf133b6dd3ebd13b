#include "analysis/overhead/cycle_sort.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

namespace simpler::overhead {
namespace {

using capture::DeviceCycles;

constexpr size_t kSmall = 512;
constexpr int kDigitBits = 11;
constexpr size_t kBuckets = size_t{1} << kDigitBits;

}  // namespace

void SortCycles(std::vector<DeviceCycles>& stamps) {
  if (stamps.size() < kSmall) {
    std::sort(stamps.begin(), stamps.end());
    return;
  }
  if (std::is_sorted(stamps.begin(), stamps.end())) return;
  const auto [low, high] = std::minmax_element(stamps.begin(), stamps.end());
  const int64_t base = low->value;
  const uint64_t range = static_cast<uint64_t>(high->value) - static_cast<uint64_t>(base);
  std::vector<DeviceCycles> scratch(stamps.size());
  const int bits = static_cast<int>(std::bit_width(range));
  for (int shift = 0; shift < bits; shift += kDigitBits) {
    const auto digit = [&](DeviceCycles stamp) {
      const uint64_t key = static_cast<uint64_t>(stamp.value) - static_cast<uint64_t>(base);
      return key >> shift & (kBuckets - 1);
    };
    std::array<size_t, kBuckets + 1> next{};
    for (DeviceCycles stamp : stamps) ++next[digit(stamp) + 1];
    for (size_t bucket = 1; bucket < kBuckets; ++bucket) next[bucket] += next[bucket - 1];
    for (DeviceCycles stamp : stamps) scratch[next[digit(stamp)]++] = stamp;
    stamps.swap(scratch);
  }
}

}  // namespace simpler::overhead
