#include "analysis/timeline/perfetto/message_builder.h"

namespace simpler::timeline {

MessageBuilder& MessageBuilder::AddVarint(uint32_t field, uint64_t value) {
  AppendVarint(wire::Tag(field, wire::Type::kVarint));
  AppendVarint(value);
  return *this;
}

MessageBuilder& MessageBuilder::AddString(uint32_t field, std::string_view value) {
  AppendVarint(wire::Tag(field, wire::Type::kBytes));
  AppendVarint(value.size());
  bytes_.append(value);
  return *this;
}

MessageBuilder& MessageBuilder::AddMessage(uint32_t field, const MessageBuilder& value) {
  return AddString(field, value.bytes());
}

void MessageBuilder::AppendVarint(uint64_t value) {
  uint8_t encoded[wire::kMaxVarintBytes];
  const uint8_t* end = wire::PutVarint(encoded, value);
  bytes_.append(reinterpret_cast<const char*>(encoded), static_cast<size_t>(end - encoded));
}

}  // namespace simpler::timeline
