#include "analysis/formats/name_map_writer.h"

#include <gtest/gtest.h>

#include "analysis/formats/name_map_reader.h"

namespace simpler::formats {
namespace {

using capture::NameMap;

void ExpectSameAfterReading(const NameMap& names) {
  const auto read = ParseNameMap(JsonFile::FromText(WriteNameMap(names), "written"));
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(read->level, names.level);
  EXPECT_EQ(read->orchestrator_name, names.orchestrator_name);
  EXPECT_EQ(read->names, names.names);
}

TEST(NameMapWriter, WritesWhatTheReaderReads) {
  ExpectSameAfterReading({2, "orch", {{-1, ""}, {0, "mat\"mul\\"}, {7, "söft\nmax\x01"}}});
}

TEST(NameMapWriter, KeepsAbsentMembersAbsent) { ExpectSameAfterReading({}); }

TEST(NameMapWriter, LooksLikeTheFilesOfTheRuntime) {
  EXPECT_EQ(WriteNameMap({2, std::nullopt, {{0, "a"}, {1, "b"}}}),
            "{\n  \"level\": 2,\n  \"orchestrator_name\": null,\n  \"callable_id_to_name\": {\n"
            "    \"0\": \"a\",\n    \"1\": \"b\"\n  }\n}\n");
}

}  // namespace
}  // namespace simpler::formats
