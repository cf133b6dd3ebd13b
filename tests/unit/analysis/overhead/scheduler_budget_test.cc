#include "analysis/overhead/scheduler_budget.h"

#include <string>
#include <vector>

#include "analysis/overhead/analyze_overhead.h"
#include "fmt/format.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/capture_builder.h"
#include "tests/support/prepared_run.h"

namespace simpler::overhead {
namespace {

using capture::CycleSpan;
using capture::PhaseKind;
using capture::Producer;
using support::CaptureBuilder;
using support::PreparedRun;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

CaptureBuilder OneRow() { return CaptureBuilder().Cores({"aic"}).Row(1, 0, {0, 0, 5, 6}); }

std::optional<SchedulerBudget> BudgetOf(const CaptureBuilder& builder) {
  const PreparedRun run(builder);
  return AnalyzeOverhead(run.inputs).scheduler;
}

std::string Micros(CycleSpan span) { return fmt::format("{:g}", static_cast<double>(span) / 1000); }

// "<kind> <µs>" in the order of the report.
std::vector<std::string> Phases(const SchedulerBudget& budget) {
  std::vector<std::string> phases;
  for (const PhaseTotal& phase : budget.phases) {
    phases.push_back(fmt::format("{} {}", PhaseKindName(phase.kind), Micros(phase.total)));
  }
  return phases;
}

std::string Thread(const SchedulerBudget& budget, size_t index) {
  const SchedulerThread& thread = budget.threads.at(index);
  return fmt::format("T{} {} {}", thread.id, SchedulerRoleName(thread.role),
                     Micros(thread.total()));
}

TEST(SchedulerBudgetTest, CaseA64ReconstructsIdleFromGaps) {
  const SchedulerBudget budget =
      BudgetOf(OneRow()
                   .Phase(0, PhaseKind::kComplete, 1, 2, {.loop = 4, .tasks = 2})
                   .Phase(0, PhaseKind::kDispatch, 2.5, 3)
                   .Phase(0, PhaseKind::kDispatch, 2.75, 4, {.loop = 6})
                   .Phase(0, PhaseKind::kComplete, 6, 6, {.loop = 9})
                   .Phase(0, PhaseKind::kRelease, 7, 8, {.loop = 10}))
          .value();
  EXPECT_THAT(Phases(budget), ElementsAre("complete 1", "dispatch 1.75", "release 1", "idle 3.5"));
  EXPECT_EQ(Thread(budget, 0), "T0 S 7.25");
  EXPECT_EQ(budget.threads[0].loops, 10u);
  EXPECT_EQ(budget.finishes, 2u);
}

TEST(SchedulerBudgetTest, CaseA65SumsPops) {
  using Pops = std::pair<uint32_t, uint32_t>;
  const SchedulerBudget budget =
      BudgetOf(OneRow()
                   .Phase(0, PhaseKind::kDispatch, 1, 2, {.pops = Pops{3, 1}})
                   .Phase(0, PhaseKind::kDispatch, 2, 3, {.pops = Pops{0, 4}}))
          .value();
  EXPECT_EQ(budget.pop_hit, 3u);
  EXPECT_EQ(budget.pop_miss, 5u);
}

TEST(SchedulerBudgetTest, PopsAreAbsentWhenNoDispatchCarriesThem) {
  const SchedulerBudget budget = BudgetOf(OneRow().Phase(0, PhaseKind::kDispatch, 1, 2)).value();
  EXPECT_EQ(budget.pop_hit, std::nullopt);
  EXPECT_EQ(budget.pop_miss, std::nullopt);
}

TEST(SchedulerBudgetTest, CaseA66NestedResolveIsNotCountedTwice) {
  const SchedulerBudget budget = BudgetOf(OneRow()
                                              .Phase(0, PhaseKind::kResolve, 12, 20)
                                              .Phase(0, PhaseKind::kComplete, 10, 30)
                                              .Phase(0, PhaseKind::kDispatch, 31, 33))
                                     .value();
  EXPECT_THAT(Phases(budget), ElementsAre("complete 20", "dispatch 2", "idle 1"));
  EXPECT_EQ(Thread(budget, 0), "T0 S 23");
  EXPECT_EQ(budget.nested_resolve, 8'000);
}

TEST(SchedulerBudgetTest, CaseA67ResolveAtTheStartOfItsParentIsNested) {
  const SchedulerBudget budget = BudgetOf(OneRow()
                                              .Phase(0, PhaseKind::kDummy, 10, 30)
                                              .Phase(0, PhaseKind::kResolve, 10, 20)
                                              .Phase(0, PhaseKind::kDispatch, 31, 33))
                                     .value();
  EXPECT_EQ(Thread(budget, 0), "T0 S 23");
}

TEST(SchedulerBudgetTest, CaseA68ResolveAtTheEndOfItsParentIsStandalone) {
  const SchedulerBudget budget =
      BudgetOf(
          OneRow().Phase(0, PhaseKind::kComplete, 10, 30).Phase(0, PhaseKind::kResolve, 12, 30))
          .value();
  EXPECT_THAT(Phases(budget), ElementsAre("complete 20", "resolve 18", "idle 0"));
  EXPECT_EQ(Thread(budget, 0), "T0 S 38");
}

TEST(SchedulerBudgetTest, CaseA69StandaloneResolveAlwaysCounts) {
  const SchedulerBudget budget = BudgetOf(OneRow()
                                              .Phase(0, PhaseKind::kDummy, 10, 30)
                                              .Phase(0, PhaseKind::kResolveStandalone, 12, 20))
                                     .value();
  EXPECT_THAT(Phases(budget), ElementsAre("dummy 20", "resolve 8", "idle 0"));
  EXPECT_EQ(Thread(budget, 0), "T0 P 28");
}

TEST(SchedulerBudgetTest, CaseA70ResolverThreadBesideSchedulers) {
  const SchedulerBudget budget = BudgetOf(OneRow()
                                              .CoreToThread({0})
                                              .Phase(1, PhaseKind::kResolveStandalone, 1, 2)
                                              .Phase(1, PhaseKind::kAsyncPoll, 4, 7)
                                              .Phase(1, PhaseKind::kDummy, 8, 9))
                                     .value();
  EXPECT_THAT(Phases(budget), ElementsAre("async_poll 3", "dummy 1", "resolve 1", "idle 3"));
  ASSERT_EQ(budget.threads.size(), 1u);
  EXPECT_EQ(Thread(budget, 0), "T1 P 8");
}

TEST(SchedulerBudgetTest, CaseA71PollingThreadIsAResolverOnlyBesideAssignedThreads) {
  const auto builder = [] { return OneRow().Phase(1, PhaseKind::kAsyncPoll, 1, 2); };
  EXPECT_EQ(Thread(BudgetOf(builder().CoreToThread({0})).value(), 0), "T1 P 1");
  EXPECT_EQ(Thread(BudgetOf(builder()).value(), 0), "T1 S 1");
  EXPECT_EQ(Thread(BudgetOf(builder().CoreToThread({1})).value(), 0), "T1 S 1");
  EXPECT_EQ(Thread(BudgetOf(builder().CoreToThread({-1})).value(), 0), "T1 S 1");
}

TEST(SchedulerBudgetTest, CaseA72ResolveWithoutParentCounts) {
  const SchedulerBudget budget =
      BudgetOf(OneRow().Phase(0, PhaseKind::kRelease, 1, 2).Phase(0, PhaseKind::kResolve, 2, 3))
          .value();
  EXPECT_THAT(Phases(budget), ElementsAre("release 1", "resolve 1", "idle 0"));
  EXPECT_EQ(Thread(budget, 0), "T0 S 2");
}

TEST(SchedulerBudgetTest, CaseA73ResolveBeforeItsFirstParentIsStandalone) {
  const SchedulerBudget budget =
      BudgetOf(OneRow().Phase(0, PhaseKind::kResolve, 1, 2).Phase(0, PhaseKind::kComplete, 3, 5))
          .value();
  EXPECT_EQ(Thread(budget, 0), "T0 S 4");
}

TEST(SchedulerBudgetTest, CaseA74RolesAreSummedApart) {
  const SchedulerBudget budget =
      BudgetOf(OneRow()
                   .CoreToThread({0})
                   .Phase(0, PhaseKind::kComplete, 0, 150, {.loop = 15, .tasks = 3})
                   .Phase(1, PhaseKind::kDispatch, 0, 250, {.loop = 25})
                   .Phase(2, PhaseKind::kResolveStandalone, 0, 20, {.loop = 200}))
          .value();
  const RoleTotal schedulers = TotalOf(budget, SchedulerRole::kScheduler);
  EXPECT_EQ(schedulers.threads, 2u);
  EXPECT_EQ(schedulers.total, 400'000);
  EXPECT_EQ(schedulers.loops, 40u);
  EXPECT_EQ(schedulers.tasks, 1u);
  const RoleTotal resolvers = TotalOf(budget, SchedulerRole::kResolver);
  EXPECT_EQ(resolvers.total, 20'000);
  EXPECT_EQ(resolvers.loops, 200u);
}

TEST(SchedulerBudgetTest, CaseA75ListsOnlyPhasesThatOccur) {
  const SchedulerBudget budget = BudgetOf(OneRow()
                                              .Phase(0, PhaseKind::kDispatch, 1, 2)
                                              .Phase(0, PhaseKind::kComplete, 2, 3)
                                              .Phase(0, PhaseKind::kDrainPrepare, 2, 3)
                                              .Phase(0, PhaseKind::kDummyTask, 2, 3)
                                              .Phase(0, PhaseKind::kScan, 3, 9)
                                              .Phase(1, PhaseKind::kResolveStandalone, 1, 2)
                                              .Phase(1, PhaseKind::kAsyncPoll, 2, 3))
                                     .value();
  EXPECT_THAT(Phases(budget),
              ElementsAre("complete 1", "async_poll 1", "dispatch 1", "resolve 1", "idle 0"));
}

TEST(SchedulerBudgetTest, CaseA76TaskBelongsToTheThreadThatRetiredItLast) {
  const SchedulerBudget budget = BudgetOf(CaptureBuilder()
                                              .Cores({"aic", "aic"})
                                              .CoreToThread({0, 1})
                                              .Row(1, 0, {0, 0.25, 1, 1.25})
                                              .Row(1, 1, {0, 0.25, 1, 1.75})
                                              .Phase(0, PhaseKind::kComplete, 1, 1.5, {.tasks = 1})
                                              .Phase(1, PhaseKind::kComplete, 1.5, 2, {.tasks = 1}))
                                     .value();
  EXPECT_EQ(budget.threads[0].tasks, 0u);
  EXPECT_EQ(budget.threads[1].tasks, 1u);
  EXPECT_EQ(budget.finishes, 2u);
}

TEST(SchedulerBudgetTest, TasksComeFromCompleteRecordsWhenNoCoreIsMapped) {
  const auto builder = [] { return OneRow().Phase(0, PhaseKind::kComplete, 1, 2, {.tasks = 7}); };
  EXPECT_EQ(BudgetOf(builder())->threads[0].tasks, 7u);
  EXPECT_EQ(BudgetOf(builder().CoreToThread({-1}))->threads[0].tasks, 7u);
  EXPECT_EQ(BudgetOf(builder().CoreToThread({0}))->threads[0].tasks, 1u);
}

CaptureBuilder FanGraph() {
  return CaptureBuilder()
      .Cores({"aic", "aic", "aic"})
      .CoreToThread({0, 1, -1})
      .Row(1, 0, {0, 0, 1, 2})
      .Row(1, 1, {0, 0, 1, 2})
      .Row(2, 1, {2, 2, 3, 4})
      .Row(3, 1, {4, 4, 5, 6})
      .Row(9, 2, {0, 0, 1, 2})
      .Edge(1, 2)
      .Edge(1, 2)
      .Edge(1, 3)
      .Edge(2, 3)
      .Edge(9, 3);
}

TEST(SchedulerBudgetTest, CaseA77DegreesAreBilledToTheFirstRow) {
  const SchedulerBudget budget =
      BudgetOf(FanGraph().Phase(0, PhaseKind::kComplete, 1, 2).Phase(1, PhaseKind::kComplete, 1, 2))
          .value();
  EXPECT_EQ(budget.fanout->edges, 3u);
  EXPECT_EQ(budget.fanout->max_degree, 2u);
  EXPECT_EQ(budget.fanin->edges, 4u);
  EXPECT_EQ(budget.fanin->max_degree, 3u);
}

TEST(SchedulerBudgetTest, CaseA77DegreesOfThreadsWithoutWorkAreLeftOut) {
  const SchedulerBudget first_only =
      BudgetOf(FanGraph().Phase(0, PhaseKind::kComplete, 1, 2)).value();
  EXPECT_EQ(first_only.fanout->edges, 2u);
  EXPECT_EQ(first_only.fanin->edges, 0u);
  const SchedulerBudget second_only =
      BudgetOf(FanGraph().Phase(1, PhaseKind::kComplete, 1, 2)).value();
  EXPECT_EQ(second_only.fanout->edges, 1u);
  EXPECT_EQ(second_only.fanout->max_degree, 1u);
  EXPECT_EQ(second_only.fanin->edges, 4u);
}

TEST(SchedulerBudgetTest, SelfEdgesCountAsDegrees) {
  const SchedulerBudget budget =
      BudgetOf(OneRow().CoreToThread({0}).Edge(1, 1).Phase(0, PhaseKind::kComplete, 1, 2)).value();
  EXPECT_EQ(budget.fanout->edges, 1u);
  EXPECT_EQ(budget.fanin->edges, 1u);
}

TEST(SchedulerBudgetTest, CaseA78AicoreSchedulersReportEveryKind) {
  using Counts = capture::SchedulerStream::CaptureCounts;
  const SchedulerBudget budget =
      BudgetOf(OneRow()
                   .TaskProducer(Producer::kAicore)
                   .Stream(3, Producer::kAicore,
                           {.worker_id = 34, .core_type = "aiv", .counts = Counts{5, 2, true}})
                   .Phase(3, PhaseKind::kReadyClaim, 1, 1.5)
                   .Phase(3, PhaseKind::kComplete, 2, 5)
                   .Phase(3, PhaseKind::kResolve, 3, 4)
                   .Phase(3, PhaseKind::kIdle, 6, 8))
          .value();
  EXPECT_THAT(Phases(budget), ElementsAre("complete 3", "resolve 1", "ready_claim 0.5", "idle 2"));
  ASSERT_EQ(budget.threads.size(), 1u);
  EXPECT_EQ(Thread(budget, 0), "T3 AICORE 5.5");
  EXPECT_EQ(budget.threads[0].loops, std::nullopt);
  EXPECT_EQ(budget.dropped_records, 2u);
  EXPECT_EQ(budget.truncated_streams, 1u);
}

TEST(SchedulerBudgetTest, CaseA79IsAbsentBelowLevel3) {
  const PreparedRun run(OneRow().Level(2));
  const OverheadReport report = AnalyzeOverhead(run.inputs);
  EXPECT_EQ(report.scheduler, std::nullopt);
  EXPECT_TRUE(report.sweep.has_value());
  EXPECT_THAT(report.warnings,
              testing::Contains(testing::Field(&capture::Warning::code, "no_scheduler_phases")));
}

TEST(SchedulerBudgetTest, StreamsWithoutCountableWorkAreLeftOut) {
  EXPECT_EQ(BudgetOf(OneRow().Phase(0, PhaseKind::kDummyTask, 1, 2)), std::nullopt);
  const SchedulerBudget budget =
      BudgetOf(OneRow().Phase(0, PhaseKind::kScan, 1, 2).Phase(2, PhaseKind::kComplete, 1, 2))
          .value();
  ASSERT_EQ(budget.threads.size(), 1u);
  EXPECT_EQ(budget.threads[0].id, 2);
}

}  // namespace
}  // namespace simpler::overhead
