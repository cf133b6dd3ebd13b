// Access to single words of memory that another process may be writing. A naturally aligned word of
// 32 or 64 bits never tears; anything larger may. Order comes from acquire and release on the words
// that publish, never from fences, which ThreadSanitizer does not see.
#pragma once

#include <atomic>
#include <type_traits>

namespace simpler::protocol {

template <typename T>
concept SharedWord = std::is_trivially_copyable_v<T> &&(sizeof(T) == 4 || sizeof(T) == 8) &&
                     std::atomic_ref<T>::is_always_lock_free;

// The cast is needed before C++26: atomic_ref of a const type cannot load.
template <SharedWord T>
T LoadAcquire(const T& word) {
  return std::atomic_ref<T>(const_cast<T&>(word)).load(std::memory_order_acquire);
}

template <SharedWord T>
T LoadRelaxed(const T& word) {
  return std::atomic_ref<T>(const_cast<T&>(word)).load(std::memory_order_relaxed);
}

template <SharedWord T>
void StoreRelease(T& word, std::type_identity_t<T> value) {
  std::atomic_ref<T>(word).store(value, std::memory_order_release);
}

template <SharedWord T>
void StoreRelaxed(T& word, std::type_identity_t<T> value) {
  std::atomic_ref<T>(word).store(value, std::memory_order_relaxed);
}

// For words that have one writer: cheaper than an atomic addition, and wraps like one.
template <SharedWord T>
void AddByOnlyWriter(T& word, std::type_identity_t<T> amount) {
  StoreRelaxed(word, LoadRelaxed(word) + amount);
}

}  // namespace simpler::protocol
