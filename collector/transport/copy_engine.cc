#include "collector/transport/copy_engine.h"

#include <cstring>
#include <utility>

#include "collector/protocol/shared_word.h"
#include "collector/transport/word_copy.h"

namespace simpler::transport {
namespace {

template <typename Word>
void LoadWord(std::byte* to, const std::byte* shared) {
  const Word word = protocol::LoadAcquire(*reinterpret_cast<const Word*>(shared));
  std::memcpy(to, &word, sizeof(Word));
}

template <typename Word>
void StoreWord(std::byte* shared, const std::byte* from) {
  Word word;
  std::memcpy(&word, from, sizeof(Word));
  protocol::StoreRelease(*reinterpret_cast<Word*>(shared), word);
}

}  // namespace

MemoryObjectCopyEngine::MemoryObjectCopyEngine(Mapping mapping) : mapping_(std::move(mapping)) {}

absl::Status MemoryObjectCopyEngine::FromDevice(std::span<std::byte> to, uint64_t offset) {
  const std::byte* const shared = mapping_.data() + offset;
  if (to.size() == 4) {
    LoadWord<uint32_t>(to.data(), shared);
  } else if (to.size() == 8 && offset % 8 == 0) {
    LoadWord<uint64_t>(to.data(), shared);
  } else {
    CopyFromShared(to.data(), shared, to.size());
  }
  return absl::OkStatus();
}

absl::Status MemoryObjectCopyEngine::ToDevice(uint64_t offset, std::span<const std::byte> from) {
  std::byte* const shared = mapping_.data() + offset;
  if (from.size() == 4) {
    StoreWord<uint32_t>(shared, from.data());
  } else if (from.size() == 8 && offset % 8 == 0) {
    StoreWord<uint64_t>(shared, from.data());
  } else {
    CopyToShared(shared, from.data(), from.size());
  }
  return absl::OkStatus();
}

}  // namespace simpler::transport
