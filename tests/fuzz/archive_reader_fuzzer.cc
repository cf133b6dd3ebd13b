// Feeds damaged archives to the decoder. Checksums would stop nearly every mutation at the door, so
// they are made right before the bytes are fed: what is under test is the code behind them. An
// archive that is accepted must survive being written and read again.
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>

#include "analysis/archive/archive_reader.h"
#include "analysis/archive/archive_writer.h"
#include "analysis/archive/crc32c.h"
#include "analysis/archive/format.h"
#include "analysis/archive/little_endian.h"
#include "analysis/capture/joined_run.h"
#include "proto/simpler/archive/v1/archive.pb.h"
#include "tests/support/bundle_difference.h"

namespace simpler::archive {
namespace {

constexpr ReadLimits kLimits{.max_bundle_bytes = 64 << 20};

void SetChecksum(std::string& header, uint32_t crc) {
  std::memcpy(header.data() + kChecksumOffset, &crc, sizeof(crc));
}

std::string SealSection(std::string header, std::string_view payload) {
  SetChecksum(header, Crc32c(payload, Crc32c(header.substr(0, kChecksumOffset))));
  return header + std::string(payload);
}

// An end section that fits what came before it in number and checksum.
std::string SealEnd(std::string header, std::string_view payload, uint64_t sections,
                    uint32_t checksum) {
  v1::End end;
  if (end.ParseFromArray(payload.data(), static_cast<int>(payload.size()))) {
    end.set_sections(sections);
    end.set_checksum(checksum);
  }
  const std::string bytes = end.SerializeAsString();
  const auto size = static_cast<uint32_t>(bytes.size());
  header[2] = 0;  // stored
  std::memcpy(header.data() + 4, &size, sizeof(size));
  std::memcpy(header.data() + 8, &size, sizeof(size));
  return SealSection(header, bytes);
}

// The same archive with right checksums, as far as its sizes make sense.
std::string Seal(std::string_view bytes) {
  if (bytes.size() < kFileHeaderSize) return std::string(bytes);
  std::string sealed(bytes.substr(0, kFileHeaderSize));
  SetChecksum(sealed, Crc32c(bytes.substr(0, kChecksumOffset)));
  bytes.remove_prefix(kFileHeaderSize);
  uint64_t sections = 0;
  uint32_t checksum = 0;
  while (bytes.size() >= kSectionHeaderSize) {
    const std::string header(bytes.substr(0, kSectionHeaderSize));
    const size_t size = LoadLittleEndian<uint32_t>(header.data() + 4);
    const std::string_view payload = bytes.substr(kSectionHeaderSize, size);
    const bool is_end =
        LoadLittleEndian<uint16_t>(header.data()) == static_cast<uint16_t>(SectionType::kEnd);
    const std::string section =
        is_end ? SealEnd(header, payload, sections, checksum) : SealSection(header, payload);
    sealed += section;
    checksum = Crc32c(section.substr(kChecksumOffset, sizeof(uint32_t)), checksum);
    ++sections;
    bytes.remove_prefix(kSectionHeaderSize + payload.size());
  }
  return sealed.append(bytes);
}

absl::StatusOr<capture::CaptureBundle> Read(std::string_view bytes, size_t cut) {
  ArchiveDecoder decoder("fuzz", kLimits);
  if (absl::Status status = decoder.Feed(bytes.substr(0, cut)); !status.ok()) return status;
  if (absl::Status status = decoder.Feed(bytes.substr(cut)); !status.ok()) return status;
  return decoder.Finish();
}

void CheckAccepted(const capture::CaptureBundle& bundle) {
  std::string bytes;
  timeline::StringSink sink(&bytes);
  if (!WriteArchive(bundle, &sink).ok()) std::abort();
  const auto again = Read(bytes, 0);
  if (!again.ok() || !support::FirstDifference(bundle, *again).empty()) std::abort();
  for (size_t run = 0; run < bundle.capture.runs.size(); ++run) {
    (void)capture::EarliestStamp(bundle.capture.runs[run]);
    (void)capture::JoinedRun::Join(bundle.capture, run);
  }
}

void Check(std::string_view bytes) {
  (void)Read(bytes, bytes.size() / 2);
  const std::string sealed = Seal(bytes);
  const auto bundle = Read(sealed, sealed.size() / 3);
  if (bundle.ok()) CheckAccepted(*bundle);
}

}  // namespace
}  // namespace simpler::archive

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  simpler::archive::Check({reinterpret_cast<const char*>(data), size});
  return 0;
}
