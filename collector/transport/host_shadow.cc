#include "collector/transport/host_shadow.h"

#include <utility>

namespace simpler::transport {

absl::StatusOr<std::unique_ptr<HostShadow>> HostShadow::Create(uint64_t bytes) {
  absl::StatusOr<MemoryObject> object = MemoryObject::Create(bytes);
  if (!object.ok()) return object.status();
  absl::StatusOr<Mapping> mapping = Mapping::Create(*object);
  if (!mapping.ok()) return mapping.status();
  return std::make_unique<HostShadow>(
      *std::move(object), std::make_unique<MemoryObjectCopyEngine>(*std::move(mapping)));
}

HostShadow::HostShadow(MemoryObject object, std::unique_ptr<CopyEngine> engine)
    : arena_(std::move(object)), engine_(std::move(engine)) {}

absl::Status HostShadow::ReadAligned(uint64_t address, std::span<std::byte> to,
                                     uint64_t alignment) {
  const absl::StatusOr<uint64_t> offset = arena_.OffsetOf(address, to.size(), alignment);
  return offset.ok() ? engine_->FromDevice(to, *offset) : offset.status();
}

absl::Status HostShadow::WriteAligned(uint64_t address, std::span<const std::byte> from,
                                      uint64_t alignment) {
  const absl::StatusOr<uint64_t> offset = arena_.OffsetOf(address, from.size(), alignment);
  return offset.ok() ? engine_->ToDevice(*offset, from) : offset.status();
}

absl::Status HostShadow::Load(uint64_t address, uint32_t* word) {
  return ReadAligned(address, std::as_writable_bytes(std::span(word, 1)), sizeof(*word));
}
absl::Status HostShadow::Load(uint64_t address, uint64_t* word) {
  return ReadAligned(address, std::as_writable_bytes(std::span(word, 1)), sizeof(*word));
}
absl::Status HostShadow::Store(uint64_t address, uint32_t word) {
  return WriteAligned(address, std::as_bytes(std::span(&word, 1)), sizeof(word));
}
absl::Status HostShadow::Store(uint64_t address, uint64_t word) {
  return WriteAligned(address, std::as_bytes(std::span(&word, 1)), sizeof(word));
}

absl::Status HostShadow::Read(uint64_t address, std::span<std::byte> to) {
  return ReadAligned(address, to, 4);
}

absl::Status HostShadow::Write(uint64_t address, std::span<const std::byte> from) {
  return WriteAligned(address, from, 4);
}

absl::StatusOr<const std::byte*> HostShadow::View(uint64_t address, std::span<std::byte> scratch) {
  if (absl::Status status = ReadAligned(address, scratch, 4); !status.ok()) return status;
  return scratch.data();
}

}  // namespace simpler::transport
