// Parses the outer layout of an archive from bytes that arrive in pieces of any size.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "analysis/archive/format.h"

struct ZSTD_DCtx_s;

namespace simpler::archive {

// One section whose sizes and checksum are right.
struct Section {
  SectionType type;
  uint64_t index;               // 0 for the first
  uint64_t offset;              // of the section header in the archive
  uint32_t preceding_checksum;  // CRC-32C of the checksums of the sections before, in order
  std::string_view payload;     // decompressed; valid during the call
};

// Belongs to one thread. Errors are sticky. Memory: one section, as stored and decompressed, and
// only as much as has arrived.
class SectionReader {
 public:
  // Receives every section in order; its error ends the reading. The error's text needs to say only
  // what is wrong in the section: the reader adds where that is.
  using Handler = std::function<absl::Status(const Section&)>;

  // `name` stands for the archive in messages.
  SectionReader(std::string name, Handler handler);
  ~SectionReader();

  // InvalidArgument, naming section and offset: no archive, sizes beyond the limits, damage, bytes
  // behind the end, or what the handler refuses. Unimplemented: a newer major version.
  absl::Status Feed(std::string_view bytes);

  // Call after the last byte. InvalidArgument when the end section has not come.
  absl::Status Finish();

  uint64_t offset() const { return offset_; }
  uint16_t minor_version() const { return minor_version_; }

 private:
  enum class Expect { kFileHeader, kSectionHeader, kPayload, kNothing };
  struct FreeContext {
    void operator()(ZSTD_DCtx_s* context) const;
  };

  size_t BytesNeeded() const;
  // Takes the next item, which has BytesNeeded() bytes.
  absl::Status Consume(std::string_view item);
  absl::Status ConsumeFileHeader(std::string_view item);
  absl::Status ConsumeSectionHeader(std::string_view item);
  absl::Status ConsumePayload(std::string_view item);
  absl::Status Decompress(std::string_view stored, std::string_view& payload);

  absl::Status Refuse(const std::string& where, const std::string& reason) const;
  absl::Status RefuseSection(const std::string& reason) const;
  // An error of the handler with the place it happened at.
  absl::Status Locate(const absl::Status& status) const;
  std::string SectionPlace() const;

  const std::string name_;
  const Handler handler_;
  std::unique_ptr<ZSTD_DCtx_s, FreeContext> context_;
  std::string pending_;       // the beginning of the next item
  std::string decompressed_;  // kept for its memory

  absl::Status status_;
  Expect expect_ = Expect::kFileHeader;
  uint64_t offset_ = 0;  // of the next item
  uint16_t minor_version_ = 0;
  uint64_t section_count_ = 0;
  uint32_t checksum_ = 0;  // over the checksums of the completed sections

  // The section whose payload is expected.
  std::string section_header_;
  uint64_t section_offset_ = 0;
  uint32_t stored_size_ = 0;
  uint32_t raw_size_ = 0;
};

}  // namespace simpler::archive
