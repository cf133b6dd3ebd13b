// Where the bytes of a trace go. The trace writers own their formats; a sink owns the destination
// and its failures.
//
// A sink belongs to one thread. Errors are sticky: after the first failure nothing more is stored
// and every later call returns that failure, so a writer may check as rarely as it likes.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace simpler::timeline {

class ByteSink {
 public:
  virtual ~ByteSink() = default;
  ByteSink(const ByteSink&) = delete;
  ByteSink& operator=(const ByteSink&) = delete;

  // Stores a copy of `bytes` behind everything appended before.
  absl::Status Append(std::string_view bytes);

  // Makes everything appended so far final and visible at the destination. Call it once, last; a
  // sink that is destroyed without it leaves nothing behind where the destination allows that.
  absl::Status Commit();

  // Bytes accepted by Append so far, whether or not they have reached the destination.
  uint64_t bytes_written() const { return bytes_written_; }

 protected:
  ByteSink() = default;

 private:
  virtual absl::Status Store(std::string_view bytes) = 0;
  virtual absl::Status Finish() = 0;

  absl::Status status_;
  uint64_t bytes_written_ = 0;
};

// Appends to a string that the caller owns and that outlives the sink. Never fails.
class StringSink final : public ByteSink {
 public:
  explicit StringSink(std::string* target) : target_(target) {}

 private:
  absl::Status Store(std::string_view bytes) override;
  absl::Status Finish() override;

  std::string* target_;
};

// Writes through a buffer of 64 KiB to a file descriptor that the caller owns: standard output, a
// pipe, a socket. What has been written cannot be taken back when a later write fails.
class FdSink final : public ByteSink {
 public:
  // `name` stands for the destination in error messages.
  FdSink(int fd, std::string name);

 private:
  absl::Status Store(std::string_view bytes) override;
  absl::Status Finish() override;
  absl::Status WriteAll(std::string_view bytes);

  int fd_;
  std::string name_;
  std::string buffer_;
};

// Writes a file that is either complete or not there: the bytes go to a temporary file beside the
// target, Commit renames it over the target, and destruction without Commit removes it. This
// guards against failing writes and dying processes; it does not force data to the disk. A target
// that exists and is not a regular file (a terminal, a pipe, /dev/null) is written in place.
class FileSink final : public ByteSink {
 public:
  // Opens the destination for writing. A symbolic link is followed, so the file it names is
  // replaced and the link stays. Fails with the path and the reason of the operating system.
  static absl::StatusOr<std::unique_ptr<FileSink>> Create(const std::string& path);

  ~FileSink() override;

 private:
  FileSink(int fd, std::string path, std::string temporary_path);

  absl::Status Store(std::string_view bytes) override;
  absl::Status Finish() override;

  int fd_;
  std::string path_;
  std::string temporary_path_;  // empty: written in place, or already renamed
  FdSink output_;
};

}  // namespace simpler::timeline
