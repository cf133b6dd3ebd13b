#include "analysis/overhead/sweep.h"

#include <string>
#include <vector>

#include "analysis/overhead/analyze_overhead.h"
#include "analysis/overhead/ready_tasks.h"
#include "fmt/format.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/capture_builder.h"
#include "tests/support/prepared_run.h"

namespace simpler::overhead {
namespace {

using capture::CoreType;
using capture::CycleSpan;
using support::CaptureBuilder;
using support::PreparedRun;
using ::testing::ElementsAre;

// The builder's default clock.
std::string Micros(CycleSpan span) { return fmt::format("{:g}", static_cast<double>(span) / 1000); }

std::string Describe(const OverheadFigures& figures) {
  const auto engine = [&](CoreType type) {
    return figures.engine[type] ? Micros(*figures.engine[type]) : "-";
  };
  return fmt::format("aic {} aiv {} all {} has {} union {}", engine(CoreType::kAic),
                     engine(CoreType::kAiv), Micros(figures.all), Micros(figures.has),
                     Micros(figures.united));
}

OverheadSweep SweepOf(const CaptureBuilder& builder) {
  const PreparedRun run(builder);
  return AnalyzeOverhead(run.inputs).sweep.value();
}

std::string Headline(const CaptureBuilder& builder) { return Describe(SweepOf(builder).headline); }
std::string Placeable(const CaptureBuilder& builder) {
  return Describe(SweepOf(builder).placeable);
}

CaptureBuilder TwoProducersOneConsumer() {
  return CaptureBuilder()
      .Cores({"aic", "aic"})
      .Row(1, 0, {0, 1, 10, 11})
      .Row(2, 1, {0, 1, 6, 7})
      .Row(3, 1, {12, 13, 20, 21})
      .Edge(1, 3)
      .Edge(2, 3);
}

TEST(SweepTest, CaseA41CountsReadyUntilDispatched) {
  const CaptureBuilder builder = TwoProducersOneConsumer();
  const OverheadSweep sweep = SweepOf(builder);
  EXPECT_EQ(Describe(sweep.headline), "aic 2 aiv - all 2 has 2 union 2");
  EXPECT_EQ(sweep.cores[CoreType::kAic], 2);
  EXPECT_EQ(sweep.cores[CoreType::kAiv], 0);
  const PreparedRun run(builder);
  EXPECT_EQ(run.inputs.window->length(), 19'000);
}

TEST(SweepTest, CaseA41StepsCarryReadyCounts) {
  const PreparedRun run(TwoProducersOneConsumer());
  std::vector<std::string> steps;
  ForEachOverheadStep(
      RunningRows(run.inputs.core_rows),
      ReadyTasks(run.inputs.tasks, run.inputs.dependencies->headline, *run.inputs.window), {{2, 0}},
      *run.inputs.window, [&](const OverheadStep& step) {
        const OverheadStep::Engine& aic = step.engine[CoreType::kAic];
        steps.push_back(fmt::format("{} idle {} ready {}{}{}",
                                    Micros(step.begin - CaptureBuilder().Stamp(0)), aic.idle,
                                    aic.ready, step.all ? " all" : "", step.has ? " has" : ""));
      });
  EXPECT_THAT(steps,
              ElementsAre("1 idle 0 ready 0", "6 idle 1 ready 0", "10 idle 2 ready 1 all has",
                          "12 idle 2 ready 0", "13 idle 1 ready 0"));
}

TEST(SweepTest, CaseA42AbsentProducersDoNotMakeReady) {
  EXPECT_EQ(Headline(CaptureBuilder()
                         .Cores({"aic", "aic"})
                         .Row(1, 0, {0, 1, 10, 11})
                         .Row(3, 1, {12, 13, 20, 21})
                         .Edge(77, 3)),
            "aic 0 aiv - all 0 has 0 union 0");
}

TEST(SweepTest, CaseA43OnlyPresentProducersCount) {
  EXPECT_EQ(Headline(CaptureBuilder()
                         .Cores({"aic", "aic"})
                         .Row(1, 0, {0, 1, 10, 11})
                         .Row(3, 1, {12, 13, 20, 21})
                         .Edge(77, 3)
                         .Edge(1, 3)),
            "aic 2 aiv - all 2 has 2 union 2");
}

TEST(SweepTest, CaseA44MixWaitsOnBothEngines) {
  EXPECT_EQ(Headline(CaptureBuilder()
                         .Cores({"aic", "aic", "aic", "aic", "aiv"})
                         .Row(1, 0, {0, 0, 5, 6})
                         .Row(2, 0, {9, 9, 15, 16})
                         .Row(2, 4, {11, 11, 15, 16})
                         .Edge(1, 2)),
            "aic 4 aiv 4 all 4 has 4 union 4");
}

CaptureBuilder GapOnAicBesideBusyAiv() {
  return CaptureBuilder()
      .Cores({"aic", "aiv", "aiv"})
      .Row(1, 0, {0, 0, 5, 6})
      .Row(2, 0, {9, 9, 15, 16})
      .Row(5, 1, {0, 0, 15, 16})
      .Edge(1, 2);
}

TEST(SweepTest, CaseA45EngineWithoutWorkIsNotOverhead) {
  EXPECT_EQ(Headline(GapOnAicBesideBusyAiv()), "aic 4 aiv 0 all 0 has 4 union 4");
}

TEST(SweepTest, CaseA46BothEnginesStarve) {
  EXPECT_EQ(
      Headline(
          GapOnAicBesideBusyAiv().Row(3, 2, {0, 0, 7, 7.5}).Row(4, 2, {8, 8, 15, 16}).Edge(3, 4)),
      "aic 4 aiv 1 all 1 has 4 union 4");
}

TEST(SweepTest, CaseA47DispatchAtOrBeforeReadyIsNotWaiting) {
  CaptureBuilder at_ready;
  at_ready.Cores({"aic", "aic"}).Row(1, 0, {0, 0, 5, 6}).Row(2, 1, {5, 6, 9, 10}).Edge(1, 2);
  EXPECT_EQ(Headline(at_ready), "aic 0 aiv - all 0 has 0 union 0");
  CaptureBuilder before_ready;
  before_ready.Cores({"aic", "aic"}).Row(1, 0, {0, 0, 5, 6}).Row(2, 1, {3, 6, 9, 10}).Edge(1, 2);
  EXPECT_EQ(Headline(before_ready), "aic 0 aiv - all 0 has 0 union 0");
}

TEST(SweepTest, CaseA48SaturatedEngineHidesTheOtherInHas) {
  const CaptureBuilder builder = CaptureBuilder()
                                     .Cores({"aic", "aiv"})
                                     .Row(1, 0, {0, 0, 5, 6})
                                     .Row(2, 0, {9, 9, 15, 16})
                                     .Row(3, 1, {0, 0, 15, 15.5})
                                     .Row(4, 1, {12, 15, 18, 19})
                                     .Edge(1, 2)
                                     .Edge(1, 4);
  const OverheadSweep sweep = SweepOf(builder);
  EXPECT_EQ(Describe(sweep.headline), "aic 4 aiv 0 all 0 has 0 union 4");
  EXPECT_DOUBLE_EQ(WeightedOverhead(sweep, sweep.headline), 2000.0);
}

TEST(SweepTest, CaseA49BusyCoreIsNotOverhead) {
  EXPECT_EQ(Headline(CaptureBuilder()
                         .Cores({"aic", "aiv"})
                         .Row(1, 1, {0, 0, 5, 6})
                         .Row(2, 0, {0, 0, 8, 9})
                         .Row(3, 0, {8, 8, 12, 13})
                         .Edge(1, 3)),
            "aic 0 aiv 0 all 0 has 0 union 0");
}

TEST(SweepTest, CaseA50SelfEdgeIsIgnored) {
  EXPECT_EQ(Headline(CaptureBuilder()
                         .Cores({"aic", "aic"})
                         .Row(1, 0, {0, 0, 5, 6})
                         .Row(2, 1, {8, 8, 12, 13})
                         .Edge(2, 2)
                         .Edge(1, 2)),
            "aic 3 aiv - all 3 has 3 union 3");
}

TEST(SweepTest, CaseA51ZeroLengthProducerMakesReady) {
  const CaptureBuilder builder = CaptureBuilder()
                                     .Cores({"aic", "aic"})
                                     .Row(1, 0, {0, 2, 2, 3})
                                     .Row(3, 1, {5, 5, 9, 9.5})
                                     .Row(2, 0, {1, 4, 6, 7})
                                     .Edge(1, 3);
  const OverheadSweep sweep = SweepOf(builder);
  EXPECT_EQ(Describe(sweep.headline), "aic 3 aiv - all 3 has 3 union 3");
  EXPECT_EQ(sweep.cores[CoreType::kAic], 2);
}

TEST(SweepTest, CaseA52WaitingIsCutAtTheWindow) {
  EXPECT_EQ(Headline(CaptureBuilder()
                         .Cores({"aic", "aic"})
                         .Row(1, 0, {0, 0, 4, 5})
                         .Row(2, 1, {12, 6, 8, 13})
                         .Edge(1, 2)),
            "aic 4 aiv - all 4 has 4 union 4");
}

CaptureBuilder BackToBackRows(double second_start) {
  return CaptureBuilder()
      .Cores({"aic", "aiv"})
      .Row(1, 0, {0, 0, 5, 5.5})
      .Row(2, 0, {1, second_start, 10, 10.5})
      .Row(3, 0, {8, 10, 12, 13})
      .Row(4, 1, {0, 0, 2, 3})
      .Edge(4, 3);
}

TEST(SweepTest, CaseA53SimultaneousEndAndStartLeaveNoIdleCore) {
  EXPECT_EQ(Headline(BackToBackRows(5)), "aic 0 aiv 0 all 0 has 0 union 0");
}

TEST(SweepTest, CaseA53bPickupGapIsIdleButNotPlaceable) {
  EXPECT_EQ(Headline(BackToBackRows(5.5)), "aic 0.5 aiv 0 all 0 has 0.5 union 0.5");
  EXPECT_EQ(Placeable(BackToBackRows(5.5)), "aic 0 aiv 0 all 0 has 0 union 0");
}

TEST(SweepTest, CaseA54CoreWithoutTypeIsNoEngine) {
  const CaptureBuilder builder = CaptureBuilder()
                                     .Cores({"aic", "none"})
                                     .Row(1, 0, {0, 0, 5, 6})
                                     .Row(2, 1, {0, 0, 5, 6})
                                     .Row(3, 0, {8, 8, 10, 11})
                                     .Edge(2, 3);
  const OverheadSweep sweep = SweepOf(builder);
  EXPECT_EQ(sweep.cores[CoreType::kAic], 1);
  EXPECT_EQ(Describe(sweep.headline), "aic 3 aiv - all 3 has 3 union 3");
}

TEST(SweepTest, MarkersRetireProducersInThePlaceableFigureOnly) {
  const auto builder = [] {
    return CaptureBuilder()
        .Cores({"aic"})
        .Row(1, 0, {0, 0, 5, 6})
        .Row(2, 0, {9, 9, 12, 13})
        .Node(7, {-1, -1, -1})
        .Edge(7, 2);
  };
  const CaptureBuilder with_dummy =
      builder().Phase(0, capture::PhaseKind::kDummyTask, 5, 6, {.task_id = 7});
  EXPECT_EQ(Headline(with_dummy), "aic 0 aiv - all 0 has 0 union 0");
  EXPECT_EQ(Placeable(with_dummy), "aic 3 aiv - all 3 has 3 union 3");
  EXPECT_EQ(Placeable(builder()), "aic 0 aiv - all 0 has 0 union 0");
}

TEST(SweepTest, PlaceableCoreIsFreeOnlyWithoutOutstandingRow) {
  // Core 1 is handed task 4 at 6 and starts it at 9: idle, but not placeable, from then on.
  const CaptureBuilder builder = CaptureBuilder()
                                     .Cores({"aic", "aic"})
                                     .Row(1, 0, {0, 0, 5, 6})
                                     .Row(2, 0, {5, 5, 20, 21})
                                     .Row(3, 0, {10, 20, 22, 23})
                                     .Row(4, 1, {6, 9, 20, 21})
                                     .Edge(1, 3);
  EXPECT_EQ(Headline(builder), "aic 4 aiv - all 4 has 4 union 4");
  EXPECT_EQ(Placeable(builder), "aic 1 aiv - all 1 has 1 union 1");
}

TEST(SweepTest, RunningCoreIsNeverPlaceableEvenWhenDispatchWasStampedLate) {
  const CaptureBuilder builder = CaptureBuilder()
                                     .Cores({"aic", "aiv"})
                                     .Row(1, 1, {0, 0, 2, 3})
                                     .Row(2, 0, {5, 1, 8, 9})
                                     .Row(3, 0, {8, 9, 10, 11})
                                     .Edge(1, 3);
  EXPECT_EQ(Placeable(builder), "aic 0 aiv 0 all 0 has 0 union 0");
}

TEST(SweepTest, UnsubmittedIsTheWaitingThatEndsWithASubmission) {
  const auto unsubmitted = [](const CaptureBuilder& builder) {
    return SweepOf(builder).unsubmitted;
  };
  EXPECT_EQ(unsubmitted(TwoProducersOneConsumer().OrchSubmit(0, 0, 3, 9, 11)), 1000);
  EXPECT_EQ(unsubmitted(TwoProducersOneConsumer().OrchSubmit(0, 0, 3, 9, 14)), 2000);
  EXPECT_EQ(unsubmitted(TwoProducersOneConsumer().OrchSubmit(0, 0, 3, 9, 10)), 0);
  // The first of two submissions counts; a task without one is not late.
  EXPECT_EQ(
      unsubmitted(TwoProducersOneConsumer().OrchSubmit(0, 0, 3, 9, 14).OrchSubmit(0, 1, 3, 9, 11)),
      1000);
  EXPECT_EQ(unsubmitted(TwoProducersOneConsumer().OrchSubmit(0, 0, 1, 0, 0.5)), 0);
}

TEST(SweepTest, UnsubmittedLooksOnlyAtEnginesInOverhead) {
  // AIV has a submitted task waiting, but no free core: AIC's unsubmitted task still decides.
  const auto builder = [] {
    return CaptureBuilder()
        .Cores({"aic", "aiv"})
        .Row(1, 0, {0, 0, 5, 6})
        .Row(2, 0, {9, 9, 15, 16})
        .Row(3, 1, {0, 0, 15, 15.5})
        .Row(4, 1, {12, 15, 18, 19})
        .Edge(1, 2)
        .Edge(1, 4)
        .OrchSubmit(0, 1, 4, 0, 1);
  };
  EXPECT_EQ(SweepOf(builder().OrchSubmit(0, 0, 2, 7, 8)).unsubmitted, 3000);
}

TEST(SweepTest, UnsubmittedIsAbsentWhereSubmissionsAreUnknown) {
  EXPECT_EQ(SweepOf(TwoProducersOneConsumer()).unsubmitted, std::nullopt);
  EXPECT_EQ(SweepOf(TwoProducersOneConsumer().Level(3).OrchSubmit(0, 0, 3, 9, 11)).unsubmitted,
            std::nullopt);
  EXPECT_EQ(SweepOf(TwoProducersOneConsumer().HostSubmit(0, 0, 3, 9, 11)).unsubmitted,
            std::nullopt);
}

TEST(SweepTest, RowsWithoutStampsRunAndProduceButNeverWait) {
  CaptureBuilder builder;
  builder.Cores({"aic", "aic"});
  builder.Row(1, 0, {.start = 0, .end = 10});
  builder.Row(2, 1, {12, 13, 15, 16});
  builder.Row(3, 0, {.start = 14, .end = 20});
  builder.Edge(1, 2).Edge(1, 3);
  EXPECT_EQ(Headline(builder), "aic 2 aiv - all 2 has 2 union 2");
}

}  // namespace
}  // namespace simpler::overhead
