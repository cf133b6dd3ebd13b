#include "analysis/timeline/perfetto/packet_buffer.h"

#include <algorithm>
#include <string_view>

namespace simpler::timeline {

PacketBuffer::PacketBuffer(ByteSink* sink, size_t capacity) : sink_(sink), capacity_(capacity) {
  Resize(capacity);
}

absl::Status PacketBuffer::Flush() {
  if (!status_.ok()) return status_;
  const size_t size = static_cast<size_t>(next_ - bytes_.data());
  status_ = sink_->Append(std::string_view(reinterpret_cast<const char*>(bytes_.data()), size));
  flushed_ += size;
  next_ = bytes_.data();
  if (!status_.ok()) limit_ = next_;
  return status_;
}

uint8_t* PacketBuffer::ReserveSlow(size_t size) {
  if (!Flush().ok()) return nullptr;
  const size_t wanted = std::max(size, capacity_);
  if (bytes_.size() != wanted) Resize(wanted);
  return next_;
}

void PacketBuffer::Resize(size_t capacity) {
  bytes_ = std::vector<uint8_t>(capacity);
  next_ = bytes_.data();
  limit_ = next_ + capacity;
}

}  // namespace simpler::timeline
