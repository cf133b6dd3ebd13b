#include "analysis/formats/json_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <new>
#include <system_error>
#include <utility>

#include "absl/status/status.h"
#include "fmt/format.h"

namespace simpler::formats {
namespace {

constexpr size_t kHugePage = size_t{2} << 20;

class FileDescriptor {
 public:
  explicit FileDescriptor(int fd) : fd_(fd) {}
  FileDescriptor(const FileDescriptor&) = delete;
  FileDescriptor& operator=(const FileDescriptor&) = delete;
  ~FileDescriptor() {
    if (fd_ >= 0) close(fd_);
  }
  int get() const { return fd_; }

 private:
  int fd_;
};

absl::Status SystemError(const std::string& path, const char* action, int error) {
  const absl::StatusCode code = absl::ErrnoToStatusCode(error);
  const char* remedy = code == absl::StatusCode::kNotFound ? "check the path"
                       : code == absl::StatusCode::kPermissionDenied
                           ? "make it readable for this user"
                           : "check the disk and the mount";
  return absl::Status(code, fmt::format("{}: cannot {}: {}; {}", path, action,
                                        std::generic_category().message(error), remedy));
}

// A hole reads as zero bytes, which no JSON document holds: the copy or the disk lost data.
absl::Status CheckNoHole(int fd, const std::string& path, off_t size) {
  const off_t hole = lseek(fd, 0, SEEK_HOLE);
  if (hole >= 0 && hole < size) {
    return absl::InvalidArgumentError(
        fmt::format("{}: sparse file, nothing is stored from byte {} on although it is {} bytes "
                    "long; copy the original again",
                    path, hole, size));
  }
  lseek(fd, 0, SEEK_SET);
  return absl::OkStatus();
}

absl::StatusOr<size_t> CheckReadable(int fd, const std::string& path) {
  struct stat info {};
  if (fstat(fd, &info) != 0) return SystemError(path, "examine", errno);
  if (S_ISDIR(info.st_mode)) {
    return absl::FailedPreconditionError(
        fmt::format("{}: is a directory; name the JSON file inside it", path));
  }
  if (!S_ISREG(info.st_mode)) {
    return absl::FailedPreconditionError(
        fmt::format("{}: is not a regular file; copy the document to a file first", path));
  }
  if (info.st_size == 0) {
    return absl::InvalidArgumentError(
        fmt::format("{}: is empty; record again or copy the original again", path));
  }
  if (static_cast<uint64_t>(info.st_size) > kMaxJsonBytes) {
    return absl::InvalidArgumentError(
        fmt::format("{}: is {} bytes long, but the JSON parser addresses at most 4 GiB; record "
                    "fewer tasks per capture or at a lower level",
                    path, info.st_size));
  }
  if (absl::Status status = CheckNoHole(fd, path, info.st_size); !status.ok()) return status;
  return static_cast<size_t>(info.st_size);
}

absl::Status ReadFully(int fd, const std::string& path, char* data, size_t size) {
  for (size_t done = 0; done < size;) {
    const ssize_t got = read(fd, data + done, size - done);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return SystemError(path, "read", errno);
    if (got == 0) {
      return absl::AbortedError(fmt::format(
          "{}: shrank while it was read ({} of {} bytes); wait until its writer has finished", path,
          done, size));
    }
    done += static_cast<size_t>(got);
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<JsonFile> JsonFile::Open(const std::string& path) {
  // O_NONBLOCK: opening a pipe that nobody writes must be an error, not a hang.
  const FileDescriptor fd(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (fd.get() < 0) return SystemError(path, "open", errno);
  const absl::StatusOr<size_t> size = CheckReadable(fd.get(), path);
  if (!size.ok()) return size.status();
  JsonFile file(*size, path);
  if (absl::Status status = ReadFully(fd.get(), path, file.data_, *size); !status.ok()) {
    return status;
  }
  return file;
}

JsonFile JsonFile::FromText(std::string_view text, std::string name) {
  JsonFile file(text.size(), std::move(name));
  std::copy(text.begin(), text.end(), file.data_);
  return file;
}

JsonFile::JsonFile(size_t size, std::string name)
    : size_(size), capacity_(size + simdjson::SIMDJSON_PADDING), name_(std::move(name)) {
  void* data = mmap(nullptr, capacity_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (data == MAP_FAILED) throw std::bad_alloc();
  data_ = static_cast<char*>(data);
  if (capacity_ >= kHugePage) madvise(data_, capacity_, MADV_HUGEPAGE);
}

JsonFile::JsonFile(JsonFile&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)),
      size_(std::exchange(other.size_, 0)),
      capacity_(std::exchange(other.capacity_, 0)),
      name_(std::move(other.name_)) {}

JsonFile& JsonFile::operator=(JsonFile&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
  std::swap(capacity_, other.capacity_);
  std::swap(name_, other.name_);
  return *this;
}

JsonFile::~JsonFile() {
  if (data_ != nullptr) munmap(data_, capacity_);
}

}  // namespace simpler::formats
