#include "analysis/formats/json_integer.h"

#include "analysis/formats/json_value.h"

namespace simpler::formats {
namespace {

namespace ondemand = simdjson::ondemand;

// Reads `-?[0-9]+"`; the document guarantees the closing quote.
JsonInteger ParseQuoted(const char* text, uint64_t& out) {
  const bool negative = *text == '-';
  if (negative) ++text;
  uint64_t magnitude = 0;
  const char* digit = text;
  for (; *digit >= '0' && *digit <= '9'; ++digit) {
    if (__builtin_mul_overflow(magnitude, uint64_t{10}, &magnitude) ||
        __builtin_add_overflow(magnitude, static_cast<uint64_t>(*digit - '0'), &magnitude)) {
      return JsonInteger::kUnusable;
    }
  }
  if (digit == text || *digit != '"') return JsonInteger::kUnusable;
  out = negative ? uint64_t{0} - magnitude : magnitude;
  return JsonInteger::kOk;
}

JsonInteger ParseNumber(ondemand::value& value, uint64_t& out) {
  if (!value.get_uint64().get(out)) return JsonInteger::kOk;
  int64_t negative = 0;
  if (value.get_int64().get(negative)) return JsonInteger::kWrongType;
  out = static_cast<uint64_t>(negative);
  return JsonInteger::kOk;
}

}  // namespace

JsonInteger ParseInteger(ondemand::value value, uint64_t& out) {
  ondemand::json_type type;
  if (value.type().get(type)) return JsonInteger::kDamaged;
  switch (type) {
    case ondemand::json_type::string: {
      ondemand::raw_json_string text;
      if (value.get_raw_json_string().get(text)) return JsonInteger::kDamaged;
      return ParseQuoted(text.raw(), out);
    }
    case ondemand::json_type::number:
      return ParseNumber(value, out);
    case ondemand::json_type::null:
      return ReadNull(value) ? JsonInteger::kUnusable : JsonInteger::kDamaged;
    default:
      return JsonInteger::kWrongType;
  }
}

}  // namespace simpler::formats
