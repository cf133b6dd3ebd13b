#include "collector/transport/device_heap.h"

#include <algorithm>
#include <iterator>

#include "fmt/format.h"

namespace simpler::transport {

DeviceHeap::DeviceHeap(uint64_t base, uint64_t size) {
  const uint64_t whole = size / kAlignment * kAlignment;
  if (whole > 0) free_.emplace(base, whole);
}

absl::StatusOr<uint64_t> DeviceHeap::Allocate(uint64_t bytes) {
  if (bytes == 0) return absl::InvalidArgumentError("an allocation of 0 bytes");
  const auto fits = std::find_if(free_.begin(), free_.end(),
                                 [bytes](const auto& block) { return block.second >= bytes; });
  if (fits == free_.end()) {
    return absl::ResourceExhaustedError(
        fmt::format("device memory has no block of {} bytes left; the largest has {}, and {} are "
                    "in use",
                    bytes, LargestFree(), used_bytes_));
  }
  // Sizes of blocks are multiples of the alignment, so rounding up still fits.
  const uint64_t rounded = (bytes + kAlignment - 1) / kAlignment * kAlignment;
  const auto [address, size] = *fits;
  free_.erase(fits);
  if (size > rounded) free_.emplace(address + rounded, size - rounded);
  used_.emplace(address, rounded);
  used_bytes_ += rounded;
  return address;
}

absl::StatusOr<uint64_t> DeviceHeap::Free(uint64_t address) {
  const auto block = used_.find(address);
  if (block == used_.end()) {
    return absl::NotFoundError(fmt::format("no block of device memory starts at {:#x}", address));
  }
  const uint64_t bytes = block->second;
  used_.erase(block);
  used_bytes_ -= bytes;

  const auto freed = free_.emplace(address, bytes).first;
  if (const auto next = std::next(freed);
      next != free_.end() && freed->first + freed->second == next->first) {
    freed->second += next->second;
    free_.erase(next);
  }
  if (freed != free_.begin()) {
    const auto before = std::prev(freed);
    if (before->first + before->second == freed->first) {
      before->second += freed->second;
      free_.erase(freed);
    }
  }
  return bytes;
}

uint64_t DeviceHeap::LargestFree() const {
  uint64_t largest = 0;
  for (const auto& [address, bytes] : free_) largest = std::max(largest, bytes);
  return largest;
}

}  // namespace simpler::transport
