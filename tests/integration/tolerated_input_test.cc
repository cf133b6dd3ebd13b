// Inputs that are accepted: some with a counted warning, some without any.

#include <cstdint>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/integration/json_document.h"
#include "tests/integration/simplerctl_fixture.h"

namespace simpler::integration {
namespace {

using ::testing::HasSubstr;

class ToleratedInputTest : public SimplerctlTest {
 protected:
  JsonDocument Report(const std::string& records, const std::string& deps = SmallDeps()) {
    Write("chip_swimlane_records.json", records);
    Write("deps.json", deps);
    const support::ProgramResult result = Run({"report", ".", "--json"});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return JsonDocument(result.out);
  }

  // Count of the warning with this code; 0 when there is none.
  static uint64_t WarningCount(const JsonDocument& report, const std::string& code) {
    for (const auto warning : report.Array("warnings")) {
      if (warning["code"].get_c_str().value() == code) return warning["count"].get_uint64().value();
    }
    return 0;
  }

  void ExpectStrictRefuses() {
    const support::ProgramResult result = Run({"report", ".", "--strict", "-o", "out.txt"});
    EXPECT_EQ(result.exit_code, 1);
    EXPECT_THAT(result.err, HasSubstr("--strict"));
    EXPECT_FALSE(Exists("out.txt"));
  }
};

TEST_F(ToleratedInputTest, TheSmallCaptureIsJudgedWithoutRowWarnings) {
  const JsonDocument report = Report(SmallRecords());
  EXPECT_EQ(WarningCount(report, "rows_without_scheduler"), 0u);
  EXPECT_EQ(report.Text("quality.class"), "OK");
}

TEST_F(ToleratedInputTest, SchedulerRowWithoutCoreRow) {
  const JsonDocument report = Report(
      Replace(SmallRecords(), "[1, 1, 1200, 1310]", "[1, 1, 1200, 1310], [1, 9, 1210, 1320]"));
  EXPECT_EQ(WarningCount(report, "scheduler_rows_without_core"), 1u);
  EXPECT_EQ(report.Text("quality.class"), "INVALID");
  EXPECT_EQ(report.Number("ledger.lost"), 1);
  ExpectStrictRefuses();
}

TEST_F(ToleratedInputTest, CoreRowWithoutSchedulerRow) {
  const JsonDocument report = Report(Replace(SmallRecords(), "[0, 1, 1000, 1110], [1", "[1"));
  EXPECT_EQ(WarningCount(report, "rows_without_scheduler"), 1u);
  EXPECT_EQ(report.Number("rows"), 2);
  ExpectStrictRefuses();
}

TEST_F(ToleratedInputTest, SelfEdge) {
  const JsonDocument report =
      Report(SmallRecords(),
             Replace(SmallDeps(), "\"edges\": [", "\"edges\": [{\"pred\": 1, \"succ\": 1}, "));
  EXPECT_EQ(WarningCount(report, "deps_self_edges"), 1u);
}

TEST_F(ToleratedInputTest, UnknownPhaseKind) {
  const JsonDocument report =
      Report(Replace(SmallRecords(), "\"kind\": \"dispatch\"", "\"kind\": \"teleport\""));
  EXPECT_EQ(WarningCount(report, "unknown_phase_kind"), 1u);
}

TEST_F(ToleratedInputTest, EdgeToAbsentTask) {
  const JsonDocument report =
      Report(SmallRecords(),
             Replace(SmallDeps(), "\"edges\": [", "\"edges\": [{\"pred\": 77, \"succ\": 1}, "));
  EXPECT_EQ(WarningCount(report, "edges_to_absent_tasks"), 1u);
}

TEST_F(ToleratedInputTest, EmptyStreamsAndLanesAreLegal) {
  const JsonDocument report = Report(R"({"chip_swimlane_level": 4,
    "metadata": {"clock_freq_hz": 1000000, "num_cores": 1, "core_types": ["aic"]},
    "aicore_tasks": [],
    "scheduler_tasks": {"schema_version": 1, "producer": "aicpu", "records": []},
    "scheduler_records": {"schema_version": 1, "streams": []},
    "aicpu_orchestrator_phases": [[]]})");
  EXPECT_EQ(report.Number("rows"), 0);
  EXPECT_TRUE(report.IsNull("window_us"));
  EXPECT_EQ(report.Text("verdict.class"), "unknown");
}

TEST_F(ToleratedInputTest, IdsBeyondDoublesSurviveAsNumbersAndAsStrings) {
  const std::string id = "18446744073709551557";  // prime, not a double
  for (const std::string& spelling : {id, '"' + id + '"'}) {
    Write("chip_swimlane_records.json",
          Replace(SmallRecords(), "[1, 2, 1, 1210", "[1, " + spelling + ", 1, 1210"));
    Write("deps.json",
          Replace(Replace(SmallDeps(), "\"task_id\": \"2\"", "\"task_id\": \"" + id + '"'),
                  "\"succ\": \"2\"", "\"succ\": " + spelling));
    const support::ProgramResult result = Run({"critical-path", ".", "--json"});
    ASSERT_EQ(result.exit_code, 0) << result.err;
    const JsonDocument path(result.out);
    EXPECT_EQ(path.Text("observed.tasks.1.id"), id);
  }
}

TEST_F(ToleratedInputTest, LevelOneAnswersWithNullsAndReasons) {
  const support::ProgramResult result =
      Run({"report", DataDirectory("vector_example_L1"), "--json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const JsonDocument report(result.out);
  EXPECT_TRUE(report.IsNull("overhead.has_percent"));
  EXPECT_TRUE(report.IsNull("head.mean_us"));
  EXPECT_TRUE(report.IsNull("critical_path.blame.pickup_us"));
  EXPECT_EQ(report.Text("verdict.class"), "unknown");
  EXPECT_EQ(WarningCount(report, "no_scheduler_stamps"), 1u);
  EXPECT_EQ(WarningCount(report, "no_scheduler_phases"), 1u);
}

TEST_F(ToleratedInputTest, WithoutAGraphOverheadIsUnknownAndTheRestIsThere) {
  Write("chip_swimlane_records.json", SmallRecords());
  const support::ProgramResult result = Run({"report", ".", "--json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const JsonDocument report(result.out);
  EXPECT_TRUE(report.IsNull("overhead.has_percent"));
  EXPECT_EQ(report.Text("verdict.class"), "unknown");
  EXPECT_EQ(report.Number("head.count"), 2);
  EXPECT_EQ(report.Number("scheduler.pop_miss"), 2);
  EXPECT_EQ(WarningCount(report, "no_dependency_graph"), 1u);
}

}  // namespace
}  // namespace simpler::integration
