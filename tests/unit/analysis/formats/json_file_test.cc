#include "analysis/formats/json_file.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <utility>

#include "tests/support/temp_dir.h"

namespace simpler::formats {
namespace {

using support::TempDir;
using testing::AllOf;
using testing::HasSubstr;

std::string Text(const JsonFile& file) { return {file.bytes().data(), file.size()}; }

absl::Status OpenError(const std::string& path) {
  const absl::StatusOr<JsonFile> file = JsonFile::Open(path);
  EXPECT_FALSE(file.ok());
  EXPECT_THAT(std::string(file.status().message()), HasSubstr(path));
  return file.status();
}

std::string Message(const absl::Status& status) { return std::string(status.message()); }

TEST(JsonFile, ReadsAFileAndPadsItWithZeroes) {
  const TempDir dir;
  const absl::StatusOr<JsonFile> file = JsonFile::Open(dir.Write("a.json", "{\"a\": 1}"));
  ASSERT_TRUE(file.ok()) << file.status();
  EXPECT_EQ(Text(*file), "{\"a\": 1}");
  const simdjson::padded_string_view bytes = file->bytes();
  ASSERT_GE(bytes.capacity(), bytes.length() + simdjson::SIMDJSON_PADDING);
  EXPECT_TRUE(std::all_of(bytes.data() + bytes.length(), bytes.data() + bytes.capacity(),
                          [](char c) { return c == '\0'; }));
}

TEST(JsonFile, PadsFilesThatEndOnAPageBoundary) {
  const TempDir dir;
  const std::string text = "\"" + std::string(4094, 'x') + "\"";
  const absl::StatusOr<JsonFile> file = JsonFile::Open(dir.Write("page.json", text));
  ASSERT_TRUE(file.ok()) << file.status();
  EXPECT_EQ(Text(*file), text);
  EXPECT_EQ(file->bytes().data()[4096], '\0');
}

TEST(JsonFile, CopiesTextAndMoves) {
  JsonFile first = JsonFile::FromText("[1]", "label");
  JsonFile second(std::move(first));
  EXPECT_EQ(Text(second), "[1]");
  EXPECT_EQ(second.name(), "label");
  JsonFile third = JsonFile::FromText("", "empty");
  third = std::move(second);
  EXPECT_EQ(Text(third), "[1]");
}

TEST(JsonFile, RefusesAMissingFile) {
  const TempDir dir;
  const absl::Status status = OpenError(dir.path() / "none.json");
  EXPECT_EQ(status.code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(Message(status), HasSubstr("check the path"));
}

TEST(JsonFile, RefusesADirectory) {
  const TempDir dir;
  const absl::Status status = OpenError(dir.path());
  EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(Message(status), HasSubstr("is a directory; name the JSON file inside it"));
}

TEST(JsonFile, RefusesAPipeWithoutWaitingForAWriter) {
  const TempDir dir;
  const std::string path = dir.path() / "pipe";
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  EXPECT_THAT(Message(OpenError(path)), HasSubstr("is not a regular file"));
}

TEST(JsonFile, RefusesAnEmptyFile) {
  const TempDir dir;
  EXPECT_THAT(Message(OpenError(dir.Write("a.json", ""))), HasSubstr("is empty"));
}

TEST(JsonFile, RefusesASparseFile) {
  const TempDir dir;
  const std::string path = dir.Write("a.json", "{}");
  std::filesystem::resize_file(path, 1 << 20);
  EXPECT_THAT(Message(OpenError(path)),
              AllOf(HasSubstr("sparse file"), HasSubstr("1048576 bytes")));
}

TEST(JsonFile, RefusesMoreThanFourGibibytesBeforeReading) {
  const TempDir dir;
  const std::string path = dir.Write("a.json", "{}");
  std::filesystem::resize_file(path, kMaxJsonBytes + 1);
  EXPECT_THAT(Message(OpenError(path)),
              AllOf(HasSubstr("4294967296 bytes"), HasSubstr("at most 4 GiB")));
}

// Permission bits do not bind the superuser, so the test gives its rights up first.
TEST(JsonFileDeathTest, RefusesAFileWithoutReadPermission) {
  const TempDir dir;
  const std::string path = dir.Write("a.json", "{}");
  std::filesystem::permissions(dir.path(), std::filesystem::perms::all);
  ASSERT_EQ(chmod(path.c_str(), 0), 0);
  const auto open_without_rights = [&] {
    if (geteuid() == 0 && (setgid(65534) != 0 || setuid(65534) != 0)) _exit(2);
    const absl::Status status = JsonFile::Open(path).status();
    const bool named = Message(status).find("make it readable for this user") != std::string::npos;
    _exit(status.code() == absl::StatusCode::kPermissionDenied && named ? 0 : 1);
  };
  EXPECT_EXIT(open_without_rights(), testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace simpler::formats
