#include "analysis/archive/crc32c.h"

#include <array>
#include <cstddef>
#include <cstring>

#if defined(__x86_64__)
#include <nmmintrin.h>
#endif

namespace simpler::archive {
namespace {

constexpr uint32_t kReflectedPolynomial = 0x82F63B78;
constexpr size_t kStride = 8;  // bytes that the portable loop takes at once

using Table = std::array<uint32_t, 256>;

// tables[k][b]: the checksum of byte b followed by k zero bytes.
constexpr std::array<Table, kStride> MakeTables() {
  std::array<Table, kStride> tables{};
  for (uint32_t byte = 0; byte < 256; ++byte) {
    uint32_t crc = byte;
    for (int bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ (crc & 1 ? kReflectedPolynomial : 0);
    tables[0][byte] = crc;
  }
  for (size_t k = 1; k < kStride; ++k) {
    for (uint32_t byte = 0; byte < 256; ++byte) {
      const uint32_t shorter = tables[k - 1][byte];
      tables[k][byte] = shorter >> 8 ^ tables[0][shorter & 0xFF];
    }
  }
  return tables;
}

constexpr std::array<Table, kStride> kTables = MakeTables();

uint32_t Byte(std::string_view bytes, size_t i) { return static_cast<uint8_t>(bytes[i]); }

#if defined(__x86_64__)
__attribute__((target("sse4.2"))) uint32_t Crc32cHardware(std::string_view bytes, uint32_t crc) {
  uint64_t state = ~crc;
  for (; bytes.size() >= sizeof(uint64_t); bytes.remove_prefix(sizeof(uint64_t))) {
    uint64_t word;
    std::memcpy(&word, bytes.data(), sizeof(word));
    state = _mm_crc32_u64(state, word);
  }
  auto narrow = static_cast<uint32_t>(state);
  for (size_t i = 0; i < bytes.size(); ++i) {
    narrow = _mm_crc32_u8(narrow, static_cast<uint8_t>(bytes[i]));
  }
  return ~narrow;
}
#endif

}  // namespace

uint32_t Crc32cPortable(std::string_view bytes, uint32_t crc) {
  uint32_t state = ~crc;
  for (; bytes.size() >= kStride; bytes.remove_prefix(kStride)) {
    const uint32_t first = state ^ (Byte(bytes, 0) | Byte(bytes, 1) << 8 | Byte(bytes, 2) << 16 |
                                    Byte(bytes, 3) << 24);
    state = kTables[7][first & 0xFF] ^ kTables[6][first >> 8 & 0xFF] ^
            kTables[5][first >> 16 & 0xFF] ^ kTables[4][first >> 24] ^ kTables[3][Byte(bytes, 4)] ^
            kTables[2][Byte(bytes, 5)] ^ kTables[1][Byte(bytes, 6)] ^ kTables[0][Byte(bytes, 7)];
  }
  for (size_t i = 0; i < bytes.size(); ++i) {
    state = state >> 8 ^ kTables[0][(state ^ Byte(bytes, i)) & 0xFF];
  }
  return ~state;
}

uint32_t Crc32c(std::string_view bytes, uint32_t crc) {
#if defined(__x86_64__)
  static const bool has_instruction = __builtin_cpu_supports("sse4.2") != 0;
  if (has_instruction) return Crc32cHardware(bytes, crc);
#endif
  return Crc32cPortable(bytes, crc);
}

}  // namespace simpler::archive
