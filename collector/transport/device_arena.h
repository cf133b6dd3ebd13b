// A memory object with the account of what is allocated in it: what both transports are made of.
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "collector/transport/device_heap.h"
#include "collector/transport/memory_object.h"
#include "collector/transport/transport.h"

namespace simpler::transport {

// Thread-safe.
class DeviceArena {
 public:
  explicit DeviceArena(MemoryObject object);

  absl::StatusOr<uint64_t> Allocate(uint64_t bytes);
  absl::Status Free(uint64_t address);
  uint64_t used_bytes() const;

  // The offset of `address` within the object, when `bytes` bytes there are inside and both are
  // multiples of `alignment`. Lock-free.
  absl::StatusOr<uint64_t> OffsetOf(uint64_t address, uint64_t bytes, uint64_t alignment) const;

  const MemoryObject& object() const { return object_; }

 private:
  const MemoryObject object_;
  mutable std::mutex mutex_;
  DeviceHeap heap_;  // guarded by mutex_
};

}  // namespace simpler::transport
