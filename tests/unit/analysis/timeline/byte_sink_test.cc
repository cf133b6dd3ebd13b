#include "analysis/timeline/byte_sink.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>

namespace simpler::timeline {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

// A directory of its own for each test, removed at the end.
class FileSinkTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = ::testing::TempDir() + "byte_sink_test.XXXXXX";
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    directory_ = pattern;
  }
  void TearDown() override { fs::remove_all(directory_); }

  std::string Path(const std::string& name) const { return directory_ / name; }

  size_t FileCount() const {
    return static_cast<size_t>(
        std::distance(fs::directory_iterator(directory_), fs::directory_iterator()));
  }

  static std::string Contents(const std::string& path) {
    std::stringstream contents;
    contents << std::ifstream(path, std::ios::binary).rdbuf();
    return contents.str();
  }

  fs::path directory_;
};

TEST(StringSinkTest, AppendsInOrderAndCounts) {
  std::string target = "kept ";
  StringSink sink(&target);
  ASSERT_TRUE(sink.Append("one ").ok());
  ASSERT_TRUE(sink.Append("two").ok());
  ASSERT_TRUE(sink.Commit().ok());
  EXPECT_EQ(target, "kept one two");
  EXPECT_EQ(sink.bytes_written(), 7u);
}

TEST_F(FileSinkTest, FileAppearsOnlyWithCommit) {
  auto sink = FileSink::Create(Path("trace"));
  ASSERT_TRUE(sink.ok());
  ASSERT_TRUE((*sink)->Append("content").ok());
  EXPECT_FALSE(fs::exists(Path("trace")));
  ASSERT_TRUE((*sink)->Commit().ok());
  EXPECT_EQ(Contents(Path("trace")), "content");
  EXPECT_EQ((*sink)->bytes_written(), 7u);
  EXPECT_EQ(FileCount(), 1u) << "no temporary file stays";
}

TEST_F(FileSinkTest, DestructionWithoutCommitLeavesTheOldFile) {
  std::ofstream(Path("trace")) << "old";
  {
    auto sink = FileSink::Create(Path("trace"));
    ASSERT_TRUE(sink.ok());
    ASSERT_TRUE((*sink)->Append("new").ok());
  }
  EXPECT_EQ(Contents(Path("trace")), "old");
  EXPECT_EQ(FileCount(), 1u);
}

TEST_F(FileSinkTest, CommitReplacesTheOldFile) {
  std::ofstream(Path("trace")) << "old and longer";
  auto sink = FileSink::Create(Path("trace"));
  ASSERT_TRUE(sink.ok());
  ASSERT_TRUE((*sink)->Append("new").ok());
  ASSERT_TRUE((*sink)->Commit().ok());
  EXPECT_EQ(Contents(Path("trace")), "new");
}

TEST_F(FileSinkTest, PiecesSmallerAndLargerThanTheBufferKeepTheirOrder) {
  auto sink = FileSink::Create(Path("trace"));
  ASSERT_TRUE(sink.ok());
  std::string expected;
  for (size_t size : {1, 1000, 65535, 1, 65536, 7, 200000, 3}) {
    const std::string piece(size, static_cast<char>('a' + expected.size() % 26));
    ASSERT_TRUE((*sink)->Append(piece).ok());
    expected += piece;
  }
  ASSERT_TRUE((*sink)->Commit().ok());
  EXPECT_EQ(Contents(Path("trace")), expected);
}

TEST_F(FileSinkTest, SymbolicLinkStaysAndItsTargetIsReplaced) {
  std::ofstream(Path("target")) << "old";
  fs::create_symlink(Path("target"), Path("link"));
  auto sink = FileSink::Create(Path("link"));
  ASSERT_TRUE(sink.ok());
  ASSERT_TRUE((*sink)->Append("new").ok());
  ASSERT_TRUE((*sink)->Commit().ok());
  EXPECT_TRUE(fs::is_symlink(Path("link")));
  EXPECT_EQ(Contents(Path("target")), "new");
}

TEST_F(FileSinkTest, FileHasTheModeOfAnyNewFile) {
  const mode_t mask = umask(022);
  auto sink = FileSink::Create(Path("trace"));
  umask(mask);
  ASSERT_TRUE(sink.ok());
  ASSERT_TRUE((*sink)->Commit().ok());
  struct stat info = {};
  ASSERT_EQ(stat(Path("trace").c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0644u);
}

TEST_F(FileSinkTest, MissingDirectoryIsNamed) {
  const auto sink = FileSink::Create(Path("missing/trace"));
  ASSERT_FALSE(sink.ok());
  EXPECT_EQ(sink.status().code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(std::string(sink.status().message()), HasSubstr(Path("missing/trace")));
}

// /dev/full accepts writes into a buffer and reports a full disk when they reach it.
TEST(FileSinkFailureTest, FullDiskIsReportedWithThePathAndSticks) {
  auto sink = FileSink::Create("/dev/full");
  ASSERT_TRUE(sink.ok());
  EXPECT_TRUE((*sink)->Append("buffered").ok());
  const absl::Status commit = (*sink)->Commit();
  EXPECT_EQ(commit.code(), absl::StatusCode::kResourceExhausted);
  EXPECT_THAT(std::string(commit.message()), HasSubstr("/dev/full"));
  EXPECT_EQ((*sink)->Append("more"), commit);
  EXPECT_EQ((*sink)->bytes_written(), 8u) << "what was refused does not count";
}

TEST(FileSinkFailureTest, DeviceIsWrittenInPlace) {
  {
    auto sink = FileSink::Create("/dev/null");
    ASSERT_TRUE(sink.ok());
    ASSERT_TRUE((*sink)->Append("gone").ok());
    ASSERT_TRUE((*sink)->Commit().ok());
  }
  struct stat info = {};
  ASSERT_EQ(stat("/dev/null", &info), 0);
  EXPECT_TRUE(S_ISCHR(info.st_mode));
}

TEST(FdSinkTest, WritesToAPipeOnCommit) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  FdSink sink(ends[1], "a pipe");
  ASSERT_TRUE(sink.Append("through ").ok());
  ASSERT_TRUE(sink.Append("the pipe").ok());
  ASSERT_TRUE(sink.Commit().ok());
  char buffer[64];
  const ssize_t size = read(ends[0], buffer, sizeof(buffer));
  EXPECT_EQ(std::string(buffer, static_cast<size_t>(size)), "through the pipe");
  close(ends[0]);
  close(ends[1]);
}

TEST(FdSinkTest, ClosedDescriptorIsReportedByName) {
  FdSink sink(-1, "standard output");
  ASSERT_TRUE(sink.Append("x").ok());
  const absl::Status status = sink.Commit();
  EXPECT_FALSE(status.ok());
  EXPECT_THAT(std::string(status.message()), HasSubstr("standard output"));
}

}  // namespace
}  // namespace simpler::timeline
