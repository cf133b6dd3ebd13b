#include "collector/transport/device_arena.h"

#include <utility>

#include "fmt/format.h"

namespace simpler::transport {

DeviceArena::DeviceArena(MemoryObject object)
    : object_(std::move(object)), heap_(kDeviceBase, object_.size()) {}

absl::StatusOr<uint64_t> DeviceArena::Allocate(uint64_t bytes) {
  const std::lock_guard lock(mutex_);
  return heap_.Allocate(bytes);
}

absl::Status DeviceArena::Free(uint64_t address) {
  const std::lock_guard lock(mutex_);
  return heap_.Free(address).status();
}

uint64_t DeviceArena::used_bytes() const {
  const std::lock_guard lock(mutex_);
  return heap_.used_bytes();
}

absl::StatusOr<uint64_t> DeviceArena::OffsetOf(uint64_t address, uint64_t bytes,
                                               uint64_t alignment) const {
  const uint64_t offset = address - kDeviceBase;
  if (address < kDeviceBase || bytes > object_.size() || offset > object_.size() - bytes) {
    return absl::OutOfRangeError(
        fmt::format("device address {:#x}, {} bytes: outside of the {} bytes from {:#x}", address,
                    bytes, object_.size(), kDeviceBase));
  }
  if ((offset | bytes) % alignment != 0) {
    return absl::InvalidArgumentError(fmt::format(
        "device address {:#x}, {} bytes: both must be multiples of {}", address, bytes, alignment));
  }
  return offset;
}

}  // namespace simpler::transport
