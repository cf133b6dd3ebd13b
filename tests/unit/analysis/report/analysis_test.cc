#include "analysis/report/analysis.h"

#include <optional>
#include <string>

#include "analysis/report/comparison.h"
#include "analysis/report/critical_path.h"
#include "analysis/report/info.h"
#include "analysis/report/percent.h"
#include "analysis/report/report_json.h"
#include "analysis/report/report_text.h"
#include "analysis/report/stats.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/capture_builder.h"

namespace simpler::report {
namespace {

using capture::Capture;
using capture::DependencyGraph;
using capture::PhaseKind;
using support::CaptureBuilder;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

// Task 1 on the AIC, then task 2 on the AIV after 10 µs of which the scheduler wastes 5.
CaptureBuilder TwoTasks() {
  CaptureBuilder builder;
  builder.Cores({"aic", "aiv"})
      .CoreToThread({0, 0})
      .Row(1, 0, {.dispatch = 0, .start = 1, .end = 10, .finish = 12})
      .Row(2, 1, {.dispatch = 15, .start = 20, .end = 31, .finish = 33})
      .Phase(0, PhaseKind::kComplete, 11, 12, {.loop = 1, .tasks = 1})
      .Phase(0, PhaseKind::kDispatch, 14, 15, {.loop = 2, .tasks = 1, .pops = {{1, 3}}})
      .OrchSubmit(0, 0, 1, -3, -2)
      .OrchSubmit(0, 1, 2, -2, -1)
      .Node(1, {0, -1, -1})
      .Node(2, {-1, 1, -1})
      .Edge(1, 2)
      .Name(0, "matmul")
      .Name(1, "soft|max");
  return builder;
}

struct Prepared {
  Capture capture;
  DependencyGraph graph;
  capture::NameMap names;
  bool with_graph = true;

  explicit Prepared(const CaptureBuilder& builder)
      : capture(builder.BuildCapture()), graph(builder.BuildGraph()), names(builder.names()) {}

