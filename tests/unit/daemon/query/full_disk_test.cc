// The spool on a disk that is really full. Needs the right to mount.
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "daemon/query/trace_spool.h"
#include "tests/support/temp_dir.h"
#include "tests/support/tiny_filesystem.h"

namespace simpler::daemon {
namespace {

constexpr size_t kDiskBytes = size_t{3} << 20;

// 0, or the number of the step that went wrong.
int FillTheDisk(const std::string& path) {
  const auto spool = TraceSpool::Open(path, uint64_t{1} << 30);
  if (!spool.ok()) return 1;
  {
    auto sink = SpoolSink::Create(*spool, [] { return false; }, {});
    if (!sink.ok()) return 2;
    const std::string bytes(2 * kDiskBytes, 'x');
    absl::Status status = (*sink)->Append(bytes);
    if (status.ok()) status = (*sink)->Commit();
    if (status.code() != absl::StatusCode::kResourceExhausted) return 3;
    if (status.message().find(path.c_str()) == status.message().npos) return 4;
  }
  // What did not fit is gone, and the next one is written.
  if ((*spool)->used_bytes() != 0) return 5;
  auto sink = SpoolSink::Create(*spool, [] { return false; }, {});
  if (!sink.ok() || !(*sink)->Append(std::string(kDiskBytes / 2, 'y')).ok()) return 6;
  return (*sink)->Commit().ok() ? 0 : 7;
}

TEST(FullDiskTest, ATraceThatTheDiskCannotHoldIsRefusedAndLeavesNothing) {
  if (!support::CanMount()) {
    if (std::getenv("CI") != nullptr) FAIL() << "needs the right to mount file systems";
    GTEST_SKIP() << "needs the right to mount file systems";
  }
  const support::TempDir directory;
  EXPECT_EQ(support::WithTinyFilesystem(directory.path().string(), kDiskBytes, FillTheDisk), 0);
}

}  // namespace
}  // namespace simpler::daemon
