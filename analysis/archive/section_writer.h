// Writes the outer layout of an archive: file header and framed, compressed, checksummed sections.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "analysis/archive/format.h"
#include "analysis/timeline/byte_sink.h"

struct ZSTD_CCtx_s;

namespace simpler::archive {

// Belongs to one thread. Memory: two times the largest section.
class SectionWriter {
 public:
  // `sink` must outlive the writer.
  explicit SectionWriter(timeline::ByteSink* sink);
  ~SectionWriter();

  // Call once, first.
  absl::Status WriteFileHeader();

  // Compresses `payload`, or stores it where that is no longer. InvalidArgument when it exceeds
  // kMaxSectionBytes; otherwise the errors of the sink.
  absl::Status WriteSection(SectionType type, std::string_view payload);

  // Sections written so far, and the CRC-32C of their checksums in order.
  uint64_t section_count() const { return section_count_; }
  uint32_t checksum() const { return checksum_; }

 private:
  struct FreeContext {
    void operator()(ZSTD_CCtx_s* context) const;
  };

  // What a section of `payload` stores: the compressed bytes or the payload itself.
  std::string_view Compress(std::string_view payload, Codec& codec);

  timeline::ByteSink* sink_;
  std::unique_ptr<ZSTD_CCtx_s, FreeContext> context_;
  std::string compressed_;
  std::string header_;
  uint64_t section_count_ = 0;
  uint32_t checksum_ = 0;
};

}  // namespace simpler::archive
