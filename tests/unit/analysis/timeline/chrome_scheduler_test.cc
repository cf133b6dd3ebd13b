// Scheduler and orchestrator lanes, their counters, and what AICPU threads do as workers.
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/chrome_trace.h"

namespace simpler::timeline {
namespace {

using capture::LifecycleStamp;
using capture::PhaseKind;
using capture::Producer;
using capture::QueueDepths;
using support::CaptureBuilder;
using support::ChromeEvent;
using support::ChromeTrace;
using support::TraceOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

constexpr int64_t kOrchestrator = 1;
constexpr int64_t kScheduler = 2;
constexpr int64_t kWorkerView = 4;
constexpr int64_t kGraph = 5;
constexpr int64_t kLifecycle = 6;

constexpr uint64_t kRing1 = uint64_t{1} << 32;

// "30000 drain(4)" for every bar of the process.
std::vector<std::string> LanesAndNames(const ChromeTrace& trace, int64_t pid) {
  std::vector<std::string> lines;
  for (const ChromeEvent& bar : trace.Bars(pid)) {
    lines.push_back(std::to_string(*bar.tid) + " " + bar.name);
  }
  return lines;
}

CaptureBuilder OneRow() {
  CaptureBuilder builder;
  builder.Cores({"aic"}).CoreToThread({0});
  return builder.Row(1, 0, {.dispatch = 10, .start = 11, .end = 20, .finish = 21});
}

TEST(ChromeSchedulerTest, CaseA85DrainPartsShareTheLaneAndLegacyKindsAreNotDrawn) {
  const ChromeTrace trace = TraceOf(OneRow()
                                        .Phase(0, PhaseKind::kDrain, 1, 5, {.tasks = 4})
                                        .Phase(0, PhaseKind::kDrainPrepare, 1.5, 3)
                                        .Phase(0, PhaseKind::kDrainPublish, 3, 4.5)
                                        .Phase(0, PhaseKind::kScan, 6, 7)
                                        .Phase(0, PhaseKind::kAsyncPoll, 9, 9.5));
  EXPECT_THAT(LanesAndNames(trace, kScheduler),
              ElementsAre("30000 drain(4)", "30000 drain_prepare(0)", "30000 drain_publish(0)",
                          "30000 async_poll(0)"));
  EXPECT_EQ(trace.summary.left_out.phases_not_drawn, 1);
  EXPECT_EQ(trace.Bar(kScheduler, "drain(4)").colour, "cq_build_running");
}

TEST(ChromeSchedulerTest, CaseA86QueueDepthsAreSampledAtTheEndOfAPhase) {
  const QueueDepths none = {0, 0, 0};
  const ChromeTrace trace = TraceOf(
      OneRow()
          .Phase(0, PhaseKind::kDispatch, 10, 11,
                 {.depths_at_start = QueueDepths{1, 2, 3}, .depths_at_end = QueueDepths{4, 5, 6}})
          .Phase(0, PhaseKind::kRelease, 11, 12, {.depths_at_start = none, .depths_at_end = none})
          .Phase(0, PhaseKind::kComplete, 12, 13, {.depths_at_start = none}));
  const auto samples = trace.Counters("queue");
  ASSERT_THAT(samples, SizeIs(1));
  EXPECT_EQ(samples[0].ts, 11);
  EXPECT_EQ(samples[0].Number("AIC"), 4);
  EXPECT_EQ(samples[0].Number("AIV"), 5);
  EXPECT_EQ(samples[0].Number("MIX"), 6);
  const std::string depths = "shared_at_start (aic,aiv,mix)";
  EXPECT_EQ(trace.Bar(kScheduler, "dispatch(0)").args.at(depths), "[1,2,3]");
  EXPECT_EQ(trace.Bar(kScheduler, "release(0)").args.at(depths), "[0,0,0]");
  EXPECT_FALSE(trace.Bar(kScheduler, "complete(0)").args.contains(depths));
}

TEST(ChromeSchedulerTest, CaseA87ANestedResolveHasASubLane) {
  const ChromeTrace trace =
      TraceOf(OneRow().Phase(0, PhaseKind::kComplete, 1, 4).Phase(0, PhaseKind::kResolve, 2, 3));
  EXPECT_THAT(LanesAndNames(trace, kScheduler),
              ElementsAre("30000 complete(0)", "30001 resolve(0)"));
  EXPECT_THAT(trace.Metadata(), Contains("thread_name 2:30001 Sched_0"));
}

TEST(ChromeSchedulerTest, CaseA88AResolverThreadKeepsOneLaneAndSamplesItsQueue) {
  const QueueDepths none = {0, 0, 0};
  const CaptureBuilder::PhaseFields depths = {.depths_at_start = none, .depths_at_end = none};
  CaptureBuilder::PhaseFields resolved = depths;
  resolved.tasks = 1;
  resolved.depths_at_end = QueueDepths{4, 5, 6};
  const ChromeTrace trace = TraceOf(OneRow()
                                        .Phase(1, PhaseKind::kResolveStandalone, 1, 2, resolved)
                                        .Phase(1, PhaseKind::kAsyncPoll, 2, 3, depths)
                                        .Phase(1, PhaseKind::kDummy, 3, 4, depths));
  EXPECT_THAT(LanesAndNames(trace, kScheduler),
              ElementsAre("30010 resolve(1)", "30010 async_poll(0)", "30010 dummy(0)"));
  std::vector<double> times;
  for (const ChromeEvent& sample : trace.Counters("queue")) times.push_back(*sample.ts);
  EXPECT_THAT(times, ElementsAre(2, 3, 4));
  EXPECT_EQ(trace.Bar(kScheduler, "resolve(1)").args.at("phase"), R"("resolve")");
}

TEST(ChromeSchedulerTest, CaseA89AnAicoreSchedulerHasOneFlatLane) {
  CaptureBuilder builder = OneRow();
  builder.Stream(0, Producer::kAicore,
                 {.worker_id = 34, .core_type = "aiv", .physical_core_id = 26});
  builder.Phase(0, PhaseKind::kComplete, 1, 4, {.task_id = 23});
  builder.Phase(0, PhaseKind::kResolve, 2, 3, {.task_id = 23});
  builder.Phase(0, PhaseKind::kStateProbe, 4, 5, {.task_id = 5});
  builder.Phase(0, PhaseKind::kDispatch, 5, 6, {.task_id = 5});
  builder.Phase(0, PhaseKind::kWorksteal, 6, 7, {.task_id = 7});
  builder.Phase(0, PhaseKind::kRefill, 7, 8, {.task_id = 9});
  builder.Phase(0, PhaseKind::kIdle, 8, 9);
  const ChromeTrace trace = TraceOf(builder);
  EXPECT_THAT(
      LanesAndNames(trace, kScheduler),
      ElementsAre("30000 Completion(t23)", "30000 Resolve(t23)", "30000 StateProbe(t5)",
                  "30000 Dispatch(t5)", "30000 Worksteal(t7)", "30000 Refill(t9)", "30000 idle"));
  EXPECT_EQ(trace.Bar(kScheduler, "Refill(t9)").Number("task_id"), 9);
  EXPECT_THAT(trace.Metadata(), Contains("process_name 2 AICore Scheduler"));
  EXPECT_THAT(trace.Metadata(), Contains("thread_name 2:30000 Scheduler_34"));
}

CaptureBuilder TwoFinishesInOnePhase(std::optional<uint32_t> tasks_processed) {
  CaptureBuilder builder;
  builder.Cores({"aic", "aic"}).CoreToThread({0, 0});
  builder.Row(1, 0, {.dispatch = 0, .start = 1, .end = 4, .finish = 5});
  builder.Row(2, 1, {.dispatch = 0, .start = 1, .end = 4, .finish = 5.25});
  return builder.Phase(0, PhaseKind::kComplete, 4.75, 5.5, {.tasks = tasks_processed});
}

TEST(ChromeSchedulerTest, CaseA90FinishesAreAttributedToCompletePhases) {
  const ChromeEvent counted = TraceOf(TwoFinishesInOnePhase(2)).Bar(kScheduler, "complete(2)");
  EXPECT_EQ(counted.Number("finishes_processed"), 2);
  EXPECT_EQ(counted.Number("finish_rows_attributed"), 2);

  const ChromeEvent inferred =
      TraceOf(TwoFinishesInOnePhase(std::nullopt)).Bar(kScheduler, "complete(2)");
  EXPECT_EQ(inferred.Number("tasks_processed"), 2);
  EXPECT_EQ(inferred.Number("finishes_processed"), 2);
  EXPECT_FALSE(inferred.args.contains("finish_rows_attributed"));
}

TEST(ChromeSchedulerTest, CaseA91MarkersLieOnTheLanesOfTheirThreads) {
  constexpr uint64_t kRing2 = uint64_t{2} << 32;
  constexpr uint64_t kRing3 = uint64_t{3} << 32;
  CaptureBuilder builder;
  builder.Cores({"aic", "aic", "aic"}).CoreToThread({0, 1, 2});
  builder.Row(5, 0, {.dispatch = 0, .start = 1, .end = 2, .finish = 3});
  for (size_t stream = 0; stream < 4; ++stream) builder.Stream(stream, Producer::kAicpu, {});
  builder.Phase(1, PhaseKind::kDummyTask, 1, 1.5, {.task_id = kRing1 | 1});
  builder.Phase(2, PhaseKind::kDummyTask, 2, 2.5, {.task_id = kRing2 | 1});
  builder.OrchSubmit(0, 0, kRing3 | 1, 3, 4).Edge(kRing1 | 1, kRing2 | 1);
  const ChromeTrace trace = TraceOf(builder);
  EXPECT_THAT(
      LanesAndNames(trace, kWorkerView),
      ElementsAre("10000 task(t5)", "19001 dummy(r1t1)", "19002 dummy(r2t1)", "19003 alloc(r3t1)"));
  const auto arrows = trace.ArrowsFrom(kWorkerView, "dependency");
  ASSERT_THAT(arrows, SizeIs(1));
  EXPECT_EQ(arrows[0].from, "4:19001@1");
  EXPECT_EQ(arrows[0].to, "4:19002@2");
}

TEST(ChromeSchedulerTest, CaseA92SubmitsDummiesAndAllocations) {
  CaptureBuilder builder = OneRow();
  builder.Phase(0, PhaseKind::kDummyTask, 2, 2.5, {.loop = 4, .task_id = 50});
  builder.OrchSubmit(0, 0, 50, 0.1, 0.2).OrchSubmit(0, 1, 51, 0.4, 0.405);
  builder.OrchSubmit(0, 2, 1, 0.5, 0.6);
  const ChromeTrace trace = TraceOf(builder);
  const ChromeEvent dummy = trace.Bar(kWorkerView, "dummy(t50)");
  EXPECT_EQ(dummy.dur, 0.5);
  EXPECT_EQ(dummy.Number("loop_iter"), 4);
  EXPECT_EQ(dummy.args.at("phase"), R"("dummy_task")");
  const ChromeEvent alloc = trace.Bar(kWorkerView, "alloc(t51)");
  EXPECT_EQ(alloc.tid, 19001);
  EXPECT_EQ(alloc.ts, 0.4);
  EXPECT_EQ(alloc.dur, 0.02);
  EXPECT_EQ(alloc.colour, "olive");
  EXPECT_THAT(trace.BarNames(kOrchestrator),
              ElementsAre("submit(t50)", "submit(t51)", "submit(t1)"));
  const auto arrows = trace.ArrowsFrom(kOrchestrator, "submit→dispatch");
  ASSERT_THAT(arrows, SizeIs(1));
  EXPECT_EQ(arrows[0].from, "1:4000@0.6");
}

TEST(ChromeSchedulerTest, CaseA93ADummyWithoutRecordIsWarnedAboutNotInvented) {
  CaptureBuilder builder = OneRow();
  builder.Phase(0, PhaseKind::kDispatch, 10, 10.5).Node(50, {-1, -1, -1});
  builder.OrchSubmit(0, 0, 50, 1, 2).OrchSubmit(0, 1, 51, 3, 4).OrchSubmit(0, 2, 50, 5, 6);
  const ChromeTrace trace = TraceOf(builder);
  EXPECT_THAT(trace.BarNames(kWorkerView), ElementsAre("task(t1)", "alloc(t51)"));
  ASSERT_THAT(trace.summary.warnings, SizeIs(1));
  EXPECT_EQ(
      trace.summary.warnings[0].text,
      "dummy(t50) has no dummy_task scheduler record; its Worker View bar cannot be rendered.");
}

TEST(ChromeSchedulerTest, CaseA94ASkippedTaskKeepsItsName) {
  constexpr uint64_t kSkipped = kRing1 | 2;
  CaptureBuilder builder = OneRow();
  builder.Phase(0, PhaseKind::kPredicatedSkip, 2, 2.01, {.task_id = kSkipped});
  builder.OrchSubmit(0, 0, kSkipped, 0.5, 1);
  builder.Node(kSkipped, {-1, 21, -1}, 2).Edge(kSkipped, 1).Name(21, "exp_gate_mm");
  const ChromeTrace trace = TraceOf(builder);
  const ChromeEvent skip = trace.Bar(kWorkerView, "exp_gate_mm_spmd(r1t2)");
  EXPECT_EQ(skip.tid, 19000);
  EXPECT_EQ(skip.dur, 0.02);
  EXPECT_EQ(skip.args.at("predicated_pass"), "false");
  EXPECT_FALSE(skip.args.contains("phase"));
  EXPECT_EQ(skip.colour, "");
  EXPECT_THAT(trace.BarNames(kWorkerView), Not(Contains(HasSubstr("alloc"))));
  const auto arrows = trace.ArrowsFrom(kWorkerView, "dependency");
  ASSERT_THAT(arrows, SizeIs(1));
  EXPECT_EQ(arrows[0].from, "4:19000@2");

  EXPECT_THAT(TraceOf(builder, {.with_graph = false}).BarNames(kWorkerView),
              Contains("task(r1t2)"));
}

TEST(ChromeSchedulerTest, CaseA95AMarkerWithoutTaskIsUnknownAndUnconnected) {
  const ChromeTrace trace = TraceOf(OneRow().Phase(0, PhaseKind::kDummyTask, 1, 1.01).Edge(0, 1));
  EXPECT_EQ(trace.Bar(kWorkerView, "dummy(unknown)").dur, 0.02);
  EXPECT_THAT(trace.ArrowsFrom(kWorkerView, "dependency"), IsEmpty());
}

TEST(ChromeSchedulerTest, CaseA115GraphExecutionsSpanPreparationAndNodes) {
  const auto inner = [](uint64_t outer, uint64_t node) { return kRing1 | outer << 10 | node; };
  CaptureBuilder builder;
  builder.Cores({"aic", "aic", "aic"});
  builder.Phase(0, PhaseKind::kGraphPrepare, 1, 1.5, {.task_id = 4});
  builder.Phase(0, PhaseKind::kGraphPrepare, 2, 2.25, {.task_id = 4});
  builder.Phase(0, PhaseKind::kGraphPrepare, 5, 5.5, {.task_id = 9});
  builder.Phase(0, PhaseKind::kGraphPrepare, 6, 6.5, {.task_id = 77});
  builder.Row(inner(4, 0), 0, {.dispatch = 3, .start = 4, .end = 5, .finish = 6});
  builder.Row(inner(4, 5), 1, {.dispatch = 7, .start = 8, .end = 9, .finish = 10});
  builder.Row(inner(9, 2), 2, {.dispatch = 8, .start = 8.5, .end = 9, .finish = 10});
  const ChromeTrace trace = TraceOf(builder);
  ASSERT_THAT(trace.Bars(kGraph), SizeIs(2));
  const ChromeEvent first = trace.Bar(kGraph, "GraphExecution(t4, 2 visible nodes)");
  EXPECT_EQ(first.ts, 1);
  EXPECT_EQ(first.dur, 9);
  EXPECT_EQ(first.tid, 5000);
  EXPECT_EQ(first.Number("prepare_duration_us"), 0.75);
  EXPECT_EQ(first.Number("prepare_slice_count"), 2);
  EXPECT_EQ(first.Number("execution_start_us"), 3);
  EXPECT_EQ(first.Number("execution_duration_us"), 7);
  EXPECT_EQ(first.Number("visible_node_index_max"), 5);
  const ChromeEvent second = trace.Bar(kGraph, "GraphExecution(t9, 1 visible nodes)");
  EXPECT_EQ(second.ts, 5);
  EXPECT_EQ(second.dur, 5);
  EXPECT_EQ(second.tid, 5001);
}

TEST(ChromeSchedulerTest, CaseA116UploadsHaveALaneOfTheHost) {
  CaptureBuilder builder = OneRow();
  builder.metadata().host_orchestrated = true;
  builder.metadata().host_orchestration_origin = capture::HostNanos{0};
  builder.Upload("arena_h2d", 1000, 4000, 512).Upload("", 5000, 4000, 0);
  const ChromeTrace trace = TraceOf(builder);
  const ChromeEvent upload = trace.Bar(kOrchestrator, "arena_h2d");
  EXPECT_EQ(upload.dur, 3);
  EXPECT_EQ(upload.Number("bytes"), 512);
  EXPECT_EQ(trace.Bar(kOrchestrator, "upload").dur, 0);
  EXPECT_THAT(trace.Metadata(), Contains("thread_name 1:4100 H2D"));
}

TEST(ChromeSchedulerTest, CaseA22LifecycleNeedsBothStampsOfAnInterval) {
  CaptureBuilder builder = OneRow();
  builder.Lifecycle(3, {{LifecycleStamp::kHandshakeStart, 0},
                        {LifecycleStamp::kHandshakeComplete, 2},
                        {LifecycleStamp::kExitWaitEnd, 5}});
  const ChromeTrace trace = TraceOf(builder);
  ASSERT_THAT(trace.Bars(kLifecycle), SizeIs(1));
  const ChromeEvent bar = trace.Bar(kLifecycle, "handshake_partition");
  EXPECT_EQ(bar.tid, 60003);
  EXPECT_EQ(bar.ts, 0);
  EXPECT_EQ(bar.dur, 2);
  EXPECT_EQ(bar.Number("aicpu_thread_id"), 3);
  EXPECT_EQ(trace.summary.left_out.intervals_incomplete, 1);
  EXPECT_THAT(trace.Metadata(), Contains("thread_name 6:60003 AICPU Thread 3"));
}

TEST(ChromeSchedulerTest, OldLifecycleInstantsAreBarsWithoutLength) {
  CaptureBuilder builder = OneRow();
  builder.Lifecycle(0, {{LifecycleStamp::kHandshakeObserved, 1},
                        {LifecycleStamp::kHandshakePartitionComplete, 3},
                        {LifecycleStamp::kExitAck, 30}});
  const ChromeTrace trace = TraceOf(builder);
  EXPECT_EQ(trace.Bar(kLifecycle, "handshake_partition").dur, 2);
  EXPECT_EQ(trace.Bar(kLifecycle, "exit_ack").dur, 0);
}

}  // namespace
}  // namespace simpler::timeline
