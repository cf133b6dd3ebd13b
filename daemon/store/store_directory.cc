#include "daemon/store/store_directory.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>
#include <system_error>
#include <utility>

#include "analysis/archive/archive_reader.h"
#include "daemon/store/entry_file.h"
#include "fmt/format.h"
#include "spdlog/spdlog.h"

namespace simpler::daemon {
namespace {

namespace fs = std::filesystem;

constexpr const char* kArchiveSuffix = ".simpler";
constexpr const char* kEntrySuffix = ".entry";
constexpr const char* kIncomingPrefix = ".incoming-";
constexpr const char* kLockName = ".lock";
constexpr size_t kBufferBytes = size_t{256} << 10;

absl::Status FileError(int error, const std::string& path, const char* what) {
  const std::string text =
      fmt::format("{}: cannot {}: {}", path, what, std::generic_category().message(error));
  if (error == ENOSPC || error == EDQUOT || error == EFBIG) {
    return absl::ResourceExhaustedError(text + "; free space there");
  }
  return absl::ErrnoToStatus(error, text);
}

absl::Status WriteAll(int fd, std::string_view bytes, const std::string& path) {
  while (!bytes.empty()) {
    const ssize_t written = write(fd, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return FileError(errno, path, "write");
    bytes.remove_prefix(static_cast<size_t>(written));
  }
  return absl::OkStatus();
}

absl::Status Sync(int fd, const std::string& path) {
  return fsync(fd) == 0 ? absl::OkStatus() : FileError(errno, path, "write to the disk");
}

absl::Status Rename(const std::string& from, const std::string& to) {
  return rename(from.c_str(), to.c_str()) == 0 ? absl::OkStatus() : FileError(errno, to, "create");
}

// Names in the directory reach the disk.
absl::Status SyncDirectory(const std::string& path) {
  const int fd = open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) return FileError(errno, path, "open");
  absl::Status status = Sync(fd, path);
  close(fd);
  return status;
}

absl::StatusOr<int> CreateFile(const std::string& path) {
  const int fd = open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode_t{0640});
  if (fd < 0) return FileError(errno, path, "create");
  return fd;
}

absl::Status WriteDurably(const std::string& path, std::string_view bytes) {
  const absl::StatusOr<int> fd = CreateFile(path);
  if (!fd.ok()) return fd.status();
  absl::Status status = WriteAll(*fd, bytes, path);
  if (status.ok()) status = Sync(*fd, path);
  close(*fd);
  if (!status.ok()) unlink(path.c_str());
  return status;
}

std::string ReadWhole(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream bytes;
  bytes << file.rdbuf();
  return std::move(bytes).str();
}

std::string InDirectory(const std::string& directory, const std::string& id, const char* suffix) {
  return fmt::format("{}/{}{}", directory, id, suffix);
}

// "cap-0123456789ab": what ids of captures look like, which also keeps them inside the directory.
bool IsCaptureId(std::string_view text) {
  constexpr std::string_view kPrefix = "cap-";
  constexpr size_t kDigits = 12;
  return text.size() == kPrefix.size() + kDigits && text.starts_with(kPrefix) &&
         std::all_of(text.begin() + kPrefix.size(), text.end(),
                     [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
}

// The id in the name of an archive or entry.
std::optional<std::string> IdOf(const std::string& file_name, std::string_view suffix) {
  if (!file_name.ends_with(suffix)) return std::nullopt;
  std::string id = file_name.substr(0, file_name.size() - suffix.size());
  if (!IsCaptureId(id)) return std::nullopt;
  return id;
}

// An entry made from the archive itself; name and labels are lost.
std::optional<CaptureInfo> DescribeArchive(const std::string& path) {
  archive::ArchiveDecoder decoder(path);
  std::ifstream file(path, std::ios::binary);
  std::string chunk(kBufferBytes, '\0');
  absl::Status status;
  while (status.ok() && (file.read(chunk.data(), static_cast<std::streamsize>(chunk.size())) ||
                         file.gcount() > 0)) {
    status = decoder.Feed(std::string_view(chunk).substr(0, static_cast<size_t>(file.gcount())));
  }
  const absl::StatusOr<capture::CaptureBundle> bundle =
      status.ok() ? decoder.Finish() : absl::StatusOr<capture::CaptureBundle>(status);
  if (!bundle.ok()) {
    spdlog::warn("store: left out an archive that does not read: {}",
                 std::string(bundle.status().message()));
    return std::nullopt;
  }
  CaptureInfo info = Describe(*bundle);
  info.memory_bytes = decoder.bundle_bytes();
  return info;
}

// Now, for archives that nothing else is known of.
int64_t ModificationTimeUnixMs(const std::string& path) {
  struct stat info = {};
  if (stat(path.c_str(), &info) != 0) return 0;
  return int64_t{info.st_mtim.tv_sec} * 1000 + info.st_mtim.tv_nsec / 1'000'000;
}

absl::StatusOr<int> LockDirectory(const std::string& path) {
  const std::string lock = path + "/" + kLockName;
  const int fd = open(lock.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, mode_t{0640});
  if (fd < 0) return FileError(errno, lock, "create");
  if (flock(fd, LOCK_EX | LOCK_NB) == 0) return fd;
  close(fd);
  return absl::FailedPreconditionError(
      fmt::format("{}: another simplerd keeps its captures there; stop it, or choose another "
                  "directory with --store-dir",
                  path));
}

}  // namespace

IncomingArchive::IncomingArchive(std::string directory, std::string id, int fd)
    : directory_(std::move(directory)), id_(std::move(id)), fd_(fd) {}

IncomingArchive::~IncomingArchive() {
  close(fd_);
  unlink(InDirectory(directory_, kIncomingPrefix + id_, "").c_str());
}

absl::Status IncomingArchive::Append(std::string_view bytes) {
  if (!status_.ok()) return status_;
  buffer_ += bytes;
  if (buffer_.size() >= kBufferBytes) status_ = Flush();
  return status_;
}

absl::Status IncomingArchive::Flush() {
  absl::Status status = WriteAll(fd_, buffer_, directory_);
  buffer_.clear();
  return status;
}

absl::Status IncomingArchive::Commit(const CaptureInfo& info) {
  if (status_.ok()) status_ = Flush();
  if (status_.ok()) status_ = Sync(fd_, directory_);
  if (!status_.ok()) return status_;
  // The entry comes first: an archive that has its name is complete in every respect.
  const std::string entry = InDirectory(directory_, id_, kEntrySuffix);
  const std::string archive = InDirectory(directory_, id_, kArchiveSuffix);
  status_ = WriteDurably(entry, EncodeEntry(info));
  if (!status_.ok()) return status_;
  status_ = Rename(InDirectory(directory_, kIncomingPrefix + id_, ""), archive);
  if (status_.ok()) status_ = SyncDirectory(directory_);
  if (!status_.ok()) {
    unlink(archive.c_str());
    unlink(entry.c_str());
  }
  return status_;
}

absl::StatusOr<std::unique_ptr<StoreDirectory>> StoreDirectory::Open(const std::string& path) {
  std::error_code error;
  fs::create_directories(path, error);
  if (error) return FileError(error.value(), path, "create the directory");
  const absl::StatusOr<int> lock = LockDirectory(path);
  if (!lock.ok()) return lock.status();
  auto directory = std::unique_ptr<StoreDirectory>(new StoreDirectory(path, *lock));
  directory->RemoveLeftovers();
  return directory;
}

StoreDirectory::~StoreDirectory() { close(lock_fd_); }

std::string StoreDirectory::ArchivePath(const std::string& id) const {
  return InDirectory(path_, id, kArchiveSuffix);
}

void StoreDirectory::RemoveLeftovers() const {
  std::error_code error;
  for (const fs::directory_entry& file : fs::directory_iterator(path_, error)) {
    const std::string name = file.path().filename().string();
    const std::optional<std::string> id = IdOf(name, kEntrySuffix);
    const bool is_orphan = id && access(ArchivePath(*id).c_str(), F_OK) != 0;
    if (!is_orphan && !name.starts_with(kIncomingPrefix)) continue;
    spdlog::info("store: removed {}, which an interrupted import left", file.path().string());
    unlink(file.path().c_str());
  }
}

std::vector<CaptureInfo> StoreDirectory::Scan() const {
  std::vector<CaptureInfo> captures;
  std::error_code error;
  for (const fs::directory_entry& file : fs::directory_iterator(path_, error)) {
    const std::optional<std::string> id = IdOf(file.path().filename().string(), kArchiveSuffix);
    if (!id) continue;
    const std::string path = file.path().string();
    const uint64_t bytes = fs::file_size(path, error);
    std::optional<CaptureInfo> info =
        DecodeEntry(ReadWhole(InDirectory(path_, *id, kEntrySuffix)), bytes);
    if (!info) {
      info = DescribeArchive(path);
      if (!info) continue;
      spdlog::warn("store: {} has no entry that belongs to it; its name and labels are lost", path);
      info->import_time_unix_ms = ModificationTimeUnixMs(path);
      info->archive_bytes = bytes;
    }
    info->id = *id;
    captures.push_back(*std::move(info));
  }
  return captures;
}

absl::StatusOr<std::unique_ptr<IncomingArchive>> StoreDirectory::NewArchive(
    const std::string& id) const {
  const absl::StatusOr<int> fd = CreateFile(InDirectory(path_, kIncomingPrefix + id, ""));
  if (!fd.ok()) return fd.status();
  return std::make_unique<IncomingArchive>(path_, id, *fd);
}

absl::Status StoreDirectory::Remove(const std::string& id) const {
  const std::string archive = ArchivePath(id);
  if (unlink(archive.c_str()) != 0 && errno != ENOENT) {
    return FileError(errno, archive, "remove");
  }
  unlink(InDirectory(path_, id, kEntrySuffix).c_str());
  return absl::OkStatus();
}

}  // namespace simpler::daemon
