#include "daemon/server/socket_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

#include "absl/status/status.h"
#include "fmt/format.h"
#include "proto/simpler/profiler/v1/default_endpoint.h"

namespace simpler::daemon {
namespace {

constexpr size_t kMaxPathBytes = sizeof(sockaddr_un::sun_path) - 1;

absl::Status ErrnoStatus(int error, const std::string& path, const char* what) {
  return absl::ErrnoToStatus(error, fmt::format("{}: {}", path, what));
}

absl::Status CheckLength(const std::string& socket) {
  if (!socket.empty() && socket.size() <= kMaxPathBytes) return absl::OkStatus();
  return absl::InvalidArgumentError(
      fmt::format("--socket {}: the path of a socket has 1 to {} bytes, this one has {}", socket,
                  kMaxPathBytes, socket.size()));
}

// The default directory may be below /tmp, where anybody could have made it first.
absl::Status CheckOwner(const std::string& directory) {
  struct stat info {};
  if (lstat(directory.c_str(), &info) != 0) {
    return ErrnoStatus(errno, directory, "cannot look at the socket's directory");
  }
  if (S_ISDIR(info.st_mode) && info.st_uid == geteuid()) return absl::OkStatus();
  return absl::FailedPreconditionError(
      fmt::format("{}: the socket's directory does not belong to this user; remove it or choose "
                  "another path with --socket",
                  directory));
}

absl::Status PrepareDirectory(const std::string& socket) {
  if (socket != profiler::DefaultSocketPath()) return absl::OkStatus();
  const std::string directory = std::filesystem::path(socket).parent_path();
  if (mkdir(directory.c_str(), 0750) != 0 && errno != EEXIST) {
    return ErrnoStatus(errno, directory, "cannot create the socket's directory");
  }
  return CheckOwner(directory);
}

std::string ReadHolder(int fd) {
  std::array<char, 32> text{};
  const ssize_t size = pread(fd, text.data(), text.size() - 1, 0);
  return size > 0 ? std::string(text.data(), static_cast<size_t>(size)) : "unknown";
}

absl::Status Lock(int fd, const std::string& socket) {
  if (flock(fd, LOCK_EX | LOCK_NB) == 0) return absl::OkStatus();
  if (errno != EWOULDBLOCK) return ErrnoStatus(errno, socket + ".lock", "cannot lock the file");
  return absl::FailedPreconditionError(
      fmt::format("{}: another simplerd (process {}) serves this socket; stop it or choose another "
                  "path with --socket",
                  socket, ReadHolder(fd)));
}

absl::Status WriteHolder(int fd, const std::string& socket) {
  const std::string pid = std::to_string(getpid());
  if (ftruncate(fd, 0) == 0 &&
      pwrite(fd, pid.data(), pid.size(), 0) == static_cast<ssize_t>(pid.size())) {
    return absl::OkStatus();
  }
  return ErrnoStatus(errno, socket + ".lock", "cannot write the process id");
}

bool SomeoneAccepts(const std::string& socket) {
  const int fd = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::memcpy(address.sun_path, socket.c_str(), socket.size());
  const int result = connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof(address));
  const bool accepts = result == 0 || errno == EAGAIN;
  close(fd);
  return accepts;
}

// With the lock held: a socket that is left over may be replaced, anything else may not.
absl::Status CheckLeftOver(const std::string& socket) {
  struct stat info {};
  if (lstat(socket.c_str(), &info) != 0) return absl::OkStatus();
  if (!S_ISSOCK(info.st_mode)) {
    return absl::FailedPreconditionError(fmt::format(
        "{}: is a file, not a socket; remove it or choose another path with --socket", socket));
  }
  if (!SomeoneAccepts(socket)) return absl::OkStatus();
  return absl::FailedPreconditionError(fmt::format(
      "{}: another program serves this socket; choose another path with --socket", socket));
}

}  // namespace

absl::StatusOr<SocketLock> SocketLock::Take(const std::string& socket) {
  if (absl::Status status = CheckLength(socket); !status.ok()) return status;
  if (absl::Status status = PrepareDirectory(socket); !status.ok()) return status;
  const int fd = open((socket + ".lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0640);
  if (fd < 0) return ErrnoStatus(errno, socket + ".lock", "cannot open the socket's lock file");
  if (absl::Status status = Lock(fd, socket); !status.ok()) {
    close(fd);
    return status;
  }
  SocketLock lock(socket, fd);
  if (absl::Status status = CheckLeftOver(socket); !status.ok()) {
    lock.socket_.clear();  // not ours to remove
    return status;
  }
  if (absl::Status status = WriteHolder(fd, socket); !status.ok()) return status;
  return lock;
}

SocketLock::SocketLock(SocketLock&& other) noexcept
    : socket_(std::move(other.socket_)), fd_(std::exchange(other.fd_, -1)) {}

SocketLock::~SocketLock() {
  if (fd_ < 0) return;
  if (!socket_.empty()) unlink(socket_.c_str());
  close(fd_);
}

}  // namespace simpler::daemon
