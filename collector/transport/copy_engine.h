// Copies to and from device memory that the host cannot address.
#pragma once

#include <cstdint>
#include <span>

#include "absl/status/status.h"
#include "collector/transport/memory_object.h"

namespace simpler::transport {

// Both copies may fail, are not atomic, and move words in any order; but a copy of one aligned word
// of 4 or 8 bytes is atomic, and acquires or releases. Offsets count from the start of device
// memory; the caller has checked them. Thread-safe.
class CopyEngine {
 public:
  virtual ~CopyEngine() = default;
  virtual absl::Status FromDevice(std::span<std::byte> to, uint64_t offset) = 0;
  virtual absl::Status ToDevice(uint64_t offset, std::span<const std::byte> from) = 0;
};

// Over a memory object, which is mapped here and nowhere else.
class MemoryObjectCopyEngine final : public CopyEngine {
 public:
  explicit MemoryObjectCopyEngine(Mapping mapping);

  absl::Status FromDevice(std::span<std::byte> to, uint64_t offset) override;
  absl::Status ToDevice(uint64_t offset, std::span<const std::byte> from) override;

 private:
  const Mapping mapping_;
};

}  // namespace simpler::transport
