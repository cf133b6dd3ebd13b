#include "collector/transport/shared_mapping.h"

#include <utility>

#include "collector/protocol/shared_word.h"
#include "collector/transport/word_copy.h"

namespace simpler::transport {

absl::StatusOr<std::unique_ptr<SharedMapping>> SharedMapping::Create(uint64_t bytes) {
  absl::StatusOr<MemoryObject> object = MemoryObject::Create(bytes);
  if (!object.ok()) return object.status();
  absl::StatusOr<Mapping> mapping = Mapping::Create(*object);
  if (!mapping.ok()) return mapping.status();
  return std::unique_ptr<SharedMapping>(new SharedMapping(*std::move(object), *std::move(mapping)));
}

SharedMapping::SharedMapping(MemoryObject object, Mapping mapping)
    : arena_(std::move(object)), mapping_(std::move(mapping)) {}

absl::StatusOr<std::byte*> SharedMapping::Find(uint64_t address, uint64_t bytes,
                                               uint64_t alignment) const {
  const absl::StatusOr<uint64_t> offset = arena_.OffsetOf(address, bytes, alignment);
  if (!offset.ok()) return offset.status();
  return mapping_.data() + *offset;
}

template <typename Word>
absl::Status SharedMapping::LoadWord(uint64_t address, Word* word) const {
  const absl::StatusOr<std::byte*> found = Find(address, sizeof(Word), sizeof(Word));
  if (!found.ok()) return found.status();
  *word = protocol::LoadAcquire(*reinterpret_cast<const Word*>(*found));
  return absl::OkStatus();
}

template <typename Word>
absl::Status SharedMapping::StoreWord(uint64_t address, Word word) {
  const absl::StatusOr<std::byte*> found = Find(address, sizeof(Word), sizeof(Word));
  if (!found.ok()) return found.status();
  protocol::StoreRelease(*reinterpret_cast<Word*>(*found), word);
  return absl::OkStatus();
}

absl::Status SharedMapping::Load(uint64_t address, uint32_t* word) {
  return LoadWord(address, word);
}
absl::Status SharedMapping::Load(uint64_t address, uint64_t* word) {
  return LoadWord(address, word);
}
absl::Status SharedMapping::Store(uint64_t address, uint32_t word) {
  return StoreWord(address, word);
}
absl::Status SharedMapping::Store(uint64_t address, uint64_t word) {
  return StoreWord(address, word);
}

absl::Status SharedMapping::Read(uint64_t address, std::span<std::byte> to) {
  const absl::StatusOr<std::byte*> found = Find(address, to.size(), 4);
  if (!found.ok()) return found.status();
  CopyFromShared(to.data(), *found, to.size());
  return absl::OkStatus();
}

absl::Status SharedMapping::Write(uint64_t address, std::span<const std::byte> from) {
  const absl::StatusOr<std::byte*> found = Find(address, from.size(), 4);
  if (!found.ok()) return found.status();
  CopyToShared(*found, from.data(), from.size());
  return absl::OkStatus();
}

absl::StatusOr<const std::byte*> SharedMapping::View(uint64_t address,
                                                     std::span<std::byte> scratch) {
  return Find(address, scratch.size(), 4);
}

}  // namespace simpler::transport
