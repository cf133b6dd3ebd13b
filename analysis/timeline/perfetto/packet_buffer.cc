#include "analysis/timeline/perfetto/packet_buffer.h"

#include <algorithm>
#include <string_view>

namespace simpler::timeline {

PacketBuffer::PacketBuffer(ByteSink* sink, size_t capacity) : sink_(sink), capacity_(capacity) {
  Resize(capacity);
}

absl::Status PacketBuffer::Flush() {
  if (!status_.ok()) return status_;
  status_ = sink_->Append(std::string_view(reinterpret_cast<const char*>(bytes_.get()), kept()));
  flushed_ += kept();
  next_ = bytes_.get();
  if (!status_.ok()) limit_ = next_;
  return status_;
}

bool PacketBuffer::EnsureRoomSlow(size_t size) {
  if (!Flush().ok()) return false;
  const size_t wanted = std::max(size, capacity_);
  if (size_ != wanted) Resize(wanted);
  return true;
}

void PacketBuffer::Resize(size_t size) {
  bytes_ = std::make_unique_for_overwrite<uint8_t[]>(size);
  size_ = size;
  next_ = bytes_.get();
  limit_ = next_ + size;
}

}  // namespace simpler::timeline
