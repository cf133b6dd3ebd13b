// Inputs that are refused: one message that names the file, exit code 1, and nothing written.

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/integration/simplerctl_fixture.h"

namespace simpler::integration {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr const char* kRecords = "chip_swimlane_records.json";

class BadInputTest : public SimplerctlTest {
 protected:
  // Every command refuses `records` with a message about it that contains `reason`.
  void ExpectRefused(const std::string& records, const std::string& reason,
                     const std::string& deps = SmallDeps()) {
    Write(kRecords, records);
    Write("deps.json", deps);
    ExpectCommandsRefuse(reason);
  }

  void ExpectCommandsRefuse(const std::string& reason) {
    const std::vector<std::string> before = Files();
    const std::vector<std::vector<std::string>> commands = {
        {"report", ".", "-o", "out.txt"},
        {"stats", ".", "--csv", "-o", "out.csv"},
        {"critical-path", ".", "--report", "out.md", "--traces", "traces"},
        {"trace", "."}};
    for (const auto& command : commands) {
      const support::ProgramResult result = Run(command);
      EXPECT_EQ(result.exit_code, 1) << command[0] << ": " << result.err;
      EXPECT_THAT(result.err,
                  AllOf(StartsWith("simplerctl: "), HasSubstr(".json: "), HasSubstr(reason)))
          << command[0];
      EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
      EXPECT_EQ(result.out, "");
      EXPECT_EQ(Files(), before) << command[0] << " left a file behind";
    }
  }
};

TEST_F(BadInputTest, TheUndamagedCaptureIsAccepted) {
  Write(kRecords, SmallRecords());
  Write("deps.json", SmallDeps());
  EXPECT_EQ(Run({"report", "."}).exit_code, 0);
}

TEST_F(BadInputTest, NotJson) { ExpectRefused("start,end\n1,2\n", kRecords); }

TEST_F(BadInputTest, EmptyFile) { ExpectRefused("", "empty"); }

TEST_F(BadInputTest, TruncatedAtAnyByte) {
  const std::string whole = SmallRecords();
  for (size_t length = 1; length < whole.size(); length += 7) {
    Write(kRecords, whole.substr(0, length));
    const support::ProgramResult result = Run({"report", ".", "-o", "out.txt"});
    EXPECT_EQ(result.exit_code, 1) << "accepted the first " << length << " bytes";
    EXPECT_FALSE(Exists("out.txt"));
  }
}

struct WrongType {
  const char* from;
  const char* to;
  const char* where;
};

class WrongTypeTest : public BadInputTest, public ::testing::WithParamInterface<WrongType> {};

TEST_P(WrongTypeTest, IsRefusedByName) {
  const WrongType& change = GetParam();
  ExpectRefused(Replace(SmallRecords(), change.from, change.to), change.where);
}

INSTANTIATE_TEST_SUITE_P(
    EveryColumn, WrongTypeTest,
    ::testing::Values(WrongType{"[0, 1, 1, 1010", "[\"x\", 1, 1, 1010", "aicore_tasks"},
                      WrongType{"[0, 1, 1, 1010", "[0, true, 1, 1010", "aicore_tasks"},
                      WrongType{"[0, 1, 1, 1010", "[0, 1, null, 1010", "aicore_tasks"},
                      WrongType{"[0, 1, 1, 1010", "[0, 1, 1, {}", "aicore_tasks"},
                      WrongType{"1100, 2]", "\"late\", 2]", "aicore_tasks"},
                      WrongType{"1100, 2]", "1100, []]", "aicore_tasks"},
                      WrongType{"[[0, 1, 1, 1010", "[5, [0, 1, 1, 1010", "aicore_tasks"},
                      WrongType{"[0, 1, 1000, 1110]", "[false, 1, 1000, 1110]", "scheduler_tasks"},
                      WrongType{"[0, 1, 1000, 1110]", "[0, \"a\", 1000, 1110]", "scheduler_tasks"},
                      WrongType{"[0, 1, 1000, 1110]", "[0, 1, {}, 1110]", "scheduler_tasks"},
                      WrongType{"[0, 1, 1000, 1110]", "[0, 1, 1000, null]", "scheduler_tasks"},
                      WrongType{"[0, 1, 1000, 1110]", "[0, 1, 1000]", "scheduler_tasks"},
                      WrongType{"\"start_cycles\": 1190", "\"start_cycles\": []", "start_cycles"},
                      WrongType{"\"loop_iter\": 3", "\"loop_iter\": {}", "loop_iter"},
                      WrongType{"\"kind\": \"dispatch\"", "\"kind\": 7", "kind"},
                      WrongType{"\"pop_hit\": 1", "\"pop_hit\": \"one\"", "pop_hit"},
                      WrongType{"\"submit_idx\": 0", "\"submit_idx\": []", "submit_idx"},
                      WrongType{"\"core_types\": [\"aic\"", "\"core_types\": [3", "core_types"},
                      WrongType{"\"core_to_thread\": [0", "\"core_to_thread\": [\"x\"",
                                "core_to_thread"},
                      WrongType{"\"metadata\": {", "\"metadata\": 1, \"was\": {", "metadata"}));

TEST_F(BadInputTest, LevelOutsideOneToFour) {
  ExpectRefused(Replace(SmallRecords(), "_level\": 4", "_level\": 5"),
                "Unsupported chip_swimlane_level: 5");
  ExpectRefused(Replace(SmallRecords(), "_level\": 4", "_level\": 0"),
                "Unsupported chip_swimlane_level: 0");
}

TEST_F(BadInputTest, FrequencyZero) {
  ExpectRefused(Replace(SmallRecords(), "_hz\": 1000000", "_hz\": 0"), "clock_freq_hz");
}

TEST_F(BadInputTest, KernelThatEndsBeforeItStarts) {
  ExpectRefused(Replace(SmallRecords(), "1010, 1100", "1010, 1009"), "aicore_tasks");
}

TEST_F(BadInputTest, FinishBeforeDispatch) {
  ExpectRefused(Replace(SmallRecords(), "1000, 1110", "1000, 999"), "scheduler_tasks");
}

TEST_F(BadInputTest, DuplicateJoinKeys) {
  ExpectRefused(Replace(SmallRecords(), "[1, 2, 1, 1210", "[0, 2, 1, 1210"),
                "duplicate aicore_tasks join key");
  ExpectRefused(Replace(SmallRecords(), "[1, 1, 1200", "[0, 1, 1200"), "join key");
}

TEST_F(BadInputTest, CyclicGraph) {
  ExpectRefused(
      SmallRecords(), "cycle",
      Replace(SmallDeps(), "\"edges\": [", "\"edges\": [{\"pred\": \"2\", \"succ\": \"1\"}, "));
}

TEST_F(BadInputTest, OrchestratorOfTwoClockDomains) {
  ExpectRefused(Replace(SmallRecords(), "\"aicpu_orchestrator_phases\":",
                        "\"host_orchestrator_phases\": [[{\"submit_idx\": 0, \"task_id\": 1, "
                        "\"start_host_ns\": 1, \"end_host_ns\": 2}]], "
                        "\"aicpu_orchestrator_phases\":"),
                "both AICPU and host orchestrator phases are present");
}

TEST_F(BadInputTest, OldAndNewTaskSections) {
  ExpectRefused(Replace(SmallRecords(), "\"scheduler_tasks\":",
                        "\"aicpu_tasks\": [[1, 9, 1000, 1110]], \"scheduler_tasks\":"),
                "both scheduler_tasks and legacy aicpu_tasks are present");
}

TEST_F(BadInputTest, SparseFileAboveFourGigabytes) {
  const std::string path = Write(kRecords, "{");
  ASSERT_EQ(truncate(path.c_str(), off_t{5} << 30), 0);
  ExpectCommandsRefuse(kRecords);
}

TEST_F(BadInputTest, DirectoryInPlaceOfAFile) {
  std::filesystem::create_directory(Path(kRecords));
  const support::ProgramResult result = Run({"report", kRecords});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.err, StartsWith("simplerctl: "));
  EXPECT_THAT(result.err, HasSubstr(kRecords));
}

