#include "analysis/formats/name_map_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "tests/support/temp_dir.h"

namespace simpler::formats {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pair;

constexpr const char* kNameMap = R"({
  "level": 2,
  "orchestrator_name": "PagedAttn",
  "callable_id_to_name": {"0": "QK", "11": "softmax \"v2\""}
}
)";

absl::StatusOr<capture::NameMap> Parse(const std::string& text) {
  return ParseNameMap(JsonFile::FromText(text, "name_map.json"));
}

TEST(NameMapReader, ReadsNames) {
  const support::TempDir directory;
  const auto names = ReadNameMap(directory.Write("name_map_X_y.json", kNameMap));
  ASSERT_TRUE(names.ok()) << names.status();
  EXPECT_EQ(names->level, 2);
  EXPECT_EQ(names->orchestrator_name, "PagedAttn");
  EXPECT_THAT(names->names, ElementsAre(Pair(0, "QK"), Pair(11, "softmax \"v2\"")));
}

TEST(NameMapReader, MissingNullAndUnknownMembersAreLegal) {
  for (const char* text :
       {"{}", R"({"level":null,"orchestrator_name":null,"callable_id_to_name":null})",
        R"({"callable_id_to_name":{},"written_by":["anyone"]})"}) {
    const auto names = Parse(text);
    ASSERT_TRUE(names.ok()) << names.status();
    EXPECT_FALSE(names->level.has_value());
    EXPECT_FALSE(names->orchestrator_name.has_value());
    EXPECT_THAT(names->names, IsEmpty());
  }
}

TEST(NameMapReader, RefusesWrongTypes) {
  const std::pair<const char*, const char*> kCases[] = {
      {"[]", "the top level"},
      {"7", "the top level"},
      {R"({"level":"2"})", "level"},
      {R"({"level":2.5})", "level"},
      {R"({"level":-1})", "level"},
      {R"({"level":99999999999})", "level"},
      {R"({"orchestrator_name":3})", "orchestrator_name"},
      {R"({"callable_id_to_name":["QK"]})", "callable_id_to_name"},
      {R"({"callable_id_to_name":{"0":7}})", "callable_id_to_name['0']"},
      {R"({"callable_id_to_name":{"0":null}})", "callable_id_to_name['0']"},
      {R"({"callable_id_to_name":{"x":"QK"}})", "'x'"},
      {R"({"callable_id_to_name":{"":"QK"}})", "''"},
      {R"({"callable_id_to_name":{"1 ":"QK"}})", "'1 '"},
      {R"({"callable_id_to_name":{"2147483648":"QK"}})", "2147483648"},
  };
  for (const auto& [text, where] : kCases) {
    const auto names = Parse(text);
    ASSERT_EQ(names.status().code(), absl::StatusCode::kInvalidArgument) << text;
    EXPECT_THAT(std::string(names.status().message()),
                AllOf(HasSubstr("name_map.json"), HasSubstr(where), HasSubstr("leave it out")));
  }
}

TEST(NameMapReader, RefusesTruncationAtEveryByte) {
  const std::string text = std::string(kNameMap).substr(0, std::string(kNameMap).rfind('}') + 1);
  ASSERT_TRUE(Parse(text).ok());
  for (size_t length = 0; length < text.size(); ++length) {
    EXPECT_FALSE(Parse(text.substr(0, length)).ok()) << "cut after " << length << " bytes";
  }
}

TEST(NameMapReader, NamesAMissingFile) {
  const auto names = ReadNameMap("/nonexistent/name_map.json");
  EXPECT_EQ(names.status().code(), absl::StatusCode::kNotFound);
}

}  // namespace
}  // namespace simpler::formats
