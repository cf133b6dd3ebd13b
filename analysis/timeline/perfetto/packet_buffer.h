// The buffer between the packet encoder and the sink.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "absl/status/status.h"
#include "analysis/timeline/byte_sink.h"

namespace simpler::timeline {

class PacketBuffer {
 public:
  // The sink belongs to the caller and outlives the buffer. `capacity` is in bytes.
  PacketBuffer(ByteSink* sink, size_t capacity);
  PacketBuffer(const PacketBuffer&) = delete;
  PacketBuffer& operator=(const PacketBuffer&) = delete;

  // Makes room for `size` more bytes at next(). False once the sink has failed; status() then says
  // why. Room beyond the capacity enlarges the buffer until the next flush.
  bool EnsureRoom(size_t size) {
    return size <= static_cast<size_t>(limit_ - next_) || EnsureRoomSlow(size);
  }

  uint8_t* next() const { return next_; }

  // Keeps what was written from next() up to `end`.
  void CommitTo(uint8_t* end) { next_ = end; }

  // Hands everything kept to the sink.
  absl::Status Flush();

  const absl::Status& status() const { return status_; }

  // Bytes kept since construction, flushed or not.
  uint64_t bytes_written() const { return flushed_ + kept(); }

 private:
  bool EnsureRoomSlow(size_t size);
  void Resize(size_t size);
  size_t kept() const { return static_cast<size_t>(next_ - bytes_.get()); }

  ByteSink* sink_;
  size_t capacity_;
  size_t size_ = 0;  // the capacity, or more for a large piece
  std::unique_ptr<uint8_t[]> bytes_;
  uint8_t* next_;
  uint8_t* limit_;  // == next_ once the sink has failed, so that there is never room
  uint64_t flushed_ = 0;
  absl::Status status_;
};

}  // namespace simpler::timeline