TEST_F(BadInputTest, GraphThatIsADirectory) {
  Write(kRecords, SmallRecords());
  std::filesystem::create_directory(Path("deps"));
  const support::ProgramResult result = Run({"report", ".", "--deps", "deps"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.err, AllOf(StartsWith("simplerctl: deps: "), HasSubstr("directory")));
}

TEST_F(BadInputTest, FileWithoutPermission) {
  const std::string path = Write(kRecords, SmallRecords());
  ASSERT_EQ(chmod(path.c_str(), 0), 0);
  std::vector<std::string> argv;
  if (geteuid() == 0) {  // root reads everything unless it gives that power up
    const std::string powers = "-dac_override,-dac_read_search";
    argv = {"/usr/bin/setpriv", "--bounding-set=" + powers, "--inh-caps=" + powers};
  }
  argv.insert(argv.end(), {SIMPLERCTL_PATH, "report", path});
  const support::ProgramResult result = support::RunProgram(argv);
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.err, AllOf(StartsWith("simplerctl: " + path), HasSubstr("ermission")));
}

TEST_F(BadInputTest, MissingFilesAreNamed) {
  EXPECT_THAT(Run({"report", "nowhere"}).err, HasSubstr("nowhere"));
  Write(kRecords, SmallRecords());
  const support::ProgramResult deps = Run({"report", ".", "--deps", "no_deps.json"});
  EXPECT_EQ(deps.exit_code, 1);
  EXPECT_THAT(deps.err, HasSubstr("no_deps.json"));
  const support::ProgramResult names = Run({"report", ".", "--func-names", "no_names.json"});
  EXPECT_EQ(names.exit_code, 1);
  EXPECT_THAT(names.err, HasSubstr("no_names.json"));
}

TEST_F(BadInputTest, TheOldestLayoutIsRefusedByName) {
  Write("l2_perf_records.json", R"({"l2_perf_level": 1, "tasks": []})");
  const support::ProgramResult result = Run({"report", "l2_perf_records.json"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.err, HasSubstr("l2_perf"));
}

TEST_F(BadInputTest, UnwritableOutputIsReportedAndExits1) {
  Write(kRecords, SmallRecords());
  const support::ProgramResult result = Run({"stats", ".", "-o", "no/such/folder/out.txt"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.err, HasSubstr("no/such/folder/out.txt"));
}

}  // namespace
}  // namespace simpler::integration
