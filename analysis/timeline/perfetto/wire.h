// Protobuf wire encoding into memory that the caller has reserved: the hot half of the Perfetto
// sink. Every function writes at `out` and returns the position behind what it wrote. None checks
// for room; the Max constants say how much each needs.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace simpler::timeline::wire {

static_assert(std::endian::native == std::endian::little, "the wire is little endian");

enum class Type : uint32_t { kVarint = 0, kFixed64 = 1, kBytes = 2 };

constexpr uint32_t Tag(uint32_t field, Type type) {
  return field << 3 | static_cast<uint32_t>(type);
}

inline constexpr size_t kMaxVarintBytes = 10;
inline constexpr size_t kMaxTagBytes = 2;     // of the fields in schema.h, all below 2048
inline constexpr size_t kMaxLengthBytes = 5;  // protobuf lengths are below 2^31

inline uint8_t* PutVarint(uint8_t* out, uint64_t value) {
  while (value >= 0x80) {
    *out++ = static_cast<uint8_t>(value | 0x80);
    value >>= 7;
  }
  *out++ = static_cast<uint8_t>(value);
  return out;
}

// The same for values that take two or three bytes as often as not: times in nanoseconds between
// events that are microseconds apart. No branch depends on which of the two it is. May scribble
// over one byte behind the varint.
inline uint8_t* PutTimeVarint(uint8_t* out, uint64_t value) {
  if (value - 0x80 >= (1U << 21) - 0x80) return PutVarint(out, value);
  // Adding what is above a byte's seven bits moves it up by one, behind the continuation bit.
  auto encoded = static_cast<uint32_t>(value);
  encoded += encoded & ~0x7fU;
  encoded += encoded & ~0x7fffU;
  const uint32_t third = value >= 1U << 14 ? 1 : 0;
  encoded |= third << 15 | 0x80;
  std::memcpy(out, &encoded, sizeof(encoded));
  return out + 2 + third;
}

inline uint8_t* PutFixed64(uint8_t* out, uint64_t value) {
  std::memcpy(out, &value, sizeof(value));
  return out + sizeof(value);
}

template <uint32_t kTag>
uint8_t* PutTag(uint8_t* out) {
  static_assert(kTag < 1U << 14, "a tag is one or two bytes");
  if constexpr (kTag < 0x80) {
    *out++ = static_cast<uint8_t>(kTag);
  } else {
    *out++ = static_cast<uint8_t>(kTag | 0x80);
    *out++ = static_cast<uint8_t>(kTag >> 7);
  }
  return out;
}

template <uint32_t kField>
uint8_t* PutVarintField(uint8_t* out, uint64_t value) {
  return PutVarint(PutTag<Tag(kField, Type::kVarint)>(out), value);
}

template <uint32_t kField>
uint8_t* PutFixed64Field(uint8_t* out, uint64_t value) {
  return PutFixed64(PutTag<Tag(kField, Type::kFixed64)>(out), value);
}

template <uint32_t kField>
uint8_t* PutBytesField(uint8_t* out, std::string_view value) {
  out = PutVarint(PutTag<Tag(kField, Type::kBytes)>(out), value.size());
  std::memcpy(out, value.data(), value.size());
  return out + value.size();
}

// A message inside a message is written behind one byte kept for its length:
//
//   uint8_t* length = out++;
//   out = …fields…;
//   out = CloseMessage(length, out);
//
// A body of 128 bytes or more moves up to make room for a longer length, by at most
// kMaxLengthBytes - 1.
uint8_t* CloseLongMessage(uint8_t* length, uint8_t* end);

inline uint8_t* CloseMessage(uint8_t* length, uint8_t* end) {
  const size_t size = static_cast<size_t>(end - length) - 1;
  if (size >= 0x80) [[unlikely]] {
    return CloseLongMessage(length, end);
  }
  *length = static_cast<uint8_t>(size);
  return end;
}

}  // namespace simpler::timeline::wire
