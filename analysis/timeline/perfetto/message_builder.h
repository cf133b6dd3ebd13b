// A protobuf message built in a string: for the few packets per trace that declare tracks,
// sequences and strings. Events, of which there are millions, use wire.h directly.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "analysis/timeline/perfetto/wire.h"

namespace simpler::timeline {

class MessageBuilder {
 public:
  // Each appends one field. A signed value is passed as the uint64_t of the same bits, which is
  // how protobuf encodes int32 and int64.
  MessageBuilder& AddVarint(uint32_t field, uint64_t value);
  MessageBuilder& AddString(uint32_t field, std::string_view value);
  MessageBuilder& AddMessage(uint32_t field, const MessageBuilder& value);

  const std::string& bytes() const { return bytes_; }

 private:
  void AppendVarint(uint64_t value);

  std::string bytes_;
};

}  // namespace simpler::timeline
