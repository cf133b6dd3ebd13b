#include "analysis/overhead/stamp_health.h"

#include "gtest/gtest.h"
#include "tests/support/capture_builder.h"
#include "tests/support/prepared_run.h"

namespace simpler::overhead {
namespace {

using support::CaptureBuilder;
using support::PreparedRun;

TEST(StampHealthTest, ConsistentRunHasNothingToReport) {
  const PreparedRun run(
      CaptureBuilder().Cores({"aic"}).Row(1, 0, {0, 0, 5, 5}).Row(2, 0, {5, 5, 6, 7}).Edge(1, 2));
  const StampHealth health = MeasureHealth(run.inputs);
  EXPECT_EQ(health.rows, 2u);
  EXPECT_EQ(health.rows_with_scheduler, 2u);
  EXPECT_EQ(health.dispatch_after_start, 0u);
  EXPECT_EQ(health.finish_before_end, 0u);
  EXPECT_EQ(health.overlapping_rows, 0u);
  EXPECT_EQ(health.edges_checked, 1u);
  EXPECT_EQ(health.edges_violated, 0u);
}

TEST(StampHealthTest, CountsEveryContradiction) {
  CaptureBuilder builder;
  builder.Cores({"aic", "aic"})
      .Row(1, 0, {1, 0, 5, 4})  // dispatched after the start, finished before the end
      .Row(2, 0, {3, 4, 6, 7})  // while task 1 runs
      .Row(3, 1, {0, 3, 8, 9})  // before task 1 ended
      .Row(4, 1, {.start = 9, .end = 10})
      .Edge(1, 3)
      .Edge(1, 4)
      .Edge(3, 3)
      .Edge(8, 4);
  const PreparedRun run(builder);
  const StampHealth health = MeasureHealth(run.inputs);
  EXPECT_EQ(health.rows, 4u);
  EXPECT_EQ(health.rows_with_scheduler, 3u);
  EXPECT_EQ(health.dispatch_after_start, 1u);
  EXPECT_EQ(health.finish_before_end, 1u);
  EXPECT_EQ(health.overlapping_rows, 1u);
  EXPECT_EQ(health.edges_checked, 2u);
  EXPECT_EQ(health.edges_violated, 1u);
}

}  // namespace
}  // namespace simpler::overhead
