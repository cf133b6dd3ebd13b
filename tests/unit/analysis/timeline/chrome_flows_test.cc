// Arrows between tasks and schedulers, the overhead counters, and host time.
#include <map>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/chrome_trace.h"
#include "tests/support/traced_run.h"

namespace simpler::timeline {
namespace {

using capture::PhaseKind;
using support::CaptureBuilder;
using support::ChromeArrow;
using support::ChromeEvent;
using support::ChromeTrace;
using support::ChromeTraceSettings;
using support::TracedRun;
using support::TraceOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

constexpr int64_t kWorkerView = 4;
constexpr int64_t kSchedulerView = 3;

std::vector<std::string> EndsOf(const std::vector<ChromeArrow>& arrows) {
  std::vector<std::string> ends;
  for (const ChromeArrow& arrow : arrows) ends.push_back(arrow.from + " -> " + arrow.to);
  return ends;
}

std::vector<ChromeArrow> Named(const ChromeTrace& trace, const std::string& name) {
  std::vector<ChromeArrow> arrows;
  for (const ChromeArrow& arrow : trace.Arrows()) {
    if (arrow.name == name) arrows.push_back(arrow);
  }
  return arrows;
}

CaptureBuilder TwoProducersOneConsumer(double third_dispatch = 8) {
  CaptureBuilder builder;
  builder.Cores({"aic", "aic", "aic"}).CoreToThread({0, 1, 0});
  builder.Row(1, 0, {.dispatch = 0, .start = 1, .end = 4, .finish = 5});
  builder.Row(2, 1, {.dispatch = 0, .start = 1, .end = 5, .finish = 6.5});
  builder.Row(3, 2, {.dispatch = third_dispatch, .start = 9, .end = 10, .finish = 11});
  builder.Phase(0, PhaseKind::kComplete, 4.8, 5.2);
  builder.Phase(1, PhaseKind::kComplete, 6.8, 7.2);
  builder.Phase(0, PhaseKind::kDispatch, 7.5, 8.2);
  return builder.Edge(1, 3).Edge(2, 3);
}

TEST(ChromeFlowsTest, CaseA104CompletionReleasesTheConsumer) {
  const ChromeTrace trace = TraceOf(TwoProducersOneConsumer());
  EXPECT_THAT(EndsOf(Named(trace, "complete")),
              ElementsAre("4:10000@3.99 -> 2:30000@5", "3:10000@4.99 -> 2:30000@5",
                          "4:10010@4.99 -> 2:30010@6.8", "3:10010@6.49 -> 2:30010@6.8"));
  EXPECT_THAT(EndsOf(Named(trace, "complete→ready")), ElementsAre("2:30010@7.19 -> 2:30000@8"));
  EXPECT_THAT(
      EndsOf(Named(trace, "dispatch")),
      ElementsAre("2:30000@0 -> 4:10000@1", "2:30000@0 -> 3:10000@0", "2:30010@0 -> 4:10010@1",
                  "2:30010@0 -> 3:10010@0", "2:30000@8 -> 4:10020@9", "2:30000@8 -> 3:10020@8"));
}

TEST(ChromeFlowsTest, CaseA105AProducerThatNeverCompletesHoldsTheConsumerBack) {
  EXPECT_THAT(Named(TraceOf(TwoProducersOneConsumer().Edge(99, 3)), "complete→ready"), IsEmpty());
}

TEST(ChromeFlowsTest, CaseA106AConsumerDispatchedBeforeThePhaseEndsWasNotReleasedByIt) {
  EXPECT_THAT(Named(TraceOf(TwoProducersOneConsumer(5.1)), "complete→ready"), IsEmpty());
}

TEST(ChromeFlowsTest, CaseA107AFinishWithoutPhaseOrThreadHasNoCompletion) {
  CaptureBuilder builder;
  builder.Cores(std::vector<std::string>(6, "aic")).CoreToThread({0});
  builder.Row(1, 0, {.dispatch = 0, .start = 1, .end = 8, .finish = 9});
  builder.Row(2, 5, {.dispatch = 0, .start = 1, .end = 2, .finish = 3});
  builder.Phase(0, PhaseKind::kComplete, 2, 4);
  EXPECT_THAT(Named(TraceOf(builder), "complete"), IsEmpty());
}

TEST(ChromeFlowsTest, CaseA108TheLastFinishOfAnSpmdTaskDecides) {
  CaptureBuilder builder;
  builder.Cores({"aiv", "aiv"}).CoreToThread({0, 1}).Node(1, {-1, 0, -1}, 2);
  builder.Row(1, 0, {.dispatch = 0, .start = 1, .end = 2, .finish = 3});
  builder.Row(1, 1, {.dispatch = 0, .start = 1.5, .end = 5, .finish = 6});
  builder.Phase(0, PhaseKind::kComplete, 2.5, 3.5).Phase(1, PhaseKind::kComplete, 5.5, 6.5);
  EXPECT_THAT(EndsOf(Named(TraceOf(builder), "complete")),
              ElementsAre("4:10000@1.99 -> 2:30010@6", "3:10000@2.99 -> 2:30010@6"));
}

TEST(ChromeFlowsTest, CaseA109WithoutPhasesThereAreNoCompletions) {
  CaptureBuilder builder;
  builder.Cores({"aic"}).CoreToThread({0});
  builder.Row(1, 0, {.dispatch = 0, .start = 1, .end = 2, .finish = 3});
  EXPECT_THAT(TraceOf(builder).Arrows(), IsEmpty());
}

TEST(ChromeFlowsTest, CaseA110WithoutACoreMapRowsVoteForTheirDispatcher) {
  CaptureBuilder builder;
  builder.Cores({"aic", "aic"});
  builder.Row(1, 0, {.dispatch = 1, .start = 2, .end = 3, .finish = 4});
  builder.Row(2, 1, {.dispatch = 9, .start = 10, .end = 11, .finish = 12});
  builder.Phase(0, PhaseKind::kDispatch, 5, 6).Phase(1, PhaseKind::kDispatch, 0.5, 1.5);
  builder.Phase(1, PhaseKind::kComplete, 3.5, 4.5);
  const ChromeTrace trace = TraceOf(builder);
  EXPECT_THAT(EndsOf(Named(trace, "dispatch")),
              ElementsAre("2:30010@1 -> 4:10000@2", "2:30010@1 -> 3:10000@1"));
  EXPECT_THAT(Named(trace, "complete"), IsEmpty());
}

TEST(ChromeFlowsTest, CaseA111TheFirstSubmitOfATaskDispatchedIt) {
  CaptureBuilder builder;
  builder.Cores({"aic"}).CoreToThread({0}).Phase(0, PhaseKind::kDispatch, 9, 11);
  builder.Row(1, 0, {.dispatch = 10, .start = 11, .end = 12, .finish = 13});
  builder.OrchSubmit(0, 0, 1, 0.25, 0.5).OrchSubmit(0, 1, 1, 0.75, 1);
  EXPECT_THAT(EndsOf(Named(TraceOf(builder), "submit→dispatch")),
              ElementsAre("1:4000@0.5 -> 2:30000@10"));
}

TEST(ChromeFlowsTest, CaseA112AHostOrchestratorIsOnAnUnrelatedClock) {
  CaptureBuilder builder;
  builder.Cores({"aic"}).CoreToThread({0}).Phase(0, PhaseKind::kDispatch, 9, 11);
  builder.Row(1, 0, {.dispatch = 10, .start = 11, .end = 12, .finish = 13});
  builder.metadata().host_orchestrated = true;
  builder.HostSubmit(0, 0, 1, 100, 500);
  const ChromeTrace trace = TraceOf(builder);
  EXPECT_THAT(Named(trace, "submit→dispatch"), IsEmpty());
  EXPECT_THAT(trace.summary.warnings, SizeIs(1));
}

// 50 MHz, so that a cycle is 0.02 µs.
CaptureBuilder HostOrchestrated() {
  CaptureBuilder builder(50'000'000, 1'000);
  builder.Cores({"aic"});
  builder.Row(4, 0, {.dispatch = 0, .start = 1, .end = 6, .finish = 7});
  builder.metadata().host_orchestrated = true;
  builder.metadata().host_capture = capture::HostCaptureStatus{.status = "complete",
                                                               .expected_records = {},
                                                               .recorded_records = 2,
                                                               .pool_records = 339,
                                                               .dropped_records = 0,
                                                               .error = {}};
  return builder.HostSubmit(0, 0, 4, 500, 900);
}

TEST(ChromeFlowsTest, CaseA23TheDeviceHalfFollowsTheHostHalf) {
  const ChromeTrace trace = TraceOf(HostOrchestrated());
  EXPECT_EQ(trace.Bars(1).at(0).ts, 0);
  EXPECT_EQ(trace.Bars(1).at(0).dur, 0.4);
  EXPECT_EQ(trace.Bars(kSchedulerView).at(0).ts, 0.4);
  EXPECT_EQ(trace.Bars(kWorkerView).at(0).ts, 1.4);
  EXPECT_EQ(trace.metadata.at("layout"), R"("causal_composite")");
  EXPECT_EQ(trace.metadata.at("trace_status"), R"("partial")");
  EXPECT_EQ(trace.metadata.at("logical_seam_us"), "0.4");
  EXPECT_THAT(trace.metadata.at("host_capture"),
              HasSubstr(R"(["recorded_record_count_mismatch","expected_record_count_missing"])"));
  EXPECT_THAT(trace.metadata.at("host_capture"), HasSubstr(R"("pool_records":339)"));
}

TEST(ChromeFlowsTest, CaseA25ACompleteHostCaptureSaysSo) {
  CaptureBuilder builder = HostOrchestrated();
  builder.metadata().host_capture->expected_records = 1;
  builder.metadata().host_capture->recorded_records = 1;
  const ChromeTrace trace = TraceOf(builder);
  EXPECT_EQ(trace.metadata.at("trace_status"), R"("complete")");
  EXPECT_EQ(trace.metadata.at("host_records_complete"), "true");
}

TEST(ChromeFlowsTest, CaseA24AHostRecordBeforeTheOriginIsRefused) {
  CaptureBuilder builder = HostOrchestrated();
  builder.metadata().host_orchestration_origin = capture::HostNanos{600};
  const TracedRun run(builder);
  std::string bytes;
  StringSink sink(&bytes);
  const auto summary = WriteChromeTrace(run.inputs(), ChromeDefaults(), sink);
  EXPECT_THAT(std::string(summary.status().message()),
              HasSubstr("invalid host orchestrator phase: origin=600, start=500, end=900"));
  EXPECT_EQ(bytes, "");
}

// Task 2 waits 5..9 on AIC, task 4 waits 7..8 on AIV.
CaptureBuilder WaitingOnBothEngines() {
  CaptureBuilder builder;
  builder.Cores({"aic", "aiv", "aiv"});
  builder.Row(1, 0, {.dispatch = 0, .start = 0, .end = 5, .finish = 6});
  builder.Row(2, 0, {.dispatch = 9, .start = 9, .end = 15, .finish = 16});
  builder.Row(3, 1, {.dispatch = 0, .start = 0, .end = 7, .finish = 8});
  builder.Row(4, 1, {.dispatch = 8, .start = 8, .end = 15, .finish = 16});
  builder.Row(5, 2, {.dispatch = 0, .start = 0, .end = 15, .finish = 16});
  return builder.Edge(1, 2).Edge(3, 4);
}

ChromeTrace WithOverhead(const CaptureBuilder& builder) {
  ChromeTraceSettings settings;
  settings.options.overhead_counters = true;
  return TraceOf(builder, settings);
}

std::map<std::string, double> ValuesAt(const ChromeTrace& trace, double ts) {
  std::map<std::string, double> values;
  for (const ChromeEvent& event : trace.Counters("overhead")) {
    if (event.ts == ts) values[event.name] = event.Number(event.name);
  }
  return values;
}

TEST(ChromeFlowsTest, CaseA113OverheadCountersChangeWithTheModel) {
  const ChromeTrace trace = WithOverhead(WaitingOnBothEngines());
  using Values = std::map<std::string, double>;
  EXPECT_EQ(ValuesAt(trace, 0), (Values{{"oh_aic_idle", 0},
                                        {"oh_aic_ready", 0},
                                        {"oh_aic_overhead", 0},
                                        {"oh_aiv_idle", 0},
                                        {"oh_aiv_ready", 0},
                                        {"oh_aiv_overhead", 0},
                                        {"oh_all_overhead", 0},
                                        {"oh_has_overhead", 0}}));
  EXPECT_EQ(ValuesAt(trace, 5), (Values{{"oh_aic_idle", 1},
                                        {"oh_aic_ready", 1},
                                        {"oh_aic_overhead", 1},
                                        {"oh_has_overhead", 1}}));
  EXPECT_EQ(ValuesAt(trace, 7), (Values{{"oh_aiv_idle", 1},
                                        {"oh_aiv_ready", 1},
                                        {"oh_aiv_overhead", 1},
                                        {"oh_all_overhead", 1}}));
  EXPECT_EQ(ValuesAt(trace, 8), (Values{{"oh_aiv_idle", 0},
                                        {"oh_aiv_ready", 0},
                                        {"oh_aiv_overhead", 0},
                                        {"oh_all_overhead", 0}}));
  EXPECT_EQ(ValuesAt(trace, 9), (Values{{"oh_aic_idle", 0},
                                        {"oh_aic_ready", 0},
                                        {"oh_aic_overhead", 0},
                                        {"oh_has_overhead", 0}}));
  EXPECT_THAT(ValuesAt(trace, 15), IsEmpty());
  EXPECT_THAT(trace.Counters("overhead"), SizeIs(24));
  for (const ChromeEvent& event : trace.Counters("overhead")) EXPECT_EQ(event.pid, 2);
}

TEST(ChromeFlowsTest, CaseA114OverheadCountersNeedEdgesAndSkipAbsentEngines) {
  CaptureBuilder builder;
  builder.Cores({"aic"}).Row(1, 0, {.dispatch = 0, .start = 1, .end = 2, .finish = 3});
  const ChromeTrace no_edges = WithOverhead(builder);
  EXPECT_THAT(no_edges.Counters("overhead"), IsEmpty());
  ASSERT_THAT(no_edges.summary.warnings, SizeIs(1));
  EXPECT_EQ(no_edges.summary.warnings[0].code, "overhead_tracks_missing");
  EXPECT_THAT(ValuesAt(WithOverhead(builder.Edge(7, 1)), 1), SizeIs(5));
}

CaptureBuilder ForkJoin() {
  CaptureBuilder builder;
  builder.Cores({"aic", "aic"}).CoreToThread({0, 0});
  builder.Row(1, 0, {.dispatch = 0, .start = 0, .end = 10, .finish = 11});
  builder.Row(2, 1, {.dispatch = 0, .start = 0, .end = 19, .finish = 20});
  builder.Row(3, 1, {.dispatch = 20, .start = 20, .end = 30, .finish = 31});
  builder.Phase(0, PhaseKind::kDummyTask, 1, 2, {.task_id = 8});
  return builder.Edge(1, 3);
}

TEST(ChromeFlowsTest, CaseA131BarsOffThePathAreDimmed) {
  const std::vector<bool> on_path = {true, false, true};
  ChromeTraceSettings settings;
  settings.options.on_path = &on_path;
  const ChromeTrace trace = TraceOf(ForkJoin(), settings);
  EXPECT_THAT(trace.BarNames(kWorkerView),
              ElementsAre("task(t1)", "·(t2)", "task(t3)", "dummy(t8)"));
  EXPECT_THAT(trace.BarNames(kSchedulerView), ElementsAre("task(t1)", "task(t2)", "task(t3)"));
}

TEST(ChromeFlowsTest, CaseA132APathWithoutItsBarsIsRefused) {
  const std::vector<bool> on_path = {true, true, false};
  TimelineOptions options = ChromeDefaults();
  options.on_path = &on_path;
  options.lanes = {"AIC_0"};
  const TracedRun run(ForkJoin());
  std::string bytes;
  StringSink sink(&bytes);
  const auto summary = WriteChromeTrace(run.inputs(), options, sink);
  EXPECT_EQ(summary.status().code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(std::string(summary.status().message()), HasSubstr("1 task(s)"));
  EXPECT_THAT(std::string(summary.status().message()), HasSubstr(": t2;"));
  EXPECT_EQ(bytes, "");
}

}  // namespace
}  // namespace simpler::timeline
