#include "analysis/archive/section_reader.h"

#include <zstd.h>

#include <algorithm>
#include <utility>

#include "analysis/archive/crc32c.h"
#include "analysis/archive/little_endian.h"
#include "fmt/format.h"

namespace simpler::archive {
namespace {

constexpr const char* kRemedy = "copy the original again or pack the capture again";

uint32_t StoredChecksum(std::string_view header) {
  return LoadLittleEndian<uint32_t>(header.data() + kChecksumOffset);
}

SectionType TypeOf(std::string_view section_header) {
  return static_cast<SectionType>(LoadLittleEndian<uint16_t>(section_header.data()));
}

}  // namespace

void SectionReader::FreeContext::operator()(ZSTD_DCtx_s* context) const { ZSTD_freeDCtx(context); }

SectionReader::SectionReader(std::string name, Handler handler)
    : name_(std::move(name)), handler_(std::move(handler)), context_(ZSTD_createDCtx()) {}

SectionReader::~SectionReader() = default;

absl::Status SectionReader::Feed(std::string_view bytes) {
  while (status_.ok() && !bytes.empty()) {
    const size_t needed = BytesNeeded();
    if (pending_.empty() && bytes.size() >= needed) {
      status_ = Consume(bytes.substr(0, needed));
      bytes.remove_prefix(needed);
      continue;
    }
    const size_t taken = std::min(bytes.size(), needed - pending_.size());
    pending_.append(bytes.substr(0, taken));
    bytes.remove_prefix(taken);
    if (pending_.size() < needed) break;
    status_ = Consume(pending_);
    pending_.clear();
  }
  return status_;
}

absl::Status SectionReader::Finish() {
  if (!status_.ok()) return status_;
  switch (expect_) {
    case Expect::kNothing:
      break;
    case Expect::kFileHeader:
      status_ = Refuse(fmt::format("byte {}", pending_.size()),
                       "the archive ends inside its file header");
      break;
    case Expect::kSectionHeader:
      status_ = Refuse(fmt::format("byte {}", offset_ + pending_.size()),
                       pending_.empty()
                           ? fmt::format("the archive ends after {} sections, without its end "
                                         "section; it is truncated",
                                         section_count_)
                           : "the archive ends inside a section header; it is truncated");
      break;
    case Expect::kPayload:
      status_ = RefuseSection(
          fmt::format("the archive ends at byte {}, after {} of the section's {} bytes; it is "
                      "truncated",
                      offset_ + pending_.size(), pending_.size(), stored_size_));
      break;
  }
  return status_;
}

size_t SectionReader::BytesNeeded() const {
  switch (expect_) {
    case Expect::kFileHeader:
      return kFileHeaderSize;
    case Expect::kSectionHeader:
      return kSectionHeaderSize;
    case Expect::kPayload:
      return stored_size_;
    case Expect::kNothing:
      break;
  }
  return 1;
}

absl::Status SectionReader::Consume(std::string_view item) {
  absl::Status status;
  switch (expect_) {
    case Expect::kFileHeader:
      status = ConsumeFileHeader(item);
      break;
    case Expect::kSectionHeader:
      status = ConsumeSectionHeader(item);
      break;
    case Expect::kPayload:
      status = ConsumePayload(item);
      break;
    case Expect::kNothing:
      return Refuse(fmt::format("byte {}", offset_), "bytes follow the end section");
  }
  offset_ += item.size();
  return status;
}

absl::Status SectionReader::ConsumeFileHeader(std::string_view item) {
  if (item.substr(0, kMagic.size()) != kMagic) {
    return absl::InvalidArgumentError(
        fmt::format("{}: byte 0: does not begin with the mark of a capture archive; give a file "
                    "that 'simplerctl "
                    "pack' wrote",
                    name_));
  }
  const std::string_view checked = item.substr(0, kChecksumOffset);
  if (Crc32c(checked) != StoredChecksum(item)) {
    return Refuse("file header at byte 0", "the checksum does not match; the archive is damaged");
  }
  const auto major = LoadLittleEndian<uint16_t>(item.data() + kMagic.size());
  minor_version_ = LoadLittleEndian<uint16_t>(item.data() + kMagic.size() + sizeof(uint16_t));
  if (major > kMajorVersion) {
    return absl::UnimplementedError(fmt::format(
        "{}: the archive has format version {}.{}, this program reads up to version {}; update it, "
        "or unpack the archive with the version that wrote it",
        name_, major, minor_version_, kMajorVersion));
  }
  if (major < kMajorVersion) {
    return Refuse("file header at byte 0",
                  fmt::format("format version {}.{} was never published", major, minor_version_));
  }
  expect_ = Expect::kSectionHeader;
  return absl::OkStatus();
}

absl::Status SectionReader::ConsumeSectionHeader(std::string_view item) {
  section_header_.assign(item);
  section_offset_ = offset_;
  stored_size_ = LoadLittleEndian<uint32_t>(item.data() + 4);
  raw_size_ = LoadLittleEndian<uint32_t>(item.data() + 8);
  const auto codec = static_cast<Codec>(item[2]);
  if ((codec != Codec::kStored && codec != Codec::kZstd) || item[3] != 0) {
    return RefuseSection(fmt::format("unknown coding {}; the archive is damaged",
                                     LoadLittleEndian<uint16_t>(item.data() + 2)));
  }
  if (stored_size_ > kMaxSectionBytes || raw_size_ > kMaxSectionBytes) {
    return RefuseSection(fmt::format("declares {} bytes ({} stored), more than the allowed {}",
                                     raw_size_, stored_size_, kMaxSectionBytes));
  }
  if (codec == Codec::kStored && stored_size_ != raw_size_) {
    return RefuseSection("declares two sizes for uncompressed bytes; the archive is damaged");
  }
  if (stored_size_ == 0) return ConsumePayload({});
  expect_ = Expect::kPayload;
  return absl::OkStatus();
}

absl::Status SectionReader::ConsumePayload(std::string_view item) {
  const std::string_view checked = std::string_view(section_header_).substr(0, kChecksumOffset);
  if (Crc32c(item, Crc32c(checked)) != StoredChecksum(section_header_)) {
    return RefuseSection("the checksum does not match; the archive is damaged");
  }
  std::string_view payload = item;
  if (static_cast<Codec>(section_header_[2]) == Codec::kZstd) {
    if (absl::Status status = Decompress(item, payload); !status.ok()) return status;
  }
  const Section section{TypeOf(section_header_), section_count_, section_offset_, checksum_,
                        payload};
  if (absl::Status status = handler_(section); !status.ok()) return Locate(status);
  ++section_count_;
  checksum_ = Crc32c(std::string_view(section_header_).substr(kChecksumOffset), checksum_);
  expect_ = section.type == SectionType::kEnd ? Expect::kNothing : Expect::kSectionHeader;
  return absl::OkStatus();
}

absl::Status SectionReader::Decompress(std::string_view stored, std::string_view& payload) {
  decompressed_.resize(raw_size_);
  const size_t size = ZSTD_decompressDCtx(context_.get(), decompressed_.data(),
                                          decompressed_.size(), stored.data(), stored.size());
  if (ZSTD_isError(size)) {
    return RefuseSection(fmt::format("cannot be decompressed ({})", ZSTD_getErrorName(size)));
  }
  if (size != raw_size_) {
    return RefuseSection(
        fmt::format("decompresses to {} bytes instead of the declared {}", size, raw_size_));
  }
  payload = decompressed_;
  return absl::OkStatus();
}

absl::Status SectionReader::Refuse(const std::string& where, const std::string& reason) const {
  return absl::InvalidArgumentError(fmt::format("{}: {}: {}; {}", name_, where, reason, kRemedy));
}

absl::Status SectionReader::RefuseSection(const std::string& reason) const {
  return Refuse(SectionPlace(), reason);
}

absl::Status SectionReader::Locate(const absl::Status& status) const {
  const std::string reason(status.message());
  if (status.code() == absl::StatusCode::kInvalidArgument) return RefuseSection(reason);
  return absl::Status(status.code(), fmt::format("{}: {}: {}", name_, SectionPlace(), reason));
}

std::string SectionReader::SectionPlace() const {
  return fmt::format("section {} ({}) at byte {}", section_count_,
                     SectionTypeName(TypeOf(section_header_)), section_offset_);
}

}  // namespace simpler::archive
