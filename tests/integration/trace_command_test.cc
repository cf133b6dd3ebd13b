// `simplerctl trace` and the traces of `simplerctl critical-path`: destinations, notes, parts.

#include <cstdint>
#include <filesystem>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/integration/json_document.h"
#include "tests/integration/simplerctl_fixture.h"

namespace simpler::integration {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

class TraceCommandTest : public SimplerctlTest {
 protected:
  TraceCommandTest() {
    Write("case/chip_swimlane_records.json", SmallRecords());
    Write("case/deps.json", SmallDeps());
  }
};

TEST_F(TraceCommandTest, GoesBesideTheRecordsByDefault) {
  const support::ProgramResult perfetto = Run({"trace", "case"});
  EXPECT_EQ(perfetto.exit_code, 0) << perfetto.err;
  EXPECT_THAT(perfetto.out, HasSubstr("case/merged_swimlane.pftrace"));
  EXPECT_THAT(perfetto.err, Not(HasSubstr("Flow events")));
  const support::ProgramResult chrome = Run({"trace", "case", "--format", "json"});
  EXPECT_EQ(chrome.exit_code, 0) << chrome.err;
  EXPECT_THAT(Files(), ElementsAre("case/chip_swimlane_records.json", "case/deps.json",
                                   "case/merged_swimlane.json", "case/merged_swimlane.pftrace"));
  const JsonDocument trace(Read("case/merged_swimlane.json"));
  EXPECT_GT(trace.Array("traceEvents").size(), 0u);
}

TEST_F(TraceCommandTest, WithoutAGraphTheBreadcrumbSaysHowToGetArrows) {
  std::filesystem::remove(Path("case/deps.json"));
  const support::ProgramResult result = Run({"trace", "case"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.err, HasSubstr("Flow events: 0 (no deps.json"));
}

TEST_F(TraceCommandTest, StandardOutputCarriesOnlyTheTrace) {
  const support::ProgramResult result = Run({"trace", "case", "--format", "json", "-o", "-"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_GT(JsonDocument(result.out).Array("traceEvents").size(), 0u);
  EXPECT_THAT(result.err, HasSubstr("standard output"));
}

TEST_F(TraceCommandTest, SaysWhatTheWindowLeavesOut) {
  const support::ProgramResult result =
      Run({"trace", "case", "--from", "0", "--to", "50", "--json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const JsonDocument summary(result.out);
  EXPECT_EQ(summary.Text("schema"), "simpler.trace-summary/1");
  EXPECT_GT(summary.Number("left_out.slices_outside_window"), 0);
}

TEST_F(TraceCommandTest, AnOpenWindowReachesToTheEnd) {
  const support::ProgramResult whole = Run({"trace", "case", "--json"});
  const support::ProgramResult from_zero = Run({"trace", "case", "--from", "0", "--json"});
  ASSERT_EQ(from_zero.exit_code, 0) << from_zero.err;
  EXPECT_EQ(JsonDocument(from_zero.out).Number("slices"), JsonDocument(whole.out).Number("slices"));
}

TEST_F(TraceCommandTest, KeepsOnlyTheChosenLanes) {
  const support::ProgramResult result = Run({"trace", "case", "--lanes", "Worker View", "--json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const JsonDocument summary(result.out);
  for (const auto lane : summary.Array("lanes")) {
    EXPECT_THAT(lane["process"].get_c_str().value(), HasSubstr("Worker View"));
  }
  EXPECT_GT(summary.Number("left_out.slices_in_filtered_lanes"), 0);
}

TEST_F(TraceCommandTest, SplitsIntoPartsBelowTheLimit) {
  const support::ProgramResult result =
      Run({"trace", DataDirectory("paged_attention_CaseVarSeq4_L4"), "--flows", "all",
           "--max-bytes", "8K", "-o", "run.pftrace", "--json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const auto parts = static_cast<size_t>(JsonDocument(result.out).Number("parts"));
  EXPECT_GT(parts, 1u);
  for (size_t i = 0; i < parts; ++i) {
    const std::string name = "run.part" + std::to_string(i) + ".pftrace";
    ASSERT_TRUE(Exists(name));
    EXPECT_LE(std::filesystem::file_size(Path(name)), uint64_t{8} << 10) << name;
  }
}

TEST_F(TraceCommandTest, PartsOfAnEarlierLongerSplitAreRemoved) {
  for (const std::string file : {"run.part1.pftrace", "run.part2.pftrace", "run.part4.pftrace"}) {
    Write(file, "of an earlier trace");
  }
  const support::ProgramResult result =
      Run({"trace", "case", "--max-bytes", "1M", "-o", "run.pftrace"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_TRUE(Exists("run.part0.pftrace"));
  EXPECT_FALSE(Exists("run.part1.pftrace"));
  EXPECT_FALSE(Exists("run.part2.pftrace"));
  EXPECT_TRUE(Exists("run.part4.pftrace"));  // a gap: it is nothing that a split has written
}

TEST_F(TraceCommandTest, UnknownFlowsAndEmptyWindowsAreRefusedWithoutAFile) {
  for (const auto& arguments : {std::vector<std::string>{"--flows", "telepathy"},
                                std::vector<std::string>{"--from", "20", "--to", "10"}}) {
    std::vector<std::string> command = {"trace", "case"};
    command.insert(command.end(), arguments.begin(), arguments.end());
    const support::ProgramResult result = Run(command);
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_THAT(result.err, StartsWith("simplerctl: "));
    EXPECT_FALSE(Exists("case/merged_swimlane.pftrace"));
  }
}

TEST_F(TraceCommandTest, CriticalPathWritesBothTracesAndTheReport) {
  const support::ProgramResult result = Run(
      {"critical-path", "case", "--report", "path.md", "--traces", "traces", "--format", "json"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, StartsWith("[case] makespan=0.290ms  CPM=0.18ms(62%)"));
  EXPECT_THAT(Read("path.md"), StartsWith("# Critical path of `case`"));
  EXPECT_THAT(Files(), Contains("traces/CPM_static.json"));
  EXPECT_THAT(Files(), Contains("traces/CPM_observed.json"));
}

TEST_F(TraceCommandTest, CriticalPathNeedsAGraph) {
  std::filesystem::remove(Path("case/deps.json"));
  const support::ProgramResult result = Run({"critical-path", "case", "--traces", "traces"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.err, HasSubstr("deps.json"));
  EXPECT_FALSE(Exists("traces"));
}

}  // namespace
}  // namespace simpler::integration