  Inputs ToInputs() const {
    return {.capture = &capture,
            .run_index = 0,
            .graph = with_graph ? &graph : nullptr,
            .names = &names,
            .warnings = {},
            .capture_name = "run.json",
            .graph_name = "deps.json"};
  }
  Analysis Analyzed() const {
    absl::StatusOr<Analysis> analysis = Analyze(ToInputs());
    EXPECT_TRUE(analysis.ok()) << analysis.status();
    return *std::move(analysis);
  }
};

TEST(AnalyzeTest, RunsEveryPartOfTheModel) {
  const Prepared prepared(TwoTasks());
  const Analysis analysis = prepared.Analyzed();
  EXPECT_EQ(analysis.tasks.size(), 2u);
  EXPECT_EQ(analysis.overhead.rows, 2u);
  ASSERT_TRUE(analysis.critical_path.has_value());
  ASSERT_TRUE(analysis.blame.has_value());
  EXPECT_EQ(analysis.functions.functions.size(), 2u);
  EXPECT_EQ(analysis.verdict.sentences.size(), 3u);
  // The AIV idles from 10 to 15 of the 30 µs makespan while task 2 is ready.
  EXPECT_NEAR(*HasOverheadPercent(analysis), 100.0 * 5 / 30, 1e-9);
}

TEST(AnalyzeTest, StampsInOutputsCountFromTheEarliestOne) {
  const Prepared prepared(TwoTasks());
  EXPECT_EQ(prepared.Analyzed().origin.value, TwoTasks().Stamp(-3).value);
}

TEST(AnalyzeTest, WithoutAGraphThereIsNoPathAndAReason) {
  Prepared prepared(TwoTasks());
  prepared.with_graph = false;
  const Analysis analysis = prepared.Analyzed();
  EXPECT_FALSE(analysis.critical_path.has_value());
  EXPECT_EQ(HasOverheadPercent(analysis), std::nullopt);
  EXPECT_THAT(analysis.warnings, Contains(Field(&capture::Warning::code, "no_dependency_graph")));
}

TEST(AnalyzeTest, ACycleIsRefusedInTheNameOfTheGraph) {
  const Prepared prepared(TwoTasks().Edge(2, 1));
  const absl::Status status = Analyze(prepared.ToInputs()).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(status.message()), StartsWith("deps.json: "));
}

TEST(AnalyzeTest, StrictRefusesRowsWithoutPartner) {
  const Prepared prepared(TwoTasks().SchedulerRow(1, 99, 40, 41));
  EXPECT_TRUE(Analyze(prepared.ToInputs()).ok());
  const absl::Status status = Analyze(prepared.ToInputs(), {.strict = true}).status();
  EXPECT_THAT(std::string(status.message()), StartsWith("run.json: 1 scheduler_tasks rows"));
}

TEST(ReportTest, BeginsWithTheVerdictAndEndsWithTheLedger) {
  const Prepared prepared(TwoTasks());
  const Analysis analysis = prepared.Analyzed();
  const std::string text = ReportText(analysis);
  EXPECT_THAT(text, StartsWith(analysis.verdict.sentences[0] + '\n' +
                               analysis.verdict.sentences[1] + '\n'));
  EXPECT_THAT(text, HasSubstr("Pop: hit=1, miss=3, hit_rate=25.0%"));
  EXPECT_THAT(text, HasSubstr("Fanout (notify consumers): total edges=1, max_degree=1"));
  EXPECT_THAT(text, HasSubstr("Fanin  (release producers): total edges=1, max_degree=1"));
  EXPECT_THAT(text, HasSubstr("Avg scheduler loop iteration: 2000 ns"));
  EXPECT_EQ(text.substr(text.rfind('\n', text.size() - 2) + 1), LedgerLine(analysis.ledger) + '\n');
}

TEST(ReportTest, EqualInputsGiveEqualBytes) {
  const Prepared one(TwoTasks()), other(TwoTasks().BlockSize(1));
  EXPECT_EQ(ReportJson(one.Analyzed()), ReportJson(other.Analyzed()));
}

TEST(StatsTest, ShowsMeansPerFunction) {
  const Prepared prepared(TwoTasks());
  EXPECT_EQ(StatsCsv(prepared.Analyzed()),
            "func_id,name,count,avg_exec_us,avg_latency_us,avg_head_us,avg_tail_us,"
            "avg_propagation_us,avg_local_us\n"
            "0,matmul,1,9,12,1,2,,\n"
            "1,soft|max,1,11,18,5,2,,\n");
}

TEST(CriticalPathTest, TilesTheMakespan) {
  const Prepared prepared(TwoTasks());
  const Analysis analysis = prepared.Analyzed();
  EXPECT_EQ(CriticalPathSummary(analysis, "x"),
            "[x] makespan=0.030ms  CPM=0.02ms(67%)  compute=66.7%  stall=33.3% (data-wait 33.3%)");
  EXPECT_THAT(CriticalPathText(analysis, {.label = "x"}), HasSubstr("(exact)"));
}

TEST(CriticalPathTest, NamesCannotBreakTheTable) {
  const Prepared prepared(TwoTasks());
  EXPECT_THAT(CriticalPathText(prepared.Analyzed(), {.label = "x"}), HasSubstr("| soft\\|max |"));
}

TEST(ComparisonTest, SubtractsBeforeFromAfter) {
  const Prepared before(TwoTasks());
  const Prepared after(
      TwoTasks().Row(3, 0, {.dispatch = 50, .start = 51, .end = 61, .finish = 62}));
  const std::string csv = ComparisonCsv(after.Analyzed(), before.Analyzed());
  EXPECT_THAT(csv, HasSubstr("tasks,2,3,1\n"));
  EXPECT_THAT(csv, HasSubstr("window_us,30,60,30\n"));
}

TEST(ComparisonTest, WhatOneSideLacksHasNoChange) {
  const Prepared before(TwoTasks());
  Prepared after(TwoTasks());
  after.with_graph = false;
  const std::string csv = ComparisonCsv(after.Analyzed(), before.Analyzed());
  EXPECT_THAT(csv, HasSubstr("overhead.has_percent,16.66"));
  EXPECT_THAT(csv, HasSubstr(",,\noverhead.union_percent"));
}

TEST(InfoTest, EveryMissingInputHasAName) {
  Prepared prepared(TwoTasks());
  for (const Capability& capability : CapabilitiesOf(prepared.ToInputs())) {
    EXPECT_TRUE(capability.available()) << capability.answer;
  }
  prepared.with_graph = false;
  const std::string text = InfoText(prepared.ToInputs());
  EXPECT_THAT(text, HasSubstr("needs a task graph (--deps)"));
  EXPECT_THAT(text, Not(HasSubstr("needs scheduler stamps")));
}

TEST(LedgerTest, CountsWhatIsKnownToBeLost) {
  CaptureBuilder builder = TwoTasks();
  builder
      .Stream(0, capture::Producer::kAicpu,
              {.counts = capture::SchedulerStream::CaptureCounts{2, 5, true}})
      .SchedulerRow(1, 99, 40, 41);
  const Prepared prepared(builder);
  const Ledger ledger = prepared.Analyzed().ledger;
  EXPECT_TRUE(ledger.Balanced());
  EXPECT_EQ(ledger.lost_count(), 6u);
  EXPECT_EQ(LedgerLine(ledger),
            "Ledger: balanced, 7 records stored, 6 lost; aicore aicore_tasks: 1 lost (no_partner); "
            "scheduler 0 scheduler_records: 5 lost (device_buffer)");
}

TEST(LedgerTest, ACountThatDoesNotMatchIsNotBalanced) {
  CaptureBuilder builder = TwoTasks();
  builder.Stream(0, capture::Producer::kAicpu,
                 {.counts = capture::SchedulerStream::CaptureCounts{4, 0, false}});
  const Prepared prepared(builder);
  EXPECT_THAT(LedgerLine(prepared.Analyzed().ledger),
              HasSubstr("NOT BALANCED, 6 records stored, 0 lost; scheduler 0 scheduler_records: 4 "
                        "produced, 2 stored"));
}

}  // namespace
}  // namespace simpler::report
