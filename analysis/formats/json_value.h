// Small readers of single JSON values on top of simdjson On-Demand, shared by the format readers.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

#include "simdjson.h"

namespace simpler::formats {

// Reads an unsigned integer of at most `max`. False, and the value is still unread, otherwise.
inline bool ReadUint(simdjson::ondemand::value& value, uint64_t max, uint64_t& out) {
  return value.get_uint64().get(out) == simdjson::SUCCESS && out <= max;
}

inline bool ReadUint32(simdjson::ondemand::value& value, uint32_t& out) {
  uint64_t wide = 0;
  if (!ReadUint(value, std::numeric_limits<uint32_t>::max(), wide)) return false;
  out = static_cast<uint32_t>(wide);
  return true;
}

// Reads a clock value: 0 … 2^63 - 1, so that differences never overflow.
inline bool ReadStamp(simdjson::ondemand::value& value, int64_t& out) {
  uint64_t wide = 0;
  if (!ReadUint(value, std::numeric_limits<int64_t>::max(), wide)) return false;
  out = static_cast<int64_t>(wide);
  return true;
}

// Reads a 64-bit id written as a JSON integer or as a decimal string. Negative values wrap to
// unsigned, as the writers' C integers do.
bool ReadId(simdjson::ondemand::value& value, uint64_t& out);

// Reads `null`. False, and the value is still unread, for anything else.
inline bool ReadNull(simdjson::ondemand::value& value) {
  bool is_null = false;
  return value.is_null().get(is_null) == simdjson::SUCCESS && is_null;
}

// The beginning of a value's text, for messages. Call it on an unread value.
std::string Excerpt(simdjson::ondemand::value& value);

// The JSON text of any value, proved to be valid JSON when the result is SUCCESS.
simdjson::error_code ReadJsonText(simdjson::ondemand::value value, std::string& text);

// A string as a JSON literal, quoted and escaped.
std::string JsonQuote(std::string_view text);

}  // namespace simpler::formats
