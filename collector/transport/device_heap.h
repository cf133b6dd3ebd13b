// Which parts of a device memory are in use. Knows addresses, not memory.
#pragma once

#include <cstdint>
#include <map>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace simpler::transport {

// First fit, with neighbours joined when they are freed. Not thread-safe.
class DeviceHeap {
 public:
  static constexpr uint64_t kAlignment = 64;

  // Addresses [base, base + size); base is aligned and not 0, so that 0 never is an allocation.
  DeviceHeap(uint64_t base, uint64_t size);

  // An aligned block of at least `bytes` bytes. ResourceExhausted, with the largest block that
  // would fit, or InvalidArgument for 0 bytes.
  absl::StatusOr<uint64_t> Allocate(uint64_t bytes);

  // The size that the freed block had, rounded up. NotFound when no block starts at `address`.
  absl::StatusOr<uint64_t> Free(uint64_t address);

  uint64_t used_bytes() const { return used_bytes_; }

 private:
  uint64_t LargestFree() const;

  std::map<uint64_t, uint64_t> free_;  // address -> bytes, never adjacent
  std::map<uint64_t, uint64_t> used_;  // address -> bytes
  uint64_t used_bytes_ = 0;
};

}  // namespace simpler::transport
