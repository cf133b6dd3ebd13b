// Memory that a chip's process and its host share: one file without a name and with a fixed size,
// of which only what is touched takes memory.
#pragma once

#include <cstddef>
#include <cstdint>

#include "absl/status/statusor.h"

namespace simpler::transport {

// Move-only owner of the file descriptor. The object lives until the last descriptor and the last
// mapping of any process are gone.
class MemoryObject {
 public:
  // A zero-filled object of `bytes` bytes, rounded up to whole pages. It is sealed: nobody who gets
  // the descriptor can change its size, which would kill a host that has it mapped. InvalidArgument
  // for 0 bytes; else what the kernel says.
  static absl::StatusOr<MemoryObject> Create(uint64_t bytes);

  // Takes over a descriptor that came from another process. InvalidArgument, and the descriptor
  // closed, unless it is a memory object that is sealed against changes of its size.
  static absl::StatusOr<MemoryObject> Adopt(int fd);

  MemoryObject(MemoryObject&& other) noexcept;
  MemoryObject& operator=(MemoryObject&& other) noexcept;
  ~MemoryObject();

  int fd() const { return fd_; }  // stays owned by this object
  uint64_t size() const { return size_; }

 private:
  MemoryObject(int fd, uint64_t size) : fd_(fd), size_(size) {}

  int fd_ = -1;
  uint64_t size_ = 0;
};

// All of a memory object, readable and writable, at an address that the kernel chooses.
class Mapping {
 public:
  static absl::StatusOr<Mapping> Create(const MemoryObject& object);

  Mapping(Mapping&& other) noexcept;
  Mapping& operator=(Mapping&& other) noexcept;
  ~Mapping();

  std::byte* data() const { return data_; }
  uint64_t size() const { return size_; }

 private:
  Mapping(std::byte* data, uint64_t size) : data_(data), size_(size) {}

  std::byte* data_ = nullptr;
  uint64_t size_ = 0;
};

}  // namespace simpler::transport
