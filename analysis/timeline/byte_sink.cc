#include "analysis/timeline/byte_sink.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <system_error>
#include <utility>

#include "fmt/format.h"

namespace simpler::timeline {
namespace {

constexpr size_t kFileBufferBytes = size_t{64} * 1024;

// Temporary names are unique per process and sink; a leftover of a dead process with the same id
// only costs another attempt.
constexpr int kTemporaryNameAttempts = 100;

absl::Status ErrnoStatus(int error, const std::string& what, const std::string& path) {
  return absl::ErrnoToStatus(error, fmt::format("cannot {} {}", what, path));
}

bool IsInPlaceTarget(const std::string& path) {
  struct stat info = {};
  return stat(path.c_str(), &info) == 0 && !S_ISREG(info.st_mode);
}

// The file that a chain of symbolic links ends in, so that renaming replaces it and not the link.
std::string ResolveLinks(const std::string& path) {
  std::error_code error;
  const std::filesystem::path target = std::filesystem::weakly_canonical(path, error);
  return error ? path : target.string();
}

int OpenTemporary(const std::string& path, std::string* temporary_path) {
  for (int attempt = 0; attempt < kTemporaryNameAttempts; ++attempt) {
    *temporary_path = fmt::format("{}.tmp-{}-{}", path, getpid(), attempt);
    const int fd =
        open(temporary_path->c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode_t{0666});
    if (fd >= 0 || errno != EEXIST) return fd;
  }
  errno = EEXIST;
  return -1;
}

}  // namespace

absl::Status ByteSink::Append(std::string_view bytes) {
  if (!status_.ok()) return status_;
  status_ = Store(bytes);
  if (status_.ok()) bytes_written_ += bytes.size();
  return status_;
}

absl::Status ByteSink::Commit() {
  if (!status_.ok()) return status_;
  status_ = Finish();
  return status_;
}

absl::Status StringSink::Store(std::string_view bytes) {
  target_->append(bytes);
  return absl::OkStatus();
}

absl::Status StringSink::Finish() { return absl::OkStatus(); }

FdSink::FdSink(int fd, std::string name) : fd_(fd), name_(std::move(name)) {
  buffer_.reserve(kFileBufferBytes);
}

absl::Status FdSink::Store(std::string_view bytes) {
  if (buffer_.size() + bytes.size() > kFileBufferBytes) {
    if (absl::Status status = Finish(); !status.ok()) return status;
    if (bytes.size() >= kFileBufferBytes / 2) return WriteAll(bytes);
  }
  buffer_.append(bytes);
  return absl::OkStatus();
}

absl::Status FdSink::Finish() {
  absl::Status status = WriteAll(buffer_);
  buffer_.clear();
  return status;
}

absl::Status FdSink::WriteAll(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = write(fd_, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return ErrnoStatus(errno, "write to", name_);
    bytes.remove_prefix(static_cast<size_t>(count));
  }
  return absl::OkStatus();
}

absl::StatusOr<std::unique_ptr<FileSink>> FileSink::Create(const std::string& path) {
  if (IsInPlaceTarget(path)) {
    const int fd = open(path.c_str(), O_WRONLY | O_CLOEXEC);
    if (fd < 0) return ErrnoStatus(errno, "open", path);
    return std::unique_ptr<FileSink>(new FileSink(fd, path, ""));
  }
  const std::string target = ResolveLinks(path);
  std::string temporary_path;
  const int fd = OpenTemporary(target, &temporary_path);
  if (fd < 0) return ErrnoStatus(errno, "create", path);
  return std::unique_ptr<FileSink>(new FileSink(fd, target, std::move(temporary_path)));
}

FileSink::FileSink(int fd, std::string path, std::string temporary_path)
    : fd_(fd),
      path_(std::move(path)),
      temporary_path_(std::move(temporary_path)),
      output_(fd, path_) {}

FileSink::~FileSink() {
  if (fd_ >= 0) close(fd_);
  if (!temporary_path_.empty()) unlink(temporary_path_.c_str());
}

absl::Status FileSink::Store(std::string_view bytes) { return output_.Append(bytes); }

absl::Status FileSink::Finish() {
  if (absl::Status status = output_.Commit(); !status.ok()) return status;
  // Network file systems report a full disk only here.
  if (close(std::exchange(fd_, -1)) != 0) return ErrnoStatus(errno, "write to", path_);
  if (temporary_path_.empty()) return absl::OkStatus();
  if (std::rename(temporary_path_.c_str(), path_.c_str()) != 0) {
    return ErrnoStatus(errno, "create", path_);
  }
  temporary_path_.clear();
  return absl::OkStatus();
}

}  // namespace simpler::timeline
