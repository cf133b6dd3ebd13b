#include "daemon/query/trace_spool.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <system_error>
#include <utility>

#include "analysis/archive/crc32c.h"
#include "fmt/format.h"

namespace simpler::daemon {
namespace {

std::string ReasonOf(int error) { return std::generic_category().message(error); }

absl::Status CannotWrite(const std::string& directory, int error) {
  const std::string text = fmt::format(
      "{}: cannot write a trace: {}; free space there, or choose another directory "
      "with --spool-dir",
      directory, ReasonOf(error));
  return error == ENOSPC || error == EDQUOT || error == EFBIG ? absl::ResourceExhaustedError(text)
                                                              : absl::InternalError(text);
}

// A file that had a name for a moment, for file systems without O_TMPFILE.
int MakeAndUnlink(const std::string& directory) {
  std::string path = directory + "/simplerd-XXXXXX";
  const int fd = mkostemp(path.data(), O_CLOEXEC);
  if (fd >= 0) unlink(path.c_str());
  return fd;
}

// 0, or errno.
int WriteAt(int fd, std::string_view bytes, uint64_t offset) {
  while (!bytes.empty()) {
    const ssize_t written = pwrite(fd, bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return errno;
    bytes.remove_prefix(static_cast<size_t>(written));
    offset += static_cast<uint64_t>(written);
  }
  return 0;
}

// 0, or errno; a file that is too short counts as an input error.
int ReadAt(int fd, char* buffer, size_t size, uint64_t offset) {
  for (size_t done = 0; done < size;) {
    const ssize_t got = pread(fd, buffer + done, size - done, static_cast<off_t>(offset + done));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return got < 0 ? errno : EIO;
    done += static_cast<size_t>(got);
  }
  return 0;
}

}  // namespace

absl::StatusOr<std::shared_ptr<TraceSpool>> TraceSpool::Open(std::string directory,
                                                             uint64_t budget_bytes) {
  auto spool = std::shared_ptr<TraceSpool>(new TraceSpool(std::move(directory), budget_bytes));
  const absl::StatusOr<int> probe = spool->NewFile();
  if (!probe.ok()) return probe.status();
  close(*probe);
  return spool;
}

absl::StatusOr<int> TraceSpool::NewFile() const {
  int fd = open(directory_.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (fd < 0 && (errno == EOPNOTSUPP || errno == EISDIR)) fd = MakeAndUnlink(directory_);
  if (fd < 0) return CannotWrite(directory_, errno);
  return fd;
}

uint64_t TraceSpool::used_bytes() const {
  const MutexLock lock(&mutex_);
  return used_bytes_;
}

bool TraceSpool::Reserve(uint64_t bytes) {
  const MutexLock lock(&mutex_);
  if (bytes > budget_bytes_ - used_bytes_) return false;
  used_bytes_ += bytes;
  return true;
}

void TraceSpool::Release(uint64_t bytes) {
  const MutexLock lock(&mutex_);
  used_bytes_ -= bytes;
}

// The file, its share of the budget and its checksums; written by a sink, then read by many.
class SpoolSink::File final : public SpooledTrace {
 public:
  File(std::shared_ptr<TraceSpool> spool, int fd) : spool_(std::move(spool)), fd_(fd) {}
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  ~File() override {
    close(fd_);
    spool_->Release(reserved_);
  }

  const TraceSpool& spool() const { return *spool_; }

  bool Reserve(uint64_t bytes) {
    if (!spool_->Reserve(bytes)) return false;
    reserved_ += bytes;
    return true;
  }

  // Only after Reserve(chunk.size()).
  absl::Status Append(std::string_view chunk) {
    if (const int error = WriteAt(fd_, chunk, size_); error != 0) {
      return CannotWrite(spool_->directory(), error);
    }
    size_ += chunk.size();
    checksums_.push_back(archive::Crc32c(chunk));
    return absl::OkStatus();
  }

  void Discard() {
    // What is left of the file goes with its descriptor.
    if (ftruncate(fd_, 0) == 0) size_ = 0;
    spool_->Release(std::exchange(reserved_, 0));
    checksums_.clear();
  }

  void Complete(std::optional<timeline::TraceSummary> summary,
                std::vector<capture::Warning> warnings) {
    const std::string_view checksums(reinterpret_cast<const char*>(checksums_.data()),
                                     checksums_.size() * sizeof(uint32_t));
    etag_ = fmt::format("{:x}-{:08x}", size_, archive::Crc32c(checksums));
    summary_ = std::move(summary);
    warnings_ = std::move(warnings);
  }

  uint64_t size() const override { return size_; }
  const std::string& etag() const override { return etag_; }
  const std::optional<timeline::TraceSummary>& summary() const override { return summary_; }
  const std::vector<capture::Warning>& warnings() const override { return warnings_; }

  absl::StatusOr<Chunk> Read(uint64_t offset) const override {
    const uint64_t end = std::min(size_, (offset / kChunkBytes + 1) * kChunkBytes);
    Chunk chunk;
    if (offset >= end) return chunk;
    std::shared_ptr<char[]> buffer = spool_->buffers().Take();
    chunk.size = end - offset;
    if (const int error = ReadAt(fd_, buffer.get(), chunk.size, offset); error != 0) {
      return absl::InternalError(fmt::format("{}: cannot read a trace at byte {}: {}",
                                             spool_->directory(), offset, ReasonOf(error)));
    }
    chunk.buffer = std::move(buffer);
    chunk.crc32c = offset % kChunkBytes == 0 ? checksums_[offset / kChunkBytes]
                                             : archive::Crc32c(chunk.data());
    return chunk;
  }

 private:
  const std::shared_ptr<TraceSpool> spool_;
  const int fd_;
  uint64_t reserved_ = 0;
  uint64_t size_ = 0;
  std::vector<uint32_t> checksums_;  // of every chunk
  std::string etag_;
  std::optional<timeline::TraceSummary> summary_;
  std::vector<capture::Warning> warnings_;
};

absl::StatusOr<std::unique_ptr<SpoolSink>> SpoolSink::Create(std::shared_ptr<TraceSpool> spool,
                                                             std::function<bool()> make_room,
                                                             std::stop_token stop) {
  const absl::StatusOr<int> fd = spool->NewFile();
  if (!fd.ok()) return fd.status();
  return std::unique_ptr<SpoolSink>(new SpoolSink(std::make_unique<File>(std::move(spool), *fd),
                                                  std::move(make_room), std::move(stop)));
}

SpoolSink::SpoolSink(std::unique_ptr<File> file, std::function<bool()> make_room,
                     std::stop_token stop)
    : file_(std::move(file)), make_room_(std::move(make_room)), stop_(std::move(stop)) {
  chunk_.reserve(SpooledTrace::kChunkBytes);
}

SpoolSink::~SpoolSink() = default;

absl::Status SpoolSink::Store(std::string_view bytes) {
  while (!bytes.empty()) {
    const size_t room = SpooledTrace::kChunkBytes - chunk_.size();
    chunk_ += bytes.substr(0, room);
    bytes.remove_prefix(std::min(room, bytes.size()));
    if (chunk_.size() < SpooledTrace::kChunkBytes) return absl::OkStatus();
    if (absl::Status status = StoreChunk(); !status.ok()) return status;
  }
  return absl::OkStatus();
}

absl::Status SpoolSink::StoreChunk() {
  if (stop_.stop_requested()) {
    return absl::CancelledError("rendering was given up: nobody waits for the trace any more");
  }
  while (!overflowed_ && !file_->Reserve(chunk_.size())) {
    if (make_room_()) continue;
    overflowed_ = true;
    file_->Discard();
  }
  absl::Status status = overflowed_ ? absl::OkStatus() : file_->Append(chunk_);
  chunk_.clear();
  return status;
}

absl::Status SpoolSink::Finish() {
  if (!chunk_.empty()) {
    if (absl::Status status = StoreChunk(); !status.ok()) return status;
  }
  if (!overflowed_) return absl::OkStatus();
  const TraceSpool& spool = file_->spool();
  return absl::ResourceExhaustedError(fmt::format(
      "the trace takes {} bytes and the spool for traces holds {}, of which {} are in use; ask for "
      "a part of it with --from, --to or --lanes, or raise --spool-bytes to at least {}",
      bytes_written(), spool.budget_bytes(), spool.used_bytes(), bytes_written()));
}

std::shared_ptr<const SpooledTrace> SpoolSink::Take(std::optional<timeline::TraceSummary> summary,
                                                    std::vector<capture::Warning> warnings) {
  file_->Complete(std::move(summary), std::move(warnings));
  return std::shared_ptr<const SpooledTrace>(std::move(file_));
}

}  // namespace simpler::daemon
