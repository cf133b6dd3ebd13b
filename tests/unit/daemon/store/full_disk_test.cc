// The store on a disk that is really full. Needs the right to mount.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "tests/support/temp_dir.h"
#include "tests/support/tiny_filesystem.h"
#include "tests/unit/daemon/store/imports.h"

namespace simpler::daemon {
namespace {

namespace fs = std::filesystem;

constexpr size_t kPage = 4096;
constexpr size_t kDiskBytes = 64 * kPage;

// Leaves `pages` free pages on the disk.
void Occupy(const std::string& path, size_t pages) {
  const size_t bytes = fs::space(path).available - pages * kPage;
  std::ofstream(path + "/ballast", std::ios::binary) << std::string(bytes, 'x');
}

size_t FileCount(const std::string& path) {
  return static_cast<size_t>(std::distance(fs::directory_iterator(path), {}));
}

// 0, or the number of the step that went wrong. Either the archive does not fit, or it does and its
// entry does not.
int FillTheDisk(const std::string& path, bool archive_fits) {
  const std::string archive = SmallArchive(1, 200);
  const size_t archive_pages = (archive.size() + kPage - 1) / kPage;
  const auto store = OpenStore(path);
  if (store == nullptr) return 1;
  Occupy(path, archive_fits ? archive_pages : archive_pages - 1);
  const absl::Status refused = ImportArchive(*store, archive).status();
  if (refused.code() != absl::StatusCode::kResourceExhausted) return 2;
  if (std::string(refused.message()).find(path) == std::string::npos) return 3;
  if (store->usage().captures != 0 || FileCount(path) != 2) return 4;
  fs::remove(path + "/ballast");
  return ImportArchive(*store, archive).ok() ? 0 : 5;
}

class FullDiskTest : public ::testing::TestWithParam<bool> {};

TEST_P(FullDiskTest, TheImportIsRefusedAndLeavesNothing) {
  if (!support::CanMount()) {
    if (std::getenv("CI") != nullptr) FAIL() << "needs the right to mount file systems";
    GTEST_SKIP() << "needs the right to mount file systems";
  }
  const support::TempDir directory;
  EXPECT_EQ(support::WithTinyFilesystem(
                directory.path().string(), kDiskBytes,
                [](const std::string& path) { return FillTheDisk(path, GetParam()); }),
            0);
}

INSTANTIATE_TEST_SUITE_P(ArchiveOrEntry, FullDiskTest, ::testing::Bool());

}  // namespace
}  // namespace simpler::daemon
