// The buffer between the packet encoder and the sink.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "analysis/timeline/byte_sink.h"

namespace simpler::timeline {

class PacketBuffer {
 public:
  // The sink belongs to the caller and outlives the buffer. `capacity` is in bytes.
  PacketBuffer(ByteSink* sink, size_t capacity);
  PacketBuffer(const PacketBuffer&) = delete;
  PacketBuffer& operator=(const PacketBuffer&) = delete;

  // Room for `size` more bytes, or nullptr once the sink has failed; status() then says why. Room
  // beyond the capacity enlarges the buffer until the next flush.
  uint8_t* Reserve(size_t size) {
    if (size <= static_cast<size_t>(limit_ - next_)) [[likely]] {
      return next_;
    }
    return ReserveSlow(size);
  }

  // Keeps what was written from the reserved position up to `end`.
  void CommitTo(uint8_t* end) { next_ = end; }

  // Hands everything kept to the sink.
  absl::Status Flush();

  const absl::Status& status() const { return status_; }

  // Bytes kept since construction, flushed or not.
  uint64_t bytes_written() const { return flushed_ + static_cast<size_t>(next_ - bytes_.data()); }

 private:
  uint8_t* ReserveSlow(size_t size);
  void Resize(size_t capacity);

  ByteSink* sink_;
  size_t capacity_;
  std::vector<uint8_t> bytes_;
  uint8_t* next_;
  uint8_t* limit_;  // == next_ once the sink has failed, so that no reservation succeeds
  uint64_t flushed_ = 0;
  absl::Status status_;
};

}  // namespace simpler::timeline
