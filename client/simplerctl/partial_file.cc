#include "client/simplerctl/partial_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <system_error>
#include <utility>

#include "analysis/timeline/byte_sink.h"
#include "fmt/format.h"

namespace simpler::simplerctl {
namespace {

namespace fs = std::filesystem;

constexpr const char* kSuffix = ".part";

std::string PathOf(const std::string& destination, const std::string& tag) {
  return fmt::format("{}.{}{}", destination, tag, kSuffix);
}

bool IsPlainName(std::string_view tag) {
  return !tag.empty() && tag.size() <= 128 && std::all_of(tag.begin(), tag.end(), [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-';
  });
}

// The tag in "<name>.<tag>.part"; absent when `file` is called differently.
std::optional<std::string> TagIn(const std::string& file, const std::string& name) {
  const std::string prefix = name + '.';
  const size_t fixed = prefix.size() + std::string_view(kSuffix).size();
  if (file.size() <= fixed || !file.starts_with(prefix) || !file.ends_with(kSuffix)) {
    return std::nullopt;
  }
  std::string tag = file.substr(prefix.size(), file.size() - fixed);
  if (!IsPlainName(tag)) return std::nullopt;
  return tag;
}

// Of the newest part of `destination`.
std::optional<std::string> NewestTag(const fs::path& destination) {
  std::optional<std::pair<fs::file_time_type, std::string>> newest;
  const fs::path directory = destination.parent_path();
  std::error_code error;
  fs::directory_iterator it(directory.empty() ? "." : directory, error);
  for (; !error && it != fs::directory_iterator(); it.increment(error)) {
    std::optional<std::string> tag =
        TagIn(it->path().filename().string(), destination.filename().string());
    std::error_code vanished;
    if (!tag || !it->is_regular_file(vanished)) continue;
    std::pair candidate(it->last_write_time(vanished), *std::move(tag));
    if (!vanished && (!newest || candidate > *newest)) newest = std::move(candidate);
  }
  if (!newest) return std::nullopt;
  return std::move(newest->second);
}

}  // namespace

absl::StatusOr<std::unique_ptr<PartialFile>> PartialFile::Find(const std::string& destination) {
  const std::optional<std::string> tag = NewestTag(destination);
  if (!tag) return nullptr;
  return Open(destination, *tag, 0);
}

absl::StatusOr<std::unique_ptr<PartialFile>> PartialFile::Create(const std::string& destination,
                                                                 const std::string& tag) {
  if (!IsPlainName(tag)) {
    return absl::InvalidArgumentError(
        fmt::format("'{}' cannot be part of a file's name; update simplerd and simplerctl", tag));
  }
  return Open(destination, tag, O_CREAT | O_EXCL);
}

absl::StatusOr<std::unique_ptr<PartialFile>> PartialFile::Open(const std::string& destination,
                                                               const std::string& tag, int flags) {
  const std::string path = PathOf(destination, tag);
  const int fd = open(path.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC | O_NOFOLLOW | flags, 0666);
  if (fd < 0) return absl::ErrnoToStatus(errno, fmt::format("cannot open {}", path));
  std::unique_ptr<PartialFile> file(new PartialFile(fd, destination, tag, 0));
  if (flock(fd, LOCK_EX | LOCK_NB) != 0) {
    return absl::FailedPreconditionError(
        fmt::format("{}: another simplerctl is writing it; wait for that one, or choose another "
                    "file with -o",
                    path));
  }
  struct stat info = {};
  if (fstat(fd, &info) != 0) return absl::ErrnoToStatus(errno, fmt::format("cannot read {}", path));
  file->size_ = static_cast<uint64_t>(info.st_size);
  return file;
}

PartialFile::PartialFile(int fd, std::string destination, std::string tag, uint64_t size)
    : fd_(fd),
      destination_(std::move(destination)),
      path_(PathOf(destination_, tag)),
      tag_(std::move(tag)),
      size_(size) {}

PartialFile::~PartialFile() { close(fd_); }

absl::Status PartialFile::Append(std::string_view bytes) {
  timeline::FdSink sink(fd_, path_);
  absl::Status status = sink.Append(bytes);
  if (status.ok()) status = sink.Commit();
  if (status.ok()) size_ += bytes.size();
  return status;
}

absl::Status PartialFile::Complete() {
  if (std::rename(path_.c_str(), destination_.c_str()) == 0) return absl::OkStatus();
  return absl::ErrnoToStatus(errno, fmt::format("cannot create {}", destination_));
}

absl::Status PartialFile::Discard() {
  if (unlink(path_.c_str()) == 0) return absl::OkStatus();
  return absl::ErrnoToStatus(errno, fmt::format("cannot remove {}", path_));
}

}  // namespace simpler::simplerctl
