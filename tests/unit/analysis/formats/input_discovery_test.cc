#include "analysis/formats/input_discovery.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <string>

#include "tests/support/temp_dir.h"

namespace simpler::formats {
namespace {

using support::TempDir;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

void SetAge(const std::string& path, std::chrono::hours age) {
  std::filesystem::last_write_time(path, std::filesystem::file_time_type::clock::now() - age);
}

InputRequest RequestFor(const std::filesystem::path& path) {
  InputRequest request;
  request.path = path.string();
  return request;
}

TEST(InputDiscovery, ADirectoryGivesItsRecordsAndSideFiles) {
  const TempDir dir;
  const std::string records = dir.Write("chip_swimlane_records.json", "{}");
  const std::string deps = dir.Write("deps.json", "{}");
  const std::string names = dir.Write("name_map_Case_1.json", "{}");
  const std::string identity = dir.Write("dispatch_identity.json", "{}");
  const auto paths = DiscoverInputs(RequestFor(dir.path()));
  ASSERT_TRUE(paths.ok()) << paths.status();
  EXPECT_EQ(paths->records, records);
  EXPECT_EQ(paths->deps, deps);
  EXPECT_EQ(paths->name_map, names);
  EXPECT_EQ(paths->identity, identity);
  EXPECT_THAT(paths->warnings, IsEmpty());
}

TEST(InputDiscovery, AFileOfAnyNameIsTakenAsRecords) {
  const TempDir dir;
  const std::string records = dir.Write("renamed.json", "{}");
  const auto paths = DiscoverInputs(RequestFor(records));
  ASSERT_TRUE(paths.ok()) << paths.status();
  EXPECT_EQ(paths->records, records);
  EXPECT_FALSE(paths->deps.has_value());
  EXPECT_FALSE(paths->name_map.has_value());
  EXPECT_FALSE(paths->identity.has_value());
}

TEST(InputDiscovery, ADirectoryPrefersTheNewestLayout) {
  const TempDir dir;
  const std::string oldest = dir.Write("l2_perf_records.json", "{}");
  EXPECT_EQ(DiscoverInputs(RequestFor(dir.path()))->records, oldest);
  const std::string old = dir.Write("l2_swimlane_records.json", "{}");
  EXPECT_EQ(DiscoverInputs(RequestFor(dir.path()))->records, old);
  const std::string current = dir.Write("chip_swimlane_records.json", "{}");
  EXPECT_EQ(DiscoverInputs(RequestFor(dir.path()))->records, current);
}

TEST(InputDiscovery, NamesWhatIsMissing) {
  const TempDir dir;
  const auto empty = DiscoverInputs(RequestFor(dir.path()));
  EXPECT_EQ(empty.status().code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(std::string(empty.status().message()),
              AllOf(HasSubstr(dir.path().string()), HasSubstr("chip_swimlane_records.json")));

  const auto absent = DiscoverInputs(RequestFor(dir.path() / "nowhere"));
  EXPECT_EQ(absent.status().code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(std::string(absent.status().message()), HasSubstr("nowhere"));
}

TEST(InputDiscovery, WithoutAPathTheNewestCaptureAtAnyDepthIsTaken) {
  const TempDir dir;
  SetAge(dir.Write("A_1/chip_swimlane_records.json", "{}"), std::chrono::hours(3));
  const std::string newest = dir.Write("B_2/rank0/d1/chip_swimlane_records.json", "{}");
  SetAge(newest, std::chrono::hours(1));
  SetAge(dir.Write("C_3/chip_swimlane_records.json", "{}"), std::chrono::hours(2));
  dir.Write("C_3/merged_swimlane.json", "{}");
  InputRequest request;
  request.outputs = dir.path().string();
  const auto paths = DiscoverInputs(request);
  ASSERT_TRUE(paths.ok()) << paths.status();
  EXPECT_EQ(paths->records, newest);
}

TEST(InputDiscovery, EqualTimesAreDecidedByThePath) {
  const TempDir dir;
  const std::string first = dir.Write("A/chip_swimlane_records.json", "{}");
  const std::string second = dir.Write("B/chip_swimlane_records.json", "{}");
  std::filesystem::last_write_time(first, std::filesystem::last_write_time(second));
  InputRequest request;
  request.outputs = dir.path().string();
  EXPECT_EQ(DiscoverInputs(request)->records, second);
}

TEST(InputDiscovery, SaysWhereItLookedForCaptures) {
  const TempDir dir;
  for (const std::string& outputs : {dir.path().string(), (dir.path() / "outputs").string()}) {
    InputRequest request;
    request.outputs = outputs;
    const auto paths = DiscoverInputs(request);
    EXPECT_EQ(paths.status().code(), absl::StatusCode::kNotFound);
    EXPECT_THAT(std::string(paths.status().message()), HasSubstr(outputs));
  }
}

TEST(InputDiscovery, CaseA35NameMaps) {
  const TempDir dir;
  dir.Write("chip_swimlane_records.json", "{}");
  dir.Write("name_mapping.txt", "");
  const std::string only = dir.Write("name_map_b.json", "{}");
  EXPECT_EQ(DiscoverInputs(RequestFor(dir.path()))->name_map, only);

  dir.Write("name_map_a.json", "{}");
  const auto ambiguous = DiscoverInputs(RequestFor(dir.path()));
  ASSERT_TRUE(ambiguous.ok()) << ambiguous.status();
  EXPECT_FALSE(ambiguous->name_map.has_value());
  ASSERT_EQ(ambiguous->warnings.size(), 1u);
  EXPECT_EQ(ambiguous->warnings[0].code, "name_map_ambiguous");
  EXPECT_EQ(ambiguous->warnings[0].count, 2u);
  EXPECT_THAT(ambiguous->warnings[0].text, HasSubstr("name_map_a.json, name_map_b.json"));

  InputRequest explicit_map = RequestFor(dir.path());
  explicit_map.name_map = only;
  const auto chosen = DiscoverInputs(explicit_map);
  ASSERT_TRUE(chosen.ok()) << chosen.status();
  EXPECT_EQ(chosen->name_map, only);
  EXPECT_THAT(chosen->warnings, IsEmpty());
}

TEST(InputDiscovery, CaseA150TheBareNameIsANameMap) {
  const TempDir dir;
  dir.Write("chip_swimlane_records.json", "{}");
  const std::string names = dir.Write("name_map.json", "{}");
  EXPECT_EQ(DiscoverInputs(RequestFor(dir.path()))->name_map, names);
}

TEST(InputDiscovery, NamedSideFilesReplaceSiblingsAndMustExist) {
  const TempDir dir;
  dir.Write("run/chip_swimlane_records.json", "{}");
  dir.Write("run/deps.json", "{}");
  const std::string other = dir.Write("other/deps.json", "{}");
  InputRequest request = RequestFor(dir.path() / "run");
  request.deps = other;
  EXPECT_EQ(DiscoverInputs(request)->deps, other);

  request.deps = (dir.path() / "absent.json").string();
  EXPECT_THAT(std::string(DiscoverInputs(request).status().message()),
              AllOf(HasSubstr("absent.json"), HasSubstr("task graph")));
  request.deps.reset();
  request.name_map = (dir.path() / "absent.json").string();
  EXPECT_THAT(std::string(DiscoverInputs(request).status().message()),
              AllOf(HasSubstr("absent.json"), HasSubstr("name map")));
}

TEST(InputDiscovery, FindsSiblingsOfAFileInTheCurrentDirectory) {
  const TempDir dir;
  dir.Write("chip_swimlane_records.json", "{}");
  dir.Write("name_map.json", "{}");
  dir.Write("deps.json", "{}");
  const std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::current_path(dir.path());
  const auto paths = DiscoverInputs(RequestFor("chip_swimlane_records.json"));
  std::filesystem::current_path(before);
  ASSERT_TRUE(paths.ok()) << paths.status();
  EXPECT_EQ(paths->deps, "deps.json");
  EXPECT_EQ(paths->name_map, "name_map.json");
}

}  // namespace
}  // namespace simpler::formats
