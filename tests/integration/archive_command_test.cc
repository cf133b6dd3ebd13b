// `simplerctl pack` and `unpack`, and archives where other commands take a capture.

#include <filesystem>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/integration/simplerctl_fixture.h"

namespace simpler::integration {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class ArchiveCommandTest : public SimplerctlTest {
 protected:
  void WriteCase(const std::string& folder) const {
    Write(folder + "/chip_swimlane_records.json", SmallRecords());
    Write(folder + "/deps.json", SmallDeps());
    Write(folder + "/name_map_case.json", R"({"callable_id_to_name": {"0": "mat\"mul"}})");
  }
  void Expect0(const std::vector<std::string>& arguments) const {
    const support::ProgramResult result = Run(arguments);
    EXPECT_EQ(result.exit_code, 0) << ::testing::PrintToString(arguments) << result.err;
  }
};

TEST_F(ArchiveCommandTest, AnArchiveAnswersAsTheFilesDo) {
  for (const std::string& name : DataCaptures()) {
    const std::string capture = DataDirectory(name);
    Expect0({"pack", capture});
    const std::string archive = name + ".simpler";
    for (const std::string command : {"report", "stats", "critical-path", "info"}) {
      for (const std::vector<std::string>& form : {std::vector<std::string>{}, {"--json"}}) {
        const auto ask = [&](const std::string& path) {
          std::vector<std::string> arguments = {command, path};
          arguments.insert(arguments.end(), form.begin(), form.end());
          return Run(arguments);
        };
        const support::ProgramResult files = ask(capture);
        const support::ProgramResult packed = ask(archive);
        EXPECT_EQ(packed.exit_code, files.exit_code) << command << ' ' << name;
        EXPECT_EQ(packed.out, files.out) << command << ' ' << name;
        EXPECT_EQ(packed.err, files.err) << command << ' ' << name;
      }
    }
    Expect0({"trace", capture, "-o", "files.pftrace"});
    Expect0({"trace", archive, "-o", "packed.pftrace"});
    EXPECT_EQ(Read("packed.pftrace"), Read("files.pftrace")) << name;
  }
}

// Older layouts become the current one when they are unpacked; from then on nothing changes.
TEST_F(ArchiveCommandTest, UnpackedFilesAnswerTheSameAndPackToTheSameBytes) {
  for (const std::string& name : DataCaptures()) {
    Expect0({"pack", DataDirectory(name), "-o", "first.simpler"});
    Expect0({"unpack", "first.simpler", "-o", "case", "--force"});
    Expect0({"pack", "case", "-o", "second.simpler"});
    Expect0({"unpack", "second.simpler", "-o", "case", "--force"});
    Expect0({"pack", "case", "-o", "third.simpler"});
    EXPECT_EQ(Read("third.simpler"), Read("second.simpler")) << name;
    for (const std::string command : {"report", "stats"}) {
      EXPECT_EQ(Run({command, "case", "--json"}).out,
                Run({command, DataDirectory(name), "--json"}).out)
          << command << ' ' << name;
    }
  }
}

