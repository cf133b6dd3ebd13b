#include "analysis/formats/dispatch_identity_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <utility>

#include "tests/support/temp_dir.h"

namespace simpler::formats {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr const char* kIdentity =
    R"({"schema_version": 1, "run_id": 17, "task_slot": 5, "group_index": 2, "group_size": 4,
 "host_pid": 16860, "chip_rank": 2, "local_capture_index": 7, "endpoint_dispatch_id": 41,
 "pipeline_slot": 0, "pipeline_generation": 23,
 "callable_digest": "abababababababababababababababababababababababababababababababab"})";

absl::StatusOr<DispatchIdentity> Parse(const std::string& text,
                                       const std::string& path = "x/rank2/d7/identity.json") {
  return ParseDispatchIdentity(JsonFile::FromText(text, path));
}

// The document with the first `from` replaced.
std::string With(const std::string& from, const std::string& to) {
  std::string text = kIdentity;
  const size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

TEST(DispatchIdentityReader, ReadsAllFields) {
  const support::TempDir directory;
  const auto identity =
      ReadDispatchIdentity(directory.Write("rank2/d7/dispatch_identity.json", kIdentity));
  ASSERT_TRUE(identity.ok()) << identity.status();
  EXPECT_EQ(identity->run_id, 17);
  EXPECT_EQ(identity->task_slot, 5);
  EXPECT_EQ(identity->group_index, 2);
  EXPECT_EQ(identity->group_size, 4);
  EXPECT_EQ(identity->host_pid, 16860);
  EXPECT_EQ(identity->chip_rank, 2);
  EXPECT_EQ(identity->local_capture_index, 7);
  EXPECT_EQ(identity->endpoint_dispatch_id, 41);
  EXPECT_EQ(identity->pipeline_slot, 0);
  EXPECT_EQ(identity->pipeline_generation, 23);
  EXPECT_EQ(identity->callable_digest.size(), 64u);
}

TEST(DispatchIdentityReader, FindsTheDirectoryOfARelativePath) {
  const support::TempDir directory;
  directory.Write("rank2/d7/dispatch_identity.json", kIdentity);
  const std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::current_path(directory.path() / "rank2" / "d7");
  const auto identity = ReadDispatchIdentity("./dispatch_identity.json");
  std::filesystem::current_path(before);
  EXPECT_TRUE(identity.ok()) << identity.status();
}

TEST(DispatchIdentityReader, TheHostProcessIsOptional) {
  const auto identity = Parse(With(R"("host_pid": 16860,)", ""));
  ASSERT_TRUE(identity.ok()) << identity.status();
  EXPECT_FALSE(identity->host_pid.has_value());
}

TEST(DispatchIdentityReader, RefusesEveryViolatedRule) {
  const std::pair<std::string, const char*> kCases[] = {
      {"[]", "the top level"},
      {With(R"("schema_version": 1)", R"("schema_version": 2)"), "schema_version must be 1"},
      {With(R"("run_id": 17)", R"("run_id": 0)"), "run_id must be an integer of at least 1"},
      {With(R"("run_id": 17)", R"("run_id": true)"), "run_id"},
      {With(R"("run_id": 17)", R"("run_id": "17")"), "run_id"},
      {With(R"("run_id": 17)", R"("run_id": 17.0)"), "run_id"},
      {With(R"("run_id": 17,)", ""), "run_id is missing"},
      {With(R"("task_slot": 5)", R"("task_slot": -1)"), "task_slot"},
      {With(R"("group_size": 4)", R"("group_size": 0)"), "group_size"},
      {With(R"("group_size": 4)", R"("group_size": 2)"), "group_index must be an integer in 0..1"},
      {With(R"("group_index": 2)", R"("group_index": -1)"), "group_index"},
      {With(R"("host_pid": 16860)", R"("host_pid": 0)"), "host_pid"},
      {With(R"("host_pid": 16860)", R"("host_pid": null)"), "host_pid"},
      {With(R"("endpoint_dispatch_id": 41)", R"("endpoint_dispatch_id": 0)"),
       "endpoint_dispatch_id"},
      {With(R"("pipeline_slot": 0)", R"("pipeline_slot": false)"), "pipeline_slot"},
      {With(R"("pipeline_generation": 23)", R"("pipeline_generation": 0)"), "pipeline_generation"},
      {With("ababab", "ABabab"), "callable_digest"},
      {With("ababab", "gbabab"), "callable_digest"},
      {With("ababab", "abab"), "callable_digest"},
      {With(R"("callable_digest": )", R"("callable_digest": 7, "was": )"), "callable_digest"},
      {With(R"("chip_rank": 2)", R"("chip_rank": 3)"), "chip_rank 3 disagrees"},
      {With(R"("local_capture_index": 7)", R"("local_capture_index": 8)"),
       "local_capture_index 8 disagrees"},
  };
  for (const auto& [text, reason] : kCases) {
    const auto identity = Parse(text);
    ASSERT_EQ(identity.status().code(), absl::StatusCode::kInvalidArgument) << text;
    EXPECT_THAT(std::string(identity.status().message()),
                AllOf(HasSubstr("x/rank2/d7/identity.json"), HasSubstr(reason)));
  }
}

TEST(DispatchIdentityReader, RefusesAFileOutsideOfARankDirectory) {
  for (const char* path :
       {"identity.json", "d7/identity.json", "rank2/identity.json", "rank/d7/identity.json",
        "rank2/d/identity.json", "rank-2/d7/identity.json", "rank2x/d7/identity.json",
        "rank2/e7/identity.json", "rank99999999999999999999/d7/x.json"}) {
    EXPECT_THAT(std::string(Parse(kIdentity, path).status().message()),
                HasSubstr("must lie in a directory rankN/dN"))
        << path;
  }
}

TEST(DispatchIdentityReader, RefusesTruncationAtEveryByte) {
  const std::string text = kIdentity;
  for (size_t length = 0; length < text.size(); ++length) {
    EXPECT_FALSE(Parse(text.substr(0, length)).ok()) << "cut after " << length << " bytes";
  }
}

}  // namespace
}  // namespace simpler::formats
