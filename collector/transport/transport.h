// How a host reaches the memory that it shares with a chip. Addresses are the chip's and never
// pointers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "collector/transport/memory_object.h"

namespace simpler::transport {

// Where device addresses begin. Far above what a process may map, so that an address that is
// mistaken for a pointer fails at once.
inline constexpr uint64_t kDeviceBase = uint64_t{1} << 60;

// All functions may be called from any thread. Accesses outside of the memory fail with OutOfRange,
// misaligned ones with InvalidArgument, and nothing is transferred; other failures are those of the
// copy engine. Nothing but failing allocates or blocks, except Allocate and Free.
class Transport {
 public:
  virtual ~Transport() = default;

  // A block of device memory, aligned to 64 bytes. It holds what the last user left in it, and
  // zeros before that. ResourceExhausted, naming the largest block, when it does not fit.
  virtual absl::StatusOr<uint64_t> Allocate(uint64_t bytes) = 0;
  // NotFound when no block starts there.
  virtual absl::Status Free(uint64_t address) = 0;
  virtual uint64_t used_bytes() const = 0;

  // One aligned word, which never tears. Loads acquire, stores release.
  virtual absl::Status Load(uint64_t address, uint32_t* word) = 0;
  virtual absl::Status Load(uint64_t address, uint64_t* word) = 0;
  virtual absl::Status Store(uint64_t address, uint32_t word) = 0;
  virtual absl::Status Store(uint64_t address, uint64_t word) = 0;

  // Many words at once, in any order, each of them whole. Address and size are multiples of 4.
  virtual absl::Status Read(uint64_t address, std::span<std::byte> to) = 0;
  // The same towards the device. Only while nothing runs there: it may undo what the device wrote.
  virtual absl::Status Write(uint64_t address, std::span<const std::byte> from) = 0;

  // The scratch.size() bytes at `address`: in place where the memory is mapped, else copied into
  // `scratch`. Valid as long as both the block and the scratch. In place they may still change if
  // the other side breaks the protocol: read every word once.
  virtual absl::StatusOr<const std::byte*> View(uint64_t address, std::span<std::byte> scratch) = 0;

  // What the other side maps, from kDeviceBase on.
  virtual const MemoryObject& memory() const = 0;
};

}  // namespace simpler::transport
