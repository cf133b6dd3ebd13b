#include "analysis/overhead/verdict.h"

#include <optional>
#include <string>

#include "analysis/overhead/blame.h"
#include "analysis/overhead/critical_path.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/capture_builder.h"
#include "tests/support/prepared_run.h"

namespace simpler::overhead {
namespace {

using capture::PhaseKind;
using support::CaptureBuilder;
using support::PreparedRun;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::SizeIs;

Verdict VerdictOf(const CaptureBuilder& builder) {
  const PreparedRun run(builder);
  const OverheadReport report = AnalyzeOverhead(run.inputs);
  const Quality quality = AssessQuality(run.inputs, report);
  const auto path = FindCriticalPath(run.inputs);
  std::optional<Blame> blame;
  if (const auto found = BlameObservedPath(run.inputs, path->observed); found.ok()) blame = *found;
  return ReachVerdict({.inputs = &run.inputs,
                       .report = &report,
                       .quality = &quality,
                       .path = &*path,
                       .blame = blame ? &*blame : nullptr,
                       .names = &builder.names()});
}

Verdict VerdictWithoutGraph(const CaptureBuilder& builder) {
  const capture::Capture capture = builder.BuildCapture();
  const auto rows = capture::JoinedRun::Join(capture, 0);
  const OverheadInputs inputs = OverheadInputs::Prepare(rows.value(), nullptr).value();
  const OverheadReport report = AnalyzeOverhead(inputs);
  const Quality quality = AssessQuality(inputs, report);
  return ReachVerdict({.inputs = &inputs, .report = &report, .quality = &quality});
}

// Task 2 waits `waiting` of 100 µs for its dispatch.
CaptureBuilder Waiting(double waiting) {
  return CaptureBuilder()
      .Cores({"aic"})
      .Row(1, 0, {0, 0, 50, 50})
      .Row(2, 0, {50 + waiting, 50 + waiting, 100, 100})
      .Node(1, {4, -1, -1})
      .Node(2, {5, -1, -1})
      .Name(4, "matmul")
      .Edge(1, 2);
}

void ExpectVerdict(const Verdict& verdict, VerdictClass expected,
                   std::optional<VerdictBlame> blame) {
  EXPECT_STREQ(VerdictClassName(verdict.verdict), VerdictClassName(expected));
  EXPECT_EQ(verdict.blame, blame);
  EXPECT_THAT(verdict.sentences, SizeIs(3));
}

TEST(VerdictTest, ThresholdsAreExact) {
  ExpectVerdict(VerdictOf(Waiting(25)), VerdictClass::kSchedulerBound, VerdictBlame::kScheduler);
  ExpectVerdict(VerdictOf(Waiting(24.999)), VerdictClass::kPartiallySchedulerLimited,
                VerdictBlame::kScheduler);
  ExpectVerdict(VerdictOf(Waiting(8)), VerdictClass::kPartiallySchedulerLimited,
                VerdictBlame::kScheduler);
  ExpectVerdict(VerdictOf(Waiting(7.999)), VerdictClass::kComputeOrDependencyBound,
                VerdictBlame::kDependencies);
}

TEST(VerdictTest, HostIsBlamedForMoreThanHalfOfTheWaiting) {
  const auto submitted_after = [](double late) {
    return Waiting(20).OrchSubmit(0, 0, 2, 40, 50 + late);
  };
  ExpectVerdict(VerdictOf(submitted_after(10.001)), VerdictClass::kPartiallySchedulerLimited,
                VerdictBlame::kHost);
  ExpectVerdict(VerdictOf(submitted_after(10)), VerdictClass::kPartiallySchedulerLimited,
                VerdictBlame::kScheduler);
  ExpectVerdict(VerdictOf(Waiting(4).OrchSubmit(0, 0, 2, 40, 60)),
                VerdictClass::kComputeOrDependencyBound, VerdictBlame::kHost);
}

TEST(VerdictTest, SchedulerSentencesNameEngineThreadAndPhase) {
  const Verdict verdict = VerdictOf(Waiting(30)
                                        .CoreToThread({3})
                                        .Phase(3, PhaseKind::kDispatch, 0, 60)
                                        .Phase(3, PhaseKind::kComplete, 80, 100));
  EXPECT_THAT(verdict.sentences[0], AllOf(HasSubstr("scheduler is the bottleneck"),
                                          HasSubstr("30.0 % of the 100.0 us makespan")));
  EXPECT_THAT(verdict.sentences[1],
              AllOf(HasSubstr("beside ready work for AIC 30.0 %;"),
                    HasSubstr("executes 70.0 us (70.0 %)"), HasSubstr("cost it 30.0 us (30.0 %)")));
  EXPECT_THAT(verdict.sentences[2],
              AllOf(HasSubstr("dispatch to AIC (30.0 % overhead)"),
                    HasSubstr("dispatch_latency, 30.0 us (30.0 %)"),
                    HasSubstr("thread is 3, working 80.0 % of its 100.0 us"),
                    HasSubstr("largest phase is dispatch (60.0 us over all threads)")));
}

TEST(VerdictTest, WithoutPhasesTheThirdSentenceSaysHowToGetThem) {
  EXPECT_THAT(VerdictOf(Waiting(30)).sentences[2], HasSubstr("capture at level 3"));
}

TEST(VerdictTest, DependencySentencesNameTheHeaviestFunction) {
  const Verdict verdict = VerdictOf(Waiting(2));
  EXPECT_THAT(verdict.sentences[0], HasSubstr("not the scheduler"));
  EXPECT_THAT(verdict.sentences[2],
              AllOf(HasSubstr("matmul, which executes 50.0 us (50.0 %)"),
                    HasSubstr("kernels alone takes 98.0 us (98.0 %) in 2 tasks")));
}

TEST(VerdictTest, HostSentencesPointAtTheOrchestrator) {
  const Verdict verdict = VerdictOf(Waiting(20).OrchSubmit(0, 0, 2, 40, 65));
  EXPECT_THAT(verdict.sentences[0], AllOf(HasSubstr("submission"), HasSubstr("15.0 %")));
  EXPECT_THAT(verdict.sentences[2],
              AllOf(HasSubstr("orchestrator"), HasSubstr("15.0 us of the 20.0 us")));
}

TEST(VerdictTest, HeadlineThatCannotBePlacedIsNotClaimed) {
  // Task 3 waits for 30 of 100 µs, but a dummy between it and its producer retires only then.
  const Verdict verdict = VerdictOf(Waiting(30)
                                        .Node(7, {-1, -1, -1})
                                        .Edge(7, 2)
                                        .Phase(0, PhaseKind::kDummyTask, 79, 80, {.task_id = 7})
                                        .Phase(0, PhaseKind::kDummy, 79, 80));
  ExpectVerdict(verdict, VerdictClass::kSchedulerBound, VerdictBlame::kScheduler);
  EXPECT_THAT(verdict.sentences[0], AllOf(HasSubstr("headline blames the scheduler for 30.0 %"),
                                          HasSubstr("only 0.0 %")));
  EXPECT_THAT(verdict.sentences[1], HasSubstr("AIC 30.0 % (placeable: AIC 0.0 %)"));
  EXPECT_THAT(verdict.sentences[2], HasSubstr("matmul, which executes"));
}

TEST(VerdictTest, StarvingEngineBesideASaturatedOneIsMentioned) {
  const Verdict verdict = VerdictOf(CaptureBuilder()
                                        .Cores({"aic", "aiv"})
                                        .Row(1, 0, {0, 0, 50, 50})
                                        .Row(2, 0, {90, 90, 100, 100})
                                        .Row(3, 1, {0, 0, 95, 95})
                                        .Row(4, 1, {95, 95, 100, 100})
                                        .Edge(1, 2)
                                        .Edge(1, 4));
  ExpectVerdict(verdict, VerdictClass::kComputeOrDependencyBound, VerdictBlame::kDependencies);
  EXPECT_THAT(
      verdict.sentences[0],
      HasSubstr("in only 0.0 % of it did every engine with ready work also have a free core, "
                "but in 40.0 % one engine starved"));
}

TEST(VerdictTest, PathThatMostlyStallsPointsAtItsStalls) {
  const Verdict verdict = VerdictOf(CaptureBuilder()
                                        .Cores({"aic"})
                                        .Row(1, 0, {0, 0, 10, 10})
                                        .Row(2, 0, {90, 90, 100, 100})
                                        .Edge(1, 1)
                                        .Edge(2, 2));
  ExpectVerdict(verdict, VerdictClass::kComputeOrDependencyBound, VerdictBlame::kDependencies);
  EXPECT_THAT(verdict.sentences[2], HasSubstr("waits for, most of it front, 80.0 us (80.0 %)"));
}

TEST(VerdictTest, Level1IsUnknownAndClaimsNothingAboutTheScheduler) {
  CaptureBuilder builder;
  builder.Level(1)
      .Cores({"aic"})
      .Row(1, 0, {.start = 0, .end = 5})
      .Row(2, 0, {.start = 8, .end = 10});
  builder.Edge(1, 2);
  const Verdict verdict = VerdictOf(builder);
  ExpectVerdict(verdict, VerdictClass::kUnknown, std::nullopt);
  EXPECT_THAT(verdict.sentences[0],
              HasSubstr("unknown: no dispatch stamps were recorded (level 1)"));
  EXPECT_THAT(verdict.sentences[1],
              AllOf(HasSubstr("2 tasks took 10.0 us; 1 AIC core executed 70.0 %"),
                    HasSubstr("stalls 3.0 us (30.0 %)"), Not(HasSubstr("latency"))));
  EXPECT_THAT(verdict.sentences[2], HasSubstr("level 2"));
}

TEST(VerdictTest, WithoutGraphItIsUnknown) {
  const Verdict verdict = VerdictWithoutGraph(Waiting(30));
  ExpectVerdict(verdict, VerdictClass::kUnknown, std::nullopt);
  EXPECT_THAT(verdict.sentences[0], HasSubstr("no dependency graph"));
  EXPECT_THAT(verdict.sentences[2], HasSubstr("deps.json"));
}

TEST(VerdictTest, WithTheGraphOfAnotherCaseItIsUnknown) {
  const Verdict verdict = VerdictOf(CaptureBuilder()
                                        .Cores({"aic"})
                                        .Row(1, 0, {0, 0, 50, 50})
                                        .Row(2, 0, {80, 80, 100, 100})
                                        .Row(3, 0, {101, 101, 102, 103})
                                        .Edge(900, 901)
                                        .Edge(900, 1));
  ExpectVerdict(verdict, VerdictClass::kUnknown, std::nullopt);
  EXPECT_THAT(verdict.sentences[0], HasSubstr("only 33 % of the tasks"));
}

TEST(VerdictTest, EmptyRunsAndWindowsAreUnknown) {
  ExpectVerdict(VerdictOf(CaptureBuilder().Cores({"aic"})), VerdictClass::kUnknown, std::nullopt);
  ExpectVerdict(VerdictOf(CaptureBuilder().Cores({"aic"}).Row(1, 0, {0, 1, 1, 2}).Edge(1, 1)),
                VerdictClass::kUnknown, std::nullopt);
}

TEST(VerdictTest, LossesAreCalledInvalidFirst) {
  const Verdict verdict = VerdictOf(Waiting(30).SchedulerRow(0, 900, 1, 2));
  EXPECT_THAT(verdict.sentences[0],
              testing::StartsWith("INVALID capture (1 dispatched row without"));
}

}  // namespace
}  // namespace simpler::overhead
