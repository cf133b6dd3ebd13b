// Fixed-width little-endian integers in byte strings.
#pragma once

#include <bit>
#include <concepts>
#include <cstring>
#include <string>

namespace simpler::archive {

static_assert(std::endian::native == std::endian::little,
              "archives are written and read by copying integers from and to memory");

template <std::unsigned_integral T>
T LoadLittleEndian(const char* bytes) {
  T value;
  std::memcpy(&value, bytes, sizeof(value));
  return value;
}

template <std::unsigned_integral T>
void AppendLittleEndian(T value, std::string& out) {
  out.append(reinterpret_cast<const char*>(&value), sizeof(value));
}

}  // namespace simpler::archive
