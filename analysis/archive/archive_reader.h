// Reads capture archives (docs/capture-archive.md) from files and from streams of bytes.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "analysis/capture/bundle.h"

namespace simpler::archive {

struct ReadLimits {
  // The most memory that the decoded bundle may take, in bytes. A few kilobytes of archive can
  // describe gigabytes of equal rows, so whoever accepts archives from others wants a bound.
  uint64_t max_bundle_bytes = uint64_t{64} << 30;
};

// Builds a bundle from the bytes of an archive, which may arrive in pieces of any size. Memory: the
// bundle and one section. Belongs to one thread. Errors are sticky.
class ArchiveDecoder {
 public:
  // `name` stands for the archive in messages.
  explicit ArchiveDecoder(std::string name, const ReadLimits& limits = {});
  ~ArchiveDecoder();
  ArchiveDecoder(ArchiveDecoder&&) noexcept;
  ArchiveDecoder& operator=(ArchiveDecoder&&) noexcept;

  // All errors name the section and its offset. InvalidArgument: the bytes are no archive, damaged,
  // or break a rule of the format. Unimplemented: a newer major version.
  absl::Status Feed(std::string_view bytes);

  // Call after the last byte, once. As Feed; InvalidArgument also when the archive is incomplete.
  // ResourceExhausted: the bundle takes more memory than the limits allow, naming how much. Memory
  // is counted before it is allocated; from the limit on, sections are only measured.
  // Sections of types that a later minor version added are skipped; the warning
  // "archive_sections_skipped" counts them.
  absl::StatusOr<capture::CaptureBundle> Finish();

  // Memory of everything decoded so far, as the limits count it.
  uint64_t bundle_bytes() const;

 private:
  class State;
  std::unique_ptr<State> state_;
};

// Reads an archive file. Additionally NotFound, PermissionDenied and other errors of opening and
// reading, with the path.
absl::StatusOr<capture::CaptureBundle> ReadArchive(const std::string& path,
                                                   const ReadLimits& limits = {});

// Whether `bytes`, the beginning of a file, start like an archive. Eight bytes decide.
bool LooksLikeArchive(std::string_view bytes);

// The same for a file; false when it cannot be read.
bool IsArchiveFile(const std::string& path);

}  // namespace simpler::archive
