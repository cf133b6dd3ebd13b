#include "analysis/overhead/analyze_overhead.h"

#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/capture_builder.h"
#include "tests/support/prepared_run.h"

namespace simpler::overhead {
namespace {

using capture::PhaseKind;
using support::CaptureBuilder;
using support::PreparedRun;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::vector<std::string> Codes(const OverheadReport& report) {
  std::vector<std::string> codes;
  for (const capture::Warning& warning : report.warnings) codes.push_back(warning.code);
  return codes;
}

OverheadReport Analyze(const CaptureBuilder& builder) {
  const PreparedRun run(builder);
  return AnalyzeOverhead(run.inputs);
}

OverheadReport AnalyzeWithoutGraph(const CaptureBuilder& builder) {
  const capture::Capture capture = builder.BuildCapture();
  const auto rows = capture::JoinedRun::Join(capture, 0);
  return AnalyzeOverhead(rows.value(), nullptr).value();
}

CaptureBuilder CompleteRun() {
  return CaptureBuilder()
      .Cores({"aic"})
      .CoreToThread({0})
      .Row(1, 0, {0, 0, 5, 6})
      .Row(2, 0, {7, 8, 9, 10})
      .Edge(1, 2)
      .Phase(0, PhaseKind::kComplete, 5, 6, {.tasks = 1})
      .OrchSubmit(0, 0, 1, -2, -1)
      .OrchSubmit(0, 1, 2, -1, 0);
}

TEST(AnalyzeOverheadTest, CompleteRunSupportsEveryPart) {
  const OverheadReport report = Analyze(CompleteRun());
  EXPECT_THAT(Codes(report), ElementsAre());
  EXPECT_EQ(report.tasks, 2u);
  EXPECT_EQ(report.rows, 2u);
  EXPECT_EQ(report.window->length(), 9'000);
  EXPECT_TRUE(report.sweep && report.sweep->unsubmitted && report.core_switch && report.head &&
              report.tail && report.scheduler && report.scheduler->fanout && report.path);
}

TEST(AnalyzeOverheadTest, CaseA80WithoutGraphOnlyWhatNeedsNone) {
  const OverheadReport report = AnalyzeWithoutGraph(CompleteRun());
  EXPECT_THAT(Codes(report), ElementsAre("no_dependency_graph"));
  EXPECT_FALSE(report.sweep || report.path || report.scheduler->fanout);
  EXPECT_TRUE(report.core_switch && report.head && report.tail && report.scheduler);
}

TEST(AnalyzeOverheadTest, CaseA80WithoutRowsNothing) {
  const OverheadReport report = Analyze(CaptureBuilder().Cores({"aic"}));
  EXPECT_THAT(Codes(report), ElementsAre("no_rows"));
  EXPECT_FALSE(report.window || report.sweep || report.core_switch || report.head ||
               report.scheduler || report.path);
}

TEST(AnalyzeOverheadTest, Level1InventsNoDispatch) {
  CaptureBuilder builder;
  builder.Level(1)
      .Cores({"aic"})
      .Row(1, 0, {.start = 0, .end = 5})
      .Row(2, 0, {.start = 8, .end = 9});
  builder.Edge(1, 2);
  const OverheadReport report = Analyze(builder);
  EXPECT_THAT(Codes(report), ElementsAre("no_scheduler_stamps", "no_scheduler_phases"));
  EXPECT_THAT(report.warnings[0].text, HasSubstr("level 1"));
  EXPECT_EQ(report.window->length(), 9'000);
  EXPECT_FALSE(report.sweep || report.core_switch || report.head || report.tail || report.path);
}

TEST(AnalyzeOverheadTest, LimitsAreCounted) {
  CaptureBuilder builder;
  builder.Cores({"aic", "aic"})
      .Row(1, 0, {0, 0, 5, 6})
      .Row(2, 0, {7, 8, 9, 10})
      .Row(3, 1, {.start = 8, .end = 9})
      .SchedulerRow(1, 900, 1, 2)
      .SchedulerRow(1, 901, 1, 2)
      .Edge(1, 2)
      .Edge(50, 2)
      .Edge(51, 2)
      .Stream(0, capture::Producer::kAicpu,
              {.counts = capture::SchedulerStream::CaptureCounts{1, 4, true}})
      .Phase(0, PhaseKind::kComplete, 5, 6);
  const OverheadReport report = Analyze(builder);
  EXPECT_THAT(Codes(report),
              ElementsAre("rows_without_scheduler", "scheduler_rows_without_core",
                          "tasks_not_in_graph", "edges_to_absent_tasks", "no_submissions",
                          "no_core_to_thread", "dropped_phase_records"));
  std::vector<uint64_t> counts;
  for (const capture::Warning& warning : report.warnings) counts.push_back(warning.count);
  EXPECT_THAT(counts, ElementsAre(1, 2, 1, 2, 1, 1, 4));
  EXPECT_THAT(report.warnings[1].text, HasSubstr("core 1: 2"));
}

TEST(AnalyzeOverheadTest, HostOrchestrationHidesSubmissions) {
  CaptureBuilder builder = CompleteRun();
  builder.HostSubmit(0, 0, 1, 10, 20);
  const OverheadReport report = Analyze(builder);
  EXPECT_THAT(Codes(report), ElementsAre("no_submissions"));
  EXPECT_THAT(report.warnings[0].text, HasSubstr("the host orchestrated"));
}

TEST(AnalyzeOverheadTest, ExtremeStampsStayDefined) {
  // Spans near 2^63 cycles: sums saturate instead of overflowing.
  CaptureBuilder builder(1'000'000, 1);
  builder.Cores({"aic", "aic", "aic"});
  for (capture::CoreId core = 0; core < 3; ++core) {
    builder.Row(core + 1, core, {0, 8.9e18, 9e18, 9.1e18});
  }
  builder.Edge(1, 2);
  const OverheadReport report = Analyze(builder);
  EXPECT_EQ(report.head->total, INT64_MAX);
  EXPECT_EQ(report.head->count, 3u);
}

}  // namespace
}  // namespace simpler::overhead
