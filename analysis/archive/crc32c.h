// CRC-32C (Castagnoli polynomial, reflected, as in iSCSI and ext4).
#pragma once

#include <cstdint>
#include <string_view>

namespace simpler::archive {

// The checksum of everything that led to `crc`, followed by `bytes`:
// Crc32c(b, Crc32c(a)) == Crc32c(a + b). Uses the processor's instruction where there is one.
uint32_t Crc32c(std::string_view bytes, uint32_t crc = 0);

// The same without that instruction; public so that tests can compare the two.
uint32_t Crc32cPortable(std::string_view bytes, uint32_t crc = 0);

}  // namespace simpler::archive