TEST_F(ArchiveCommandTest, PackNamesTheArchiveAfterTheDirectory) {
  WriteCase("outputs/case_1");
  const support::ProgramResult result = Run({"pack"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.err, HasSubstr("Archive written to case_1.simpler"));
  EXPECT_TRUE(Exists("case_1.simpler"));
}

TEST_F(ArchiveCommandTest, PackWritesToStandardOutput) {
  WriteCase("case");
  Expect0({"pack", "case"});
  const support::ProgramResult result = Run({"pack", "case", "-o", "-"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.out, Read("case.simpler"));
}

TEST_F(ArchiveCommandTest, NamedFilesReplaceThePartsOfAnArchive) {
  WriteCase("case");
  Expect0({"pack", "case"});
  const std::string names = Write("names.json", R"({"callable_id_to_name": {"0": "conv"}})");
  const support::ProgramResult result =
      Run({"stats", "case.simpler", "--func-names", "names.json"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("conv"));
}

TEST_F(ArchiveCommandTest, UnpackWritesWhatTheArchiveHolds) {
  WriteCase("case");
  Expect0({"pack", "case", "-o", "run.simpler"});
  Expect0({"unpack", "run.simpler"});
  EXPECT_THAT(FilesBelow("run"),
              ElementsAre("chip_swimlane_records.json", "deps.json", "name_map.json"));
}

TEST_F(ArchiveCommandTest, UnpackOverwritesOnlyWhenForced) {
  WriteCase("case");
  fs::remove(Path("case/deps.json"));
  Expect0({"pack", "case"});
  Write("there/deps.json", "precious");
  const support::ProgramResult refused = Run({"unpack", "case.simpler", "-o", "there"});
  EXPECT_EQ(refused.exit_code, 1);
  EXPECT_THAT(refused.err, HasSubstr("--force"));
  EXPECT_THAT(FilesBelow("there"), ElementsAre("deps.json"));
  Expect0({"unpack", "case.simpler", "-o", "there", "--force"});
  // A graph of another capture would give wrong answers.
  EXPECT_THAT(FilesBelow("there"), ElementsAre("chip_swimlane_records.json", "name_map.json"));
}

TEST_F(ArchiveCommandTest, ADamagedArchiveLeavesNothingBehind) {
  WriteCase("case");
  Expect0({"pack", "case"});
  const std::string whole = Read("case.simpler");
  Write("cut.simpler", whole.substr(0, whole.size() - 1));
  const support::ProgramResult result = Run({"unpack", "cut.simpler"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.err, HasSubstr("cut.simpler"));
  EXPECT_FALSE(Exists("cut"));
}

TEST_F(ArchiveCommandTest, UnpackLeavesNothingBehindWhenAFileCannotBeWritten) {
  WriteCase("case");
  Expect0({"pack", "case"});
  fs::create_directories(Path("there/name_map.json"));
  const support::ProgramResult result = Run({"unpack", "case.simpler", "-o", "there", "--force"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(FilesBelow("there"), IsEmpty());
}

TEST_F(ArchiveCommandTest, ADispatchIdentityIsKept) {
  WriteCase("rank2/d7");
  const std::string identity = R"({"schema_version": 1, "run_id": 17, "task_slot": 5,
    "group_index": 2, "group_size": 4, "host_pid": 16860, "chip_rank": 2, "local_capture_index": 7,
    "endpoint_dispatch_id": 41, "pipeline_slot": 1, "pipeline_generation": 23,
    "callable_digest": "abababababababababababababababababababababababababababababababab"})";
  Write("rank2/d7/dispatch_identity.json", identity);
  Expect0({"pack", "rank2/d7"});
  const support::ProgramResult elsewhere = Run({"unpack", "d7.simpler"});
  EXPECT_EQ(elsewhere.exit_code, 0);
  EXPECT_THAT(elsewhere.err, HasSubstr("belongs into a directory rank2/d7"));
  Expect0({"unpack", "d7.simpler", "-o", "again/rank2/d7"});
  Expect0({"pack", "again/rank2/d7", "-o", "again.simpler"});
  Expect0({"unpack", "again.simpler", "-o", "third/rank2/d7"});
  EXPECT_EQ(Read("third/rank2/d7/dispatch_identity.json"),
            Read("again/rank2/d7/dispatch_identity.json"));
}

TEST_F(ArchiveCommandTest, ABrokenDispatchIdentityRefusesOnlyTheArchive) {
  WriteCase("case");
  Write("case/dispatch_identity.json", "{}");
  EXPECT_EQ(Run({"report", "case"}).exit_code, 0);
  const support::ProgramResult packed = Run({"pack", "case"});
  EXPECT_EQ(packed.exit_code, 1);
  EXPECT_THAT(packed.err, HasSubstr("dispatch_identity.json"));
  EXPECT_FALSE(Exists("case.simpler"));
}

TEST_F(ArchiveCommandTest, GraphRefusesArchivesAndSaysWhatToDo) {
  WriteCase("case");
  Expect0({"pack", "case"});
  const support::ProgramResult result = Run({"graph", "case.simpler"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.err, HasSubstr("unpack"));
  EXPECT_THAT(result.out, IsEmpty());
}

}  // namespace
}  // namespace simpler::integration
