// The transport of chips whose memory the host can map (a2a3): every access is in place.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "collector/transport/device_arena.h"
#include "collector/transport/memory_object.h"
#include "collector/transport/transport.h"

namespace simpler::transport {

class SharedMapping final : public Transport {
 public:
  // A new memory object of `bytes` bytes, mapped here.
  static absl::StatusOr<std::unique_ptr<SharedMapping>> Create(uint64_t bytes);

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

  // This side's view, for a chip that runs in the same process.
  std::byte* mapped() const { return mapping_.data(); }

 private:
  SharedMapping(MemoryObject object, Mapping mapping);

  absl::StatusOr<std::byte*> Find(uint64_t address, uint64_t bytes, uint64_t alignment) const;
  template <typename Word>
  absl::Status LoadWord(uint64_t address, Word* word) const;
  template <typename Word>
  absl::Status StoreWord(uint64_t address, Word word);

  DeviceArena arena_;
  const Mapping mapping_;
};

}  // namespace simpler::transport
