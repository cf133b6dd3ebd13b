// The chip's memory as this process sees it.
#pragma once

#include <cstddef>
#include <cstdint>

namespace simpler::device {

// Device addresses [base, base + size), mapped at `mapped`. Does not own the mapping. On a chip the
// mapping is the identity; elsewhere an address is never a pointer. Immutable, so any thread may
// use it.
class DeviceMemory {
 public:
  DeviceMemory() = default;
  DeviceMemory(uint64_t base, std::byte* mapped, uint64_t size)
      : base_(base), size_(size), mapped_(mapped) {}

  // The `bytes` bytes at `address`, or null unless they all are in this memory and `address` is a
  // multiple of `alignment`. Addresses come from the other side and are not trusted.
  std::byte* Find(uint64_t address, uint64_t bytes, uint64_t alignment) const {
    const uint64_t offset = address - base_;
    if (address < base_ || bytes > size_ || offset > size_ - bytes) return nullptr;
    return address % alignment == 0 ? mapped_ + offset : nullptr;
  }

  template <typename T>
  T* FindAs(uint64_t address, uint64_t count = 1) const {
    return reinterpret_cast<T*>(Find(address, count * sizeof(T), alignof(T)));
  }

 private:
  uint64_t base_ = 0;
  uint64_t size_ = 0;
  std::byte* mapped_ = nullptr;
};

}  // namespace simpler::device
