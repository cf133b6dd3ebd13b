// Columns of integers as fixed-width differences: small, and decoded at memory speed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "proto/simpler/archive/v1/archive.pb.h"

namespace simpler::archive {

// Both functions exist for uint8_t, uint16_t, uint32_t, uint64_t, int16_t, int32_t, int64_t,
// DeviceCycles, HostNanos, and the enumerations that are columns of blocks. Encoding followed by
// decoding gives the same values, whatever they are: arithmetic wraps.

// Replaces `column`. Picks the narrower of the two encodings. At most kMaxColumnValues values.
// O(values).
template <typename T>
void EncodeColumn(std::span<const T> values, v1::Column* column);

template <typename T>
void EncodeColumn(const std::vector<T>& values, v1::Column* column) {
  EncodeColumn(std::span<const T>(values), column);
}

// Replaces `values`. InvalidArgument, beginning with `name`, when the column's parts contradict one
// another, it holds more than kMaxColumnValues values, or its width exceeds the type.
template <typename T>
absl::Status DecodeColumn(const v1::Column& column, const char* name, std::vector<T>& values);

// The same for a column that must hold `count` values.
template <typename T>
absl::Status DecodeColumn(const v1::Column& column, const char* name, size_t count,
                          std::vector<T>& values);

// Texts as one byte string and the column of their lengths.
void EncodeTexts(const std::vector<std::string>& texts, v1::TextColumn* column);
absl::Status DecodeTexts(const v1::TextColumn& column, const char* name,
                         std::vector<std::string>& texts);

}  // namespace simpler::archive
