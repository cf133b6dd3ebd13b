// Copies between private memory and memory that another process may be writing, word by word.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "collector/protocol/shared_word.h"

namespace simpler::transport {

namespace internal {

template <typename Word>
void CopyOut(std::byte* to, const std::byte* shared, size_t words) {
  const auto* from = reinterpret_cast<const Word*>(shared);
  for (size_t i = 0; i < words; ++i) {
    const Word word = protocol::LoadRelaxed(from[i]);
    std::memcpy(to + i * sizeof(Word), &word, sizeof(Word));
  }
}

template <typename Word>
void CopyIn(std::byte* shared, const std::byte* from, size_t words) {
  auto* to = reinterpret_cast<Word*>(shared);
  for (size_t i = 0; i < words; ++i) {
    Word word;
    std::memcpy(&word, from + i * sizeof(Word), sizeof(Word));
    protocol::StoreRelaxed(to[i], word);
  }
}

inline bool IsAligned(const std::byte* shared, size_t bytes, size_t alignment) {
  return (reinterpret_cast<uintptr_t>(shared) | bytes) % alignment == 0;
}

}  // namespace internal

// `shared` and `bytes` are multiples of 4. The private side needs no alignment.
inline void CopyFromShared(std::byte* to, const std::byte* shared, size_t bytes) {
  if (internal::IsAligned(shared, bytes, 8)) {
    internal::CopyOut<uint64_t>(to, shared, bytes / 8);
  } else {
    internal::CopyOut<uint32_t>(to, shared, bytes / 4);
  }
}

inline void CopyToShared(std::byte* shared, const std::byte* from, size_t bytes) {
  if (internal::IsAligned(shared, bytes, 8)) {
    internal::CopyIn<uint64_t>(shared, from, bytes / 8);
  } else {
    internal::CopyIn<uint32_t>(shared, from, bytes / 4);
  }
}

}  // namespace simpler::transport
