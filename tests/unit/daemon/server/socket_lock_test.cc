#include "daemon/server/socket_lock.h"

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <optional>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/temp_dir.h"

namespace simpler::daemon {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

// A bound socket; it stays behind as a file when it is closed.
class BoundSocket {
 public:
  explicit BoundSocket(const std::string& path) : fd_(socket(AF_UNIX, SOCK_STREAM, 0)) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::memcpy(address.sun_path, path.c_str(), path.size());
    EXPECT_EQ(bind(fd_, reinterpret_cast<const sockaddr*>(&address), sizeof(address)), 0);
    EXPECT_EQ(listen(fd_, 1), 0);
  }
  ~BoundSocket() { close(fd_); }
  BoundSocket(const BoundSocket&) = delete;
  BoundSocket& operator=(const BoundSocket&) = delete;

 private:
  const int fd_;
};

class SocketLockTest : public ::testing::Test {
 protected:
  const support::TempDir directory_;
  const std::string socket_ = directory_.path() / "s.sock";

  void ExpectRefused(const std::string& socket, absl::StatusCode code,
                     const std::string& message) const {
    const absl::StatusOr<SocketLock> lock = SocketLock::Take(socket);
    EXPECT_EQ(lock.status().code(), code) << lock.status();
    EXPECT_THAT(std::string(lock.status().message()), HasSubstr(message));
  }
};

TEST_F(SocketLockTest, SecondTakerIsToldWhoHoldsIt) {
  const absl::StatusOr<SocketLock> first = SocketLock::Take(socket_);
  ASSERT_TRUE(first.ok()) << first.status();
  ExpectRefused(socket_, absl::StatusCode::kFailedPrecondition,
                "process " + std::to_string(getpid()));
}

TEST_F(SocketLockTest, IsFreeAgainAfterItsHolder) {
  { ASSERT_TRUE(SocketLock::Take(socket_).ok()); }
  EXPECT_TRUE(SocketLock::Take(socket_).ok());
}

TEST_F(SocketLockTest, LeftOverSocketMayBeReplacedAndGoesInTheEnd) {
  { const BoundSocket left_over(socket_); }
  ASSERT_TRUE(fs::exists(socket_));
  { EXPECT_TRUE(SocketLock::Take(socket_).ok()); }
  EXPECT_FALSE(fs::exists(socket_));
}

TEST_F(SocketLockTest, ServedSocketIsLeftAlone) {
  const BoundSocket served(socket_);
  ExpectRefused(socket_, absl::StatusCode::kFailedPrecondition, "another program");
  EXPECT_TRUE(fs::exists(socket_));
}

TEST_F(SocketLockTest, FileThatIsNoSocketIsLeftAlone) {
  directory_.Write("s.sock", "precious");
  ExpectRefused(socket_, absl::StatusCode::kFailedPrecondition, "not a socket");
  EXPECT_TRUE(fs::exists(socket_));
}

TEST_F(SocketLockTest, PathBeyondTheSystemsLimitIsRefused) {
  ExpectRefused("/tmp/" + std::string(103, 'x'), absl::StatusCode::kInvalidArgument, "107");
  ExpectRefused("", absl::StatusCode::kInvalidArgument, "107");
}

TEST_F(SocketLockTest, MissingDirectoryIsCreatedOnlyForTheDefaultPath) {
  ExpectRefused(directory_.path() / "missing" / "s.sock", absl::StatusCode::kNotFound,
                "s.sock.lock");
  EXPECT_FALSE(fs::exists(directory_.path() / "missing"));
}

}  // namespace
}  // namespace simpler::daemon
