// The right to listen on a Unix socket path.
#pragma once

#include <string>

#include "absl/status/statusor.h"

namespace simpler::daemon {

// gRPC removes whatever socket it finds where it is told to listen, even one that another daemon
// serves. So whoever listens first locks "<socket>.lock"; the kernel gives the lock back when the
// process ends, however it ends. Removes the socket in the end.
class SocketLock {
 public:
  // Prepares the path: creates the directory if it is missing and `socket` is the default path,
  // takes the lock, and makes sure that what exists there is a socket that nobody serves. All
  // errors name the path. InvalidArgument: the path is too long. FailedPrecondition: another
  // process holds the lock (named by its id) or serves the socket, the file is no socket, or the
  // directory belongs to someone else. Others as from creating files.
  static absl::StatusOr<SocketLock> Take(const std::string& socket);
  SocketLock(SocketLock&& other) noexcept;
  SocketLock& operator=(SocketLock&&) = delete;
  ~SocketLock();

 private:
  SocketLock(std::string socket, int fd) : socket_(std::move(socket)), fd_(fd) {}

  std::string socket_;
  int fd_;  // of the lock file; -1: moved from
};

}  // namespace simpler::daemon
