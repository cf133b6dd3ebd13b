#include "analysis/timeline/perfetto/wire.h"

namespace simpler::timeline::wire {

uint8_t* CloseLongMessage(uint8_t* length, uint8_t* end) {
  const size_t size = static_cast<size_t>(end - length) - 1;
  uint8_t encoded[kMaxVarintBytes];
  const size_t encoded_size = static_cast<size_t>(PutVarint(encoded, size) - encoded);
  std::memmove(length + encoded_size, length + 1, size);
  std::memcpy(length, encoded, encoded_size);
  return length + encoded_size + size;
}

}  // namespace simpler::timeline::wire
