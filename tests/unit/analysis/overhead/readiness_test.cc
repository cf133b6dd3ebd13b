#include "analysis/overhead/readiness.h"

#include "gtest/gtest.h"
#include "tests/support/capture_builder.h"
#include "tests/support/prepared_run.h"

namespace simpler::overhead {
namespace {

using capture::DeviceCycles;
using support::CaptureBuilder;
using support::PreparedRun;

DeviceCycles At(double micros) { return CaptureBuilder().Stamp(micros); }

// Task 3, dispatched at 12, beside producers 1 (ends at 10) and 2 (ends at 6).
CaptureBuilder ThreeTasks() {
  return CaptureBuilder()
      .Cores({"aic", "aiv"})
      .Row(1, 0, {0, 1, 10, 11})
      .Row(2, 1, {0, 1, 6, 7})
      .Row(3, 1, {12, 13, 20, 21});
}

TEST(ReadinessTest, LatestProducerDecides) {
  const PreparedRun run(ThreeTasks().Edge(2, 3).Edge(1, 3));
  EXPECT_EQ(run.inputs.dependencies->headline.ready[2], At(10));
  EXPECT_TRUE(run.inputs.dependencies->headline.from_producers[2]);
}

TEST(ReadinessTest, WithoutKnownProducerATaskIsReadyAtItsDispatch) {
  const PreparedRun run(ThreeTasks().Edge(77, 3).Edge(2, 2));
  for (const Readiness* readiness :
       {&run.inputs.dependencies->headline, &run.inputs.dependencies->refined}) {
    EXPECT_EQ(readiness->ready[0], At(0));
    EXPECT_EQ(readiness->ready[1], At(0));
    EXPECT_EQ(readiness->ready[2], At(12));
    EXPECT_FALSE(readiness->from_producers[2]);
  }
}

TEST(ReadinessTest, TaskWithoutStampsAndProducersIsReadyAtItsStart) {
  CaptureBuilder builder;
  builder.Cores({"aic"}).Row(1, 0, {.start = 4, .end = 5});
  const PreparedRun run(builder);
  EXPECT_EQ(run.inputs.dependencies->headline.ready[0], At(4));
}

TEST(ReadinessTest, EveryRowOfAProducerMustEnd) {
  const PreparedRun run(ThreeTasks().Row(1, 1, {0, 1, 11, 11.5}).Edge(1, 3));
  EXPECT_EQ(run.inputs.dependencies->headline.ready[2], At(11));
}

TEST(ReadinessTest, RefinedCountsMarkersBesideRows) {
  const PreparedRun run(ThreeTasks()
                            .Node(7, {-1, -1, -1})
                            .Phase(0, capture::PhaseKind::kDummyTask, 8, 10.5, {.task_id = 7})
                            .Edge(2, 3)
                            .Edge(7, 3));
  EXPECT_EQ(run.inputs.dependencies->headline.ready[2], At(6));
  EXPECT_EQ(run.inputs.dependencies->refined.ready[2], At(10.5));
}

}  // namespace
}  // namespace simpler::overhead
