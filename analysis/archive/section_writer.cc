#include "analysis/archive/section_writer.h"

#include <zstd.h>

#include "analysis/archive/crc32c.h"
#include "analysis/archive/little_endian.h"
#include "fmt/format.h"

namespace simpler::archive {
namespace {

// Level 1: columns are small already, and higher levels cost more time than they save bytes.
constexpr int kCompressionLevel = 1;

}  // namespace

void SectionWriter::FreeContext::operator()(ZSTD_CCtx_s* context) const { ZSTD_freeCCtx(context); }

SectionWriter::SectionWriter(timeline::ByteSink* sink) : sink_(sink), context_(ZSTD_createCCtx()) {}

SectionWriter::~SectionWriter() = default;

absl::Status SectionWriter::WriteFileHeader() {
  header_.assign(kMagic);
  AppendLittleEndian(kMajorVersion, header_);
  AppendLittleEndian(kMinorVersion, header_);
  AppendLittleEndian(Crc32c(header_), header_);
  return sink_->Append(header_);
}

absl::Status SectionWriter::WriteSection(SectionType type, std::string_view payload) {
  if (payload.size() > kMaxSectionBytes) {
    return absl::InvalidArgumentError(
        fmt::format("a '{}' section of {} bytes exceeds the {} bytes that an archive allows; one "
                    "of its texts is too long to be archived",
                    SectionTypeName(type), payload.size(), kMaxSectionBytes));
  }
  Codec codec;
  const std::string_view stored = Compress(payload, codec);
  header_.clear();
  AppendLittleEndian(static_cast<uint16_t>(type), header_);
  AppendLittleEndian(static_cast<uint8_t>(codec), header_);
  AppendLittleEndian(uint8_t{0}, header_);
  AppendLittleEndian(static_cast<uint32_t>(stored.size()), header_);
  AppendLittleEndian(static_cast<uint32_t>(payload.size()), header_);
  const uint32_t crc = Crc32c(stored, Crc32c(header_));
  AppendLittleEndian(crc, header_);

  ++section_count_;
  checksum_ = Crc32c(std::string_view(header_).substr(kChecksumOffset), checksum_);
  if (absl::Status status = sink_->Append(header_); !status.ok()) return status;
  return sink_->Append(stored);
}

std::string_view SectionWriter::Compress(std::string_view payload, Codec& codec) {
  compressed_.resize(ZSTD_compressBound(payload.size()));
  const size_t size = ZSTD_compressCCtx(context_.get(), compressed_.data(), compressed_.size(),
                                        payload.data(), payload.size(), kCompressionLevel);
  // The buffer always suffices, so an error can only be a lack of memory for the tables.
  if (ZSTD_isError(size) || size >= payload.size()) {
    codec = Codec::kStored;
    return payload;
  }
  codec = Codec::kZstd;
  return std::string_view(compressed_).substr(0, size);
}

}  // namespace simpler::archive
