// The entry beside an archive: what is known of the capture without reading it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "daemon/store/capture_info.h"

namespace simpler::daemon {

// The bytes of the file: a simpler.store.v1.Entry behind its CRC-32C (four bytes, little-endian).
std::string EncodeEntry(const CaptureInfo& info);

// Absent when the bytes are damaged or describe an archive of another size. The id and where the
// capture is are not in the file.
std::optional<CaptureInfo> DecodeEntry(const std::string& bytes, uint64_t archive_bytes);

}  // namespace simpler::daemon
