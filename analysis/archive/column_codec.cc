#include "analysis/archive/column_codec.h"

#include <algorithm>
#include <bit>
#include <concepts>
#include <cstring>
#include <type_traits>

#include "analysis/archive/format.h"
#include "analysis/capture/capture.h"
#include "fmt/format.h"

namespace simpler::archive {
namespace {

// The integer that a column's type consists of.
template <typename T>
struct IntegerOf {
  using type = T;
};
template <typename T>
requires std::is_enum_v<T>
struct IntegerOf<T> {
  using type = std::underlying_type_t<T>;
};
template <typename T>
requires std::is_class_v<T>
struct IntegerOf<T> {
  using type = decltype(T::value);
};

template <typename T>
using Unsigned = std::make_unsigned_t<typename IntegerOf<T>::type>;

template <typename T>
Unsigned<T> Bits(T value) {
  return std::bit_cast<Unsigned<T>>(value);
}

template <typename T>
T FromBits(Unsigned<T> bits) {
  return std::bit_cast<T>(bits);
}

// Bytes of the widths that exist: 0, 1, 2, 4, 8.
uint32_t WidthOf(uint64_t largest) {
  if (largest == 0) return 0;
  if (largest <= UINT8_MAX) return 1;
  if (largest <= UINT16_MAX) return 2;
  if (largest <= UINT32_MAX) return 4;
  return 8;
}

// Differences 0, -1, 1, -2, … (unsigned, wrapped) <-> 0, 1, 2, 3, …
template <std::unsigned_integral U>
U ZigZag(U difference) {
  const auto sign = static_cast<U>(difference >> (8 * sizeof(U) - 1));
  return static_cast<U>(static_cast<U>(difference << 1) ^ static_cast<U>(0 - sign));
}

template <std::unsigned_integral U>
U UnZigZag(U value) {
  return static_cast<U>((value >> 1) ^ static_cast<U>(0 - (value & 1)));
}

template <std::unsigned_integral U>
U Difference(U a, U b) {
  return static_cast<U>(a - b);
}

// What the two encodings of the same values would need.
template <std::unsigned_integral U>
struct Ranges {
  U smallest;
  uint32_t offset_width;
  uint32_t delta_width;
};

template <typename T>
Ranges<Unsigned<T>> Measure(std::span<const T> values) {
  using U = Unsigned<T>;
  T smallest = values[0];
  T largest = values[0];
  U zigzags = 0;  // as wide as the largest of them
  for (size_t i = 1; i < values.size(); ++i) {
    smallest = std::min(smallest, values[i]);
    largest = std::max(largest, values[i]);
    zigzags = static_cast<U>(zigzags | ZigZag(Difference(Bits(values[i]), Bits(values[i - 1]))));
  }
  return {Bits(smallest), WidthOf(Difference(Bits(largest), Bits(smallest))), WidthOf(zigzags)};
}

// Stored integers are moved with memcpy: the byte strings of a message have no alignment.
template <std::unsigned_integral Stored>
Stored Get(const char* in, size_t i) {
  Stored stored;
  std::memcpy(&stored, in + i * sizeof(Stored), sizeof(Stored));
  return stored;
}

template <std::unsigned_integral Stored>
void Put(Stored stored, char* out, size_t i) {
  std::memcpy(out + i * sizeof(Stored), &stored, sizeof(Stored));
}

template <std::unsigned_integral Stored, typename T>
void StoreOffsets(std::span<const T> values, Unsigned<T> base, char* out) {
  for (size_t i = 0; i < values.size(); ++i) {
    Put(static_cast<Stored>(Difference(Bits(values[i]), base)), out, i);
  }
}

template <std::unsigned_integral Stored, typename T>
void StoreDeltas(std::span<const T> values, char* out) {
  Put(Stored{0}, out, 0);
  for (size_t i = 1; i < values.size(); ++i) {
    Put(static_cast<Stored>(ZigZag(Difference(Bits(values[i]), Bits(values[i - 1])))), out, i);
  }
}

template <std::unsigned_integral Stored, typename T>
void LoadOffsets(const char* in, Unsigned<T> base, std::span<T> values) {
  for (size_t i = 0; i < values.size(); ++i) {
    values[i] = FromBits<T>(static_cast<Unsigned<T>>(base + Get<Stored>(in, i)));
  }
}

// Two passes over pieces that stay in the first-level cache: the first has no dependency between
// values and is vectorised, the second is left with one addition per value.
template <std::unsigned_integral Stored, typename T>
void LoadDeltas(const char* in, Unsigned<T> base, std::span<T> values) {
  using U = Unsigned<T>;
  constexpr size_t kPiece = 1024;
  U sum = base;
  for (size_t begin = 0; begin < values.size(); begin += kPiece) {
    const size_t end = std::min(begin + kPiece, values.size());
    for (size_t i = begin; i < end; ++i) {
      values[i] = FromBits<T>(UnZigZag(static_cast<U>(Get<Stored>(in, i))));
    }
    for (size_t i = begin; i < end; ++i) {
      sum = static_cast<U>(sum + Bits(values[i]));
      values[i] = FromBits<T>(sum);
    }
  }
}

// Calls `visit` with a value of the unsigned type of `width` bytes, which a T can hold; not at all
// for width 0.
template <typename T, typename Visitor>
void WithWidth(uint32_t width, Visitor&& visit) {
  if (width == 1) visit(uint8_t{});
  if constexpr (sizeof(T) >= 2) {
    if (width == 2) visit(uint16_t{});
  }
  if constexpr (sizeof(T) >= 4) {
    if (width == 4) visit(uint32_t{});
  }
  if constexpr (sizeof(T) >= 8) {
    if (width == 8) visit(uint64_t{});
  }
}

bool IsWidth(uint32_t width) { return width <= 8 && (width & (width - 1)) == 0; }

absl::Status CheckColumn(const v1::Column& column, const char* name, size_t type_size) {
  if (column.count() > kMaxColumnValues) {
    return absl::InvalidArgumentError(
        fmt::format("{}: declares {} values, more than the allowed {}", name, column.count(),
                    kMaxColumnValues));
  }
  if (!IsWidth(column.width()) || column.width() > type_size) {
    return absl::InvalidArgumentError(fmt::format("{}: width {} does not fit a type of {} bytes",
                                                  name, column.width(), type_size));
  }
  if (column.encoding() != v1::Column::ENCODING_OFFSET &&
      column.encoding() != v1::Column::ENCODING_DELTA) {
    return absl::InvalidArgumentError(
        fmt::format("{}: unknown encoding {}", name, static_cast<int>(column.encoding())));
  }
  if (column.values().size() != size_t{column.count()} * column.width()) {
    return absl::InvalidArgumentError(
        fmt::format("{}: {} values of {} bytes cannot be {} bytes long", name, column.count(),
                    column.width(), column.values().size()));
  }
  return absl::OkStatus();
}

template <typename T>
void Load(const v1::Column& column, std::vector<T>& values) {
  const auto base = static_cast<Unsigned<T>>(column.base());
  if (column.width() == 0) {
    values.assign(column.count(), FromBits<T>(base));
    return;
  }
  values.resize(column.count());
  const std::span<T> out(values);
  const char* in = column.values().data();
  WithWidth<T>(column.width(), [&](auto stored) {
    using Stored = decltype(stored);
    if (column.encoding() == v1::Column::ENCODING_DELTA) {
      LoadDeltas<Stored>(in, base, out);
    } else {
      LoadOffsets<Stored>(in, base, out);
    }
  });
}

}  // namespace

template <typename T>
void EncodeColumn(std::span<const T> values, v1::Column* column) {
  column->Clear();
  column->set_count(static_cast<uint32_t>(values.size()));
  if (values.empty()) return;
  const Ranges<Unsigned<T>> ranges = Measure(values);
  const bool delta = ranges.delta_width < ranges.offset_width;
  const uint32_t width = delta ? ranges.delta_width : ranges.offset_width;
  column->set_encoding(delta ? v1::Column::ENCODING_DELTA : v1::Column::ENCODING_OFFSET);
  column->set_width(width);
  column->set_base(delta ? Bits(values[0]) : ranges.smallest);
  std::string& out = *column->mutable_values();
  out.resize(values.size() * width);
  WithWidth<T>(width, [&](auto stored) {
    using Stored = decltype(stored);
    if (delta) {
      StoreDeltas<Stored>(values, out.data());
    } else {
      StoreOffsets<Stored>(values, ranges.smallest, out.data());
    }
  });
}

template <typename T>
absl::Status DecodeColumn(const v1::Column& column, const char* name, std::vector<T>& values) {
  if (absl::Status status = CheckColumn(column, name, sizeof(T)); !status.ok()) return status;
  Load(column, values);
  return absl::OkStatus();
}

template <typename T>
absl::Status DecodeColumn(const v1::Column& column, const char* name, size_t count,
                          std::vector<T>& values) {
  if (column.count() != count) {
    return absl::InvalidArgumentError(fmt::format(
        "{}: holds {} values where the section has {} rows", name, column.count(), count));
  }
  return DecodeColumn(column, name, values);
}

void EncodeTexts(const std::vector<std::string>& texts, v1::TextColumn* column) {
  std::vector<uint32_t> lengths;
  lengths.reserve(texts.size());
  column->clear_text();
  for (const std::string& text : texts) {
    lengths.push_back(static_cast<uint32_t>(text.size()));
    column->mutable_text()->append(text);
  }
  EncodeColumn(lengths, column->mutable_lengths());
}

absl::Status DecodeTexts(const v1::TextColumn& column, const char* name,
                         std::vector<std::string>& texts) {
  std::vector<uint32_t> lengths;
  absl::Status status = DecodeColumn(column.lengths(), name, lengths);
  if (!status.ok()) return status;
  uint64_t total = 0;
  for (uint32_t length : lengths) total += length;
  if (total != column.text().size()) {
    return absl::InvalidArgumentError(fmt::format(
        "{}: the lengths sum to {}, the text has {} bytes", name, total, column.text().size()));
  }
  texts.clear();
  texts.reserve(lengths.size());
  size_t begin = 0;
  for (uint32_t length : lengths) {
    texts.push_back(column.text().substr(begin, length));
    begin += length;
  }
  return absl::OkStatus();
}

#define SIMPLER_INSTANTIATE_COLUMN(T)                                                     \
  template void EncodeColumn<T>(std::span<const T>, v1::Column*);                         \
  template absl::Status DecodeColumn<T>(const v1::Column&, const char*, std::vector<T>&); \
  template absl::Status DecodeColumn<T>(const v1::Column&, const char*, size_t, std::vector<T>&)
SIMPLER_INSTANTIATE_COLUMN(uint8_t);
SIMPLER_INSTANTIATE_COLUMN(uint16_t);
SIMPLER_INSTANTIATE_COLUMN(uint32_t);
SIMPLER_INSTANTIATE_COLUMN(uint64_t);
SIMPLER_INSTANTIATE_COLUMN(int16_t);
SIMPLER_INSTANTIATE_COLUMN(int32_t);
SIMPLER_INSTANTIATE_COLUMN(int64_t);
SIMPLER_INSTANTIATE_COLUMN(capture::DeviceCycles);
SIMPLER_INSTANTIATE_COLUMN(capture::HostNanos);
SIMPLER_INSTANTIATE_COLUMN(capture::CoreType);
SIMPLER_INSTANTIATE_COLUMN(capture::PhaseKind);
SIMPLER_INSTANTIATE_COLUMN(capture::OrchestratorPhaseKind);
#undef SIMPLER_INSTANTIATE_COLUMN

}  // namespace simpler::archive
