// The transport of chips whose memory only a copy engine reaches (a5). Words are read and written
// one by one, where they are needed; nothing is mirrored, because a mirror written back would undo
// what the device wrote meanwhile, and one read back what the host did.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "collector/transport/copy_engine.h"
#include "collector/transport/device_arena.h"
#include "collector/transport/memory_object.h"
#include "collector/transport/transport.h"

namespace simpler::transport {

class HostShadow final : public Transport {
 public:
  // A new memory object of `bytes` bytes behind a copy engine of its own.
  static absl::StatusOr<std::unique_ptr<HostShadow>> Create(uint64_t bytes);

  // `engine` reaches the memory of `object`.
  HostShadow(MemoryObject object, std::unique_ptr<CopyEngine> engine);

  absl::StatusOr<uint64_t> Allocate(uint64_t bytes) override { return arena_.Allocate(bytes); }
  absl::Status Free(uint64_t address) override { return arena_.Free(address); }
  uint64_t used_bytes() const override { return arena_.used_bytes(); }

  absl::Status Load(uint64_t address, uint32_t* word) override;
  absl::Status Load(uint64_t address, uint64_t* word) override;
  absl::Status Store(uint64_t address, uint32_t word) override;
  absl::Status Store(uint64_t address, uint64_t word) override;
  absl::Status Read(uint64_t address, std::span<std::byte> to) override;
  absl::Status Write(uint64_t address, std::span<const std::byte> from) override;
  absl::StatusOr<const std::byte*> View(uint64_t address, std::span<std::byte> scratch) override;

  const MemoryObject& memory() const override { return arena_.object(); }

 private:
  absl::Status ReadAligned(uint64_t address, std::span<std::byte> to, uint64_t alignment);
  absl::Status WriteAligned(uint64_t address, std::span<const std::byte> from, uint64_t alignment);

  DeviceArena arena_;
  const std::unique_ptr<CopyEngine> engine_;
};

}  // namespace simpler::transport
