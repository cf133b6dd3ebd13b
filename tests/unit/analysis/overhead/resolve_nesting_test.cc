#include "analysis/overhead/resolve_nesting.h"

#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/capture_builder.h"

namespace simpler::overhead {
namespace {

using capture::PhaseKind;
using support::CaptureBuilder;
using ::testing::ElementsAre;

std::vector<bool> Nested(const CaptureBuilder& builder) {
  const capture::Capture capture = builder.BuildCapture();
  const capture::Run& run = capture.runs[0];
  return NestedResolves(run.scheduler_streams[0], MarksStandaloneResolves(run));
}

TEST(ResolveNestingTest, OldCapturesAreDecidedByContainment) {
  EXPECT_THAT(Nested(CaptureBuilder()
                         .Phase(0, PhaseKind::kResolve, 1, 2)
                         .Phase(0, PhaseKind::kResolve, 12, 20)
                         .Phase(0, PhaseKind::kComplete, 10, 30)
                         .Phase(0, PhaseKind::kResolve, 32, 40)
                         .Phase(0, PhaseKind::kDummy, 31, 40)),
              ElementsAre(false, true, false, false, false));
}

TEST(ResolveNestingTest, OnlyTheLastParentThatStartedCounts) {
  EXPECT_THAT(Nested(CaptureBuilder()
                         .Phase(0, PhaseKind::kComplete, 10, 30)
                         .Phase(0, PhaseKind::kDummy, 12, 14)
                         .Phase(0, PhaseKind::kResolve, 15, 20)),
              ElementsAre(false, false, false));
}

TEST(ResolveNestingTest, WithTheDiscriminatorEveryPlainResolveIsNested) {
  EXPECT_THAT(Nested(CaptureBuilder()
                         .Phase(0, PhaseKind::kComplete, 10, 30)
                         .Phase(0, PhaseKind::kResolve, 12, 30)
                         .Phase(1, PhaseKind::kResolveStandalone, 12, 30)),
              ElementsAre(false, true));
}

TEST(ResolveNestingTest, AicoreSchedulersHaveFlatLanes) {
  EXPECT_THAT(Nested(CaptureBuilder()
                         .Stream(0, capture::Producer::kAicore, {})
                         .Phase(0, PhaseKind::kComplete, 10, 30)
                         .Phase(0, PhaseKind::kResolve, 12, 20)),
              ElementsAre(false, false));
}

}  // namespace
}  // namespace simpler::overhead
