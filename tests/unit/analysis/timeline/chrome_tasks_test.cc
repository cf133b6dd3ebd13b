// Task bars, their lanes and the dependency arrows between them.
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/chrome_trace.h"

namespace simpler::timeline {
namespace {

using capture::PhaseKind;
using support::CaptureBuilder;
using support::ChromeArrow;
using support::ChromeEvent;
using support::ChromeTrace;
using support::TraceOf;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;
using testing::UnorderedElementsAre;

constexpr uint64_t kRing1 = uint64_t{1} << 32;
constexpr int64_t kSchedulerView = 3;
constexpr int64_t kWorkerView = 4;

const CaptureBuilder::RowTimes kUsualTimes = {
    .dispatch = 10, .start = 11, .end = 20, .finish = 21, .receive = 10.5};

std::string EndsOf(const ChromeArrow& arrow) { return arrow.from + " -> " + arrow.to; }

std::vector<std::string> EndsOf(const std::vector<ChromeArrow>& arrows) {
  std::vector<std::string> ends;
  for (const ChromeArrow& arrow : arrows) ends.push_back(EndsOf(arrow));
  return ends;
}

TEST(ChromeTasksTest, CaseA81BarsCarryTimesNamesAndNeighbours) {
  const ChromeTrace trace = TraceOf(CaptureBuilder()
                                        .Cores({"aic"})
                                        .Row(100, 0, kUsualTimes)
                                        .Node(100, {0, -1, -1})
                                        .Edge(100, 200)
                                        .Edge(100, kRing1 | 3)
                                        .Edge(7, 100)
                                        .Name(0, "qk"));
  const ChromeEvent worker = trace.Bar(kWorkerView, "qk(t100)");
  EXPECT_EQ(worker.tid, 10000);
  EXPECT_EQ(worker.ts, 10.5);
  EXPECT_EQ(worker.dur, 9.5);
  EXPECT_EQ(worker.id, 0);
  EXPECT_EQ(worker.category, "event");
  EXPECT_EQ(worker.Number("duration-us"), 9.5);
  EXPECT_EQ(worker.Number("kernel-duration-us"), 9.0);
  EXPECT_EQ(worker.Number("local_setup_us"), 0.5);
  EXPECT_EQ(worker.Number("taskId"), 100);
  EXPECT_EQ(worker.args.at("fanout-hint"), R"("2: [t200, r1t3]")");
  EXPECT_EQ(worker.args.at("fanin-hint"), R"("1: [t7]")");
  EXPECT_EQ(worker.args.at("event-hint"), R"("Task:t100, FuncId:0, CoreId:0")");

  const ChromeEvent scheduler = trace.Bar(kSchedulerView, "qk(t100)");
  EXPECT_EQ(scheduler.tid, 10000);
  EXPECT_EQ(scheduler.ts, 10);
  EXPECT_EQ(scheduler.dur, 11);
  EXPECT_EQ(scheduler.id, 1);
  EXPECT_EQ(scheduler.Number("dispatch-time-us"), 10);
  EXPECT_EQ(scheduler.Number("finish-time-us"), 21);
  EXPECT_EQ(scheduler.Number("scheduler-duration-us"), 11);
}

TEST(ChromeTasksTest, CaseA82NamesEveryLaneInOrder) {
  CaptureBuilder builder;
  builder.Cores({"aiv", "aic", "aic"}).CoreToThread({0, -1, 1}).Name(0, "unused");
  builder.Row(1, 2, kUsualTimes).Row(2, 0, kUsualTimes).Phase(0, PhaseKind::kDispatch, 10, 11);
  builder.OrchSubmit(0, 0, 1, 1, 2);
  EXPECT_THAT(TraceOf(builder).Metadata(),
              ElementsAre("process_name 4 Worker View", "process_sort_index 4 4",
                          "process_name 3 Scheduler View", "process_sort_index 3 3",
                          "thread_name 4:10000 AIV_0", "thread_name 4:10020 AIC_2",
                          "thread_name 4:19000 AICPU_0", "thread_name 4:19001 AICPU_1",
                          "thread_name 4:19002 AICPU_2", "thread_name 3:10000 AIV_0",
                          "thread_name 3:10020 AIC_2", "process_name 2 AICPU Scheduler",
                          "process_sort_index 2 2", "thread_name 2:30000 Sched_0",
                          "thread_name 2:3999 shared_ready_queue (global)",
                          "thread_sort_index 2:3999 100", "process_name 1 AICPU Orchestrator",
                          "process_sort_index 1 1", "thread_name 1:4000 Orch_0"));
}

TEST(ChromeTasksTest, CaseA83RowsWithoutStampsHaveNoSchedulerView) {
  const ChromeTrace level1 =
      TraceOf(CaptureBuilder().Level(1).Cores({"aic"}).Row(1, 0, {.start = 11, .end = 20}));
  EXPECT_THAT(level1.Bars(kSchedulerView), IsEmpty());
  EXPECT_THAT(level1.Bars(kWorkerView), SizeIs(1));
  EXPECT_THAT(level1.Metadata(), testing::Not(testing::Contains(testing::HasSubstr("Scheduler"))));

  const ChromeTrace from_zero = TraceOf(CaptureBuilder().Cores({"aic"}).Row(
      1, 0, {.dispatch = 0, .start = 1, .end = 2, .finish = 3}));
  EXPECT_EQ(from_zero.Bars(kSchedulerView).at(0).ts, 0);
}

CaptureBuilder OverlappingWindows() {
  CaptureBuilder builder;
  builder.Cores({"aic"});
  uint64_t task = 1;
  for (const auto& [dispatch, finish] :
       std::vector<std::pair<double, double>>{{1, 10}, {5, 15}, {10, 20}, {11, 22}, {12, 13}}) {
    const double middle = 100.0 + static_cast<double>(task);
    builder.Row(task++, 0,
                {.dispatch = dispatch, .start = middle, .end = middle, .finish = finish});
  }
  return builder;
}

TEST(ChromeTasksTest, CaseA84WindowsOfOneCoreGoToTheFirstFreeLane) {
  const ChromeTrace trace = TraceOf(OverlappingWindows());
  std::vector<int64_t> tids;
  for (const ChromeEvent& bar : trace.Bars(kSchedulerView)) tids.push_back(*bar.tid);
  EXPECT_THAT(tids, ElementsAre(10000, 10001, 10000, 10002, 10003));
  std::vector<std::string> named;
  for (const std::string& line : trace.Metadata()) {
    if (line.starts_with("thread_name 3:")) named.push_back(line);
  }
  EXPECT_THAT(named, ElementsAre("thread_name 3:10000 AIC_0", "thread_name 3:10001 AIC_0"));
}

TEST(ChromeTasksTest, RowsOfOneTaskOnOneCoreShareTheLaneOfTheLast) {
  const ChromeTrace trace =
      TraceOf(CaptureBuilder()
                  .Cores({"aic"})
                  .Row(1, 0, {.dispatch = 1, .start = 2, .end = 9, .finish = 10})
                  .Row(1, 0, {.dispatch = 5, .start = 10, .end = 14, .finish = 15}));
  EXPECT_THAT(trace.Bars(kSchedulerView, 10001), SizeIs(2));
}

CaptureBuilder BlocksOnThreeCores() {
  CaptureBuilder builder;
  builder.Cores(std::vector<std::string>(10, "aiv"))
      .Node(100, {-1, 0, -1}, 6)
      .Node(200, {-1, 0, -1});
  for (const auto& [core, receive] :
       std::vector<std::pair<capture::CoreId, double>>{{3, 13.5}, {1, 11.5}, {2, 12.5}}) {
    builder.Row(100, core,
                {.dispatch = receive - 0.5,
                 .start = receive + 0.5,
                 .end = 20,
                 .finish = 21,
                 .receive = receive});
  }
  builder.Row(200, 9, {.dispatch = 40, .start = 41, .end = 50, .finish = 51, .receive = 40.5});
  return builder.Edge(100, 200);
}

TEST(ChromeTasksTest, CaseA96TheEarliestBlockSpeaksForAnSpmdTask) {
  const ChromeTrace trace = TraceOf(BlocksOnThreeCores());
  const auto arrows = trace.ArrowsFrom(kWorkerView, "dependency");
  EXPECT_THAT(EndsOf(arrows), ElementsAre("4:10010@11.5 -> 4:10090@40.5"));
  EXPECT_EQ(arrows[0].output_task_count, 6);
  EXPECT_EQ(arrows[0].input_task_count, 1);
  EXPECT_THAT(EndsOf(trace.ArrowsFrom(kSchedulerView, "dependency")),
              ElementsAre("3:10010@11 -> 3:10090@40"));
}

TEST(ChromeTasksTest, CaseA97EqualStartsGoToTheSmallestCore) {
  CaptureBuilder builder;
  builder.Cores(std::vector<std::string>(10, "aiv")).Node(100, {-1, 0, -1}, 3).Edge(100, 200);
  for (const capture::CoreId core : std::vector<capture::CoreId>{5, 2, 7})
    builder.Row(100, core, kUsualTimes);
  builder.Row(200, 9, {.dispatch = 40, .start = 41, .end = 50, .finish = 51, .receive = 40.5});
  EXPECT_THAT(EndsOf(TraceOf(builder).ArrowsFrom(kWorkerView, "dependency")),
              ElementsAre("4:10020@10.5 -> 4:10090@40.5"));
}

TEST(ChromeTasksTest, CaseA98EachViewAndFunctionHasItsOwnAnchor) {
  CaptureBuilder builder;
  builder.Cores({"aic", "aiv", "aiv", "aiv"}).Node(1, {1, 2, -1}, 2).Node(9, {-1, 3, -1});
  builder.Row(1, 0, {.dispatch = 0, .start = 1, .end = 2, .finish = 3, .receive = 0.5});
  builder.Row(1, 1, {.dispatch = 0, .start = 1, .end = 2, .finish = 3, .receive = 0.25});
  builder.Row(1, 2, {.dispatch = 0, .start = 1, .end = 2, .finish = 3, .receive = 0.125});
  builder.Row(9, 3, {.dispatch = 4, .start = 5, .end = 6, .finish = 7, .receive = 4.5});
  const ChromeTrace trace = TraceOf(builder.Edge(1, 9));
  EXPECT_THAT(EndsOf(trace.ArrowsFrom(kWorkerView, "dependency")),
              ElementsAre("4:10000@0.5 -> 4:10030@4.5", "4:10020@0.125 -> 4:10030@4.5"));
  EXPECT_THAT(EndsOf(trace.ArrowsFrom(kSchedulerView, "dependency")),
              ElementsAre("3:10000@0 -> 3:10030@4", "3:10010@0 -> 3:10030@4"));
}

TEST(ChromeTasksTest, CaseA99EveryHalfOfAMixIsAnAnchor) {
  CaptureBuilder builder;
  builder.Cores({"aic", "aiv", "aic", "aiv"}).Node(1, {1, 2, -1}).Node(2, {1, 2, -1}).Edge(1, 2);
  builder.Row(1, 0, kUsualTimes).Row(1, 1, kUsualTimes);
  const CaptureBuilder::RowTimes later = {.dispatch = 30, .start = 31, .end = 40, .finish = 41};
  builder.Row(2, 2, later).Row(2, 3, later);
  const ChromeTrace trace = TraceOf(builder);
  EXPECT_THAT(trace.ArrowsFrom(kWorkerView, "dependency"), SizeIs(4));
  const auto arrows = trace.ArrowsFrom(kSchedulerView, "dependency");
  ASSERT_THAT(arrows, SizeIs(4));
  EXPECT_EQ(arrows[0].input_task_count, 1);
  EXPECT_EQ(arrows[0].output_task_count, 1);
}

TEST(ChromeTasksTest, CaseA100AViolationIsJudgedInEachView) {
  const ChromeTrace trace =
      TraceOf(CaptureBuilder()
                  .Cores({"aic", "aic"})
                  .Row(1, 0, {.dispatch = 1, .start = 2, .end = 9, .finish = 10, .receive = 1.5})
                  .Row(2, 1, {.dispatch = 8, .start = 9.5, .end = 12, .finish = 13, .receive = 9})
                  .Edge(1, 2));
  EXPECT_THAT(EndsOf(trace.ArrowsFrom(kWorkerView, "dependency")),
              ElementsAre("4:10000@1.5 -> 4:10010@9"));
  EXPECT_THAT(EndsOf(trace.ArrowsFrom(kSchedulerView, "hb_violation")),
              ElementsAre("3:10000@1 -> 3:10010@8"));
  EXPECT_EQ(trace.summary.violations, 1);
}

TEST(ChromeTasksTest, CaseA101AnEarlyReceiveViolatesAndTheArrowStillRunsForward) {
  const ChromeTrace trace =
      TraceOf(CaptureBuilder()
                  .Cores({"aic", "aic"})
                  .Row(1, 0, kUsualTimes)
                  .Row(2, 1, {.dispatch = 15, .start = 22, .end = 30, .finish = 31, .receive = 19})
                  .Edge(1, 2));
  EXPECT_THAT(EndsOf(trace.ArrowsFrom(kWorkerView, "hb_violation")),
              ElementsAre("4:10000@10.5 -> 4:10010@19"));
  EXPECT_THAT(EndsOf(trace.ArrowsFrom(kSchedulerView, "hb_violation")),
              ElementsAre("3:10000@10 -> 3:10010@15"));
}

TEST(ChromeTasksTest, CaseA102WithoutReceiveBarsStartWithTheKernel) {
  const ChromeTrace trace =
      TraceOf(CaptureBuilder()
                  .Cores({"aic", "aic"})
                  .Row(1, 0, {.dispatch = 10, .start = 11, .end = 20, .finish = 21})
                  .Row(2, 1, {.dispatch = 40, .start = 41, .end = 50, .finish = 51})
                  .Edge(1, 2));
  EXPECT_THAT(EndsOf(trace.ArrowsFrom(kWorkerView, "dependency")),
              ElementsAre("4:10000@11 -> 4:10010@41"));
}

TEST(ChromeTasksTest, CaseA103EdgesToAbsentTasksAreCountedNotDrawn) {
  const ChromeTrace trace =
      TraceOf(CaptureBuilder().Cores({"aic"}).Row(1, 0, kUsualTimes).Edge(1, 555));
  EXPECT_THAT(trace.Arrows(), IsEmpty());
  EXPECT_EQ(trace.summary.left_out.edges_to_absent_tasks, 1);
}

TEST(ChromeTasksTest, ASliceThatCrossesItsPredecessorMovesToAnOverlapLane) {
  const ChromeTrace trace = TraceOf(CaptureBuilder()
                                        .Cores({"aic"})
                                        .Row(1, 0, {.start = 0, .end = 10})
                                        .Row(2, 0, {.start = 5, .end = 15})
                                        .Row(3, 0, {.start = 15, .end = 20}));
  EXPECT_THAT(trace.Bars(kWorkerView, 10000), SizeIs(2));
  EXPECT_EQ(trace.Bar(kWorkerView, "task(t2)").tid, 1'000'000);
  EXPECT_THAT(trace.Metadata(), testing::Contains("thread_name 4:1000000 AIC_0 (overlap)"));
  EXPECT_EQ(trace.summary.overflow_slices, 1);
}

TEST(ChromeTasksTest, RunsOfALargerFileCarryTheirEpoch) {
  const ChromeTrace trace =
      TraceOf(CaptureBuilder().NextRun(7).Cores({"aic"}).Row(1, 0, kUsualTimes));
  EXPECT_EQ(trace.Bars(kWorkerView).at(0).Number("run_epoch"), 7);
}

TEST(ChromeTasksTest, WithoutAGraphTasksAreAnonymousAndUnconnected) {
  const ChromeTrace trace =
      TraceOf(CaptureBuilder().Cores({"aic", "aic"}).Row(1, 0, kUsualTimes).Row(2, 1, kUsualTimes),
              {.with_graph = false});
  EXPECT_THAT(trace.BarNames(kWorkerView), UnorderedElementsAre("task(t1)", "task(t2)"));
  EXPECT_EQ(trace.Bars(kWorkerView).at(0).args.at("fanin-hint"), R"("0: []")");
  EXPECT_THAT(trace.Arrows(), IsEmpty());
}

TEST(ChromeTasksTest, NamesAreEscaped) {
  const ChromeTrace trace = TraceOf(CaptureBuilder()
                                        .Cores({"aic"})
                                        .Row(1, 0, kUsualTimes)
                                        .Node(1, {0, -1, -1})
                                        .Name(0, "a\"b\\c\n"));
  EXPECT_EQ(trace.Bars(kWorkerView).at(0).name, "a\"b\\c\n(t1)");
}

}  // namespace
}  // namespace simpler::timeline
