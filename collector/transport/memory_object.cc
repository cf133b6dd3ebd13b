#include "collector/transport/memory_object.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "absl/status/status.h"
#include "fmt/format.h"

namespace simpler::transport {
namespace {

constexpr int kSizeSeals = F_SEAL_SHRINK | F_SEAL_GROW;
constexpr uint64_t kMaxBytes = uint64_t{1} << 46;

absl::StatusOr<uint64_t> WholePages(uint64_t bytes) {
  if (bytes == 0 || bytes > kMaxBytes) {
    return absl::InvalidArgumentError(
        fmt::format("a device memory of {} bytes: the size must be in [1, {}]", bytes, kMaxBytes));
  }
  const auto page = static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
  return (bytes + page - 1) / page * page;
}

}  // namespace

absl::StatusOr<MemoryObject> MemoryObject::Create(uint64_t bytes) {
  const absl::StatusOr<uint64_t> size = WholePages(bytes);
  if (!size.ok()) return size.status();
  const int fd = memfd_create("simpler-device-memory", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (fd < 0) return absl::ErrnoToStatus(errno, "cannot create a memory object");
  MemoryObject object(fd, *size);
  if (ftruncate(fd, static_cast<off_t>(*size)) != 0) {
    return absl::ErrnoToStatus(errno, fmt::format("cannot size a memory object to {}", *size));
  }
  if (fcntl(fd, F_ADD_SEALS, kSizeSeals | F_SEAL_SEAL) != 0) {
    return absl::ErrnoToStatus(errno, "cannot seal a memory object");
  }
  return object;
}

absl::StatusOr<MemoryObject> MemoryObject::Adopt(int fd) {
  MemoryObject object(fd, 0);
  const int seals = fcntl(fd, F_GET_SEALS);
  struct stat status {};
  if (seals < 0 || (seals & kSizeSeals) != kSizeSeals || fstat(fd, &status) != 0) {
    return absl::InvalidArgumentError(
        "the descriptor is not a memory object that is sealed against changes of its size");
  }
  object.size_ = static_cast<uint64_t>(status.st_size);
  if (object.size_ == 0) return absl::InvalidArgumentError("the memory object is empty");
  return object;
}

MemoryObject::MemoryObject(MemoryObject&& other) noexcept
    : fd_(std::exchange(other.fd_, -1)), size_(std::exchange(other.size_, 0)) {}

MemoryObject& MemoryObject::operator=(MemoryObject&& other) noexcept {
  std::swap(fd_, other.fd_);
  std::swap(size_, other.size_);
  return *this;
}

MemoryObject::~MemoryObject() {
  if (fd_ >= 0) close(fd_);
}

absl::StatusOr<Mapping> Mapping::Create(const MemoryObject& object) {
  void* const data =
      mmap(nullptr, object.size(), PROT_READ | PROT_WRITE, MAP_SHARED, object.fd(), 0);
  if (data == MAP_FAILED) {
    return absl::ErrnoToStatus(errno,
                               fmt::format("cannot map {} bytes of device memory", object.size()));
  }
  return Mapping(static_cast<std::byte*>(data), object.size());
}

Mapping::Mapping(Mapping&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}

Mapping& Mapping::operator=(Mapping&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
  return *this;
}

Mapping::~Mapping() {
  if (data_ != nullptr) munmap(data_, size_);
}

}  // namespace simpler::transport
