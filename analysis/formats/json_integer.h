// 64-bit integers of JSON documents that appear as numbers or as decimal strings.
#pragma once

#include <cstdint>

#include "simdjson.h"

namespace simpler::formats {

enum class JsonInteger : uint8_t {
  kOk,
  kUnusable,   // null, or a string that is no decimal number of 64 bits
  kWrongType,  // a fraction, a number beyond 64 bits, a boolean, an array or an object
  kDamaged,    // not a JSON value
};

// Stores the value in `out` when the result is kOk, else leaves it alone. Exact over the whole
// range; negative values wrap, as the tools that write ids treat all 64 bits as a bit pattern.
JsonInteger ParseInteger(simdjson::ondemand::value value, uint64_t& out);

}  // namespace simpler::formats
