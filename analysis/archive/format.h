// The outer layout of a capture archive (docs/capture-archive.md describes every byte).
//
//   file    = file header, section…, end section
//   section = section header, payload
//
// All integers are little-endian.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace simpler::archive {

// The first byte is no text and the line ends expose a transfer in text mode.
inline constexpr std::string_view kMagic{"\x89SIMP\r\n\x1A", 8};

// A reader refuses a larger major version. A larger minor version adds only what an older reader
// may skip: section types and message fields.
inline constexpr uint16_t kMajorVersion = 1;
inline constexpr uint16_t kMinorVersion = 0;

// magic[8], major u16, minor u16, CRC-32C of these 12 bytes.
inline constexpr size_t kFileHeaderSize = 16;
// type u16, codec u8, zero u8, stored size u32, raw size u32, CRC-32C of these 12 bytes and the
// payload.
inline constexpr size_t kSectionHeaderSize = 16;
// Where the checksum is in both headers.
inline constexpr size_t kChecksumOffset = 12;

// A payload is one protobuf message of proto/simpler/archive/v1/archive.proto.
enum class SectionType : uint16_t {
  kHeader = 1,
  kOpaqueText = 2,
  kRun = 3,
  kSchedulerStream = 4,
  kAicoreTasks = 5,
  kSchedulerTasks = 6,
  kSchedulerPhases = 7,
  kOrchestratorPhases = 8,
  kHostSubmits = 9,
  kHostUploads = 10,
  kLifecycle = 11,
  kWarnings = 12,
  kGraph = 13,
  kGraphNodes = 14,
  kGraphEdges = 15,
  kNameMap = 16,
  kFunctionNames = 17,
  kDispatchIdentity = 18,
  kEnd = 255,
};

// "header", "AICore tasks", …; "unknown" for other values. Static storage.
const char* SectionTypeName(SectionType type);

enum class Codec : uint8_t {
  kStored = 0,  // raw size == stored size
  kZstd = 1,    // one zstd frame
};

// Larger sizes are refused before anything is allocated for them.
inline constexpr uint32_t kMaxSectionBytes = uint32_t{16} << 20;
// Values of one column, and lanes or streams of one run.
inline constexpr uint32_t kMaxColumnValues = uint32_t{1} << 20;

// What writers aim at: rows of one block, bytes of a message that lists texts.
inline constexpr size_t kRowsPerBlock = size_t{1} << 16;
inline constexpr size_t kTextBytesPerSection = size_t{1} << 20;

}  // namespace simpler::archive
