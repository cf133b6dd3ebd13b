#include "analysis/timeline/node_bars.h"

#include <cstdint>
#include <memory>

#include "analysis/timeline/anchors.h"
#include "analysis/timeline/model.h"
#include "gtest/gtest.h"
#include "tests/support/capture_builder.h"
#include "tests/support/traced_run.h"

namespace simpler::timeline {
namespace {

// Task 1 has one row and task 2 a row on each engine; node 3 left no row.
support::CaptureBuilder ThreeNodes() {
  support::CaptureBuilder builder;
  builder.Cores({"aic", "aiv"})
      .Row(1, 0, {.dispatch = 0, .start = 1, .end = 10, .finish = 12})
      .Row(2, 0, {.dispatch = 13, .start = 20, .end = 31, .finish = 33})
      .Row(2, 1, {.dispatch = 14, .start = 21, .end = 30, .finish = 32})
      .Node(1, {0, -1, -1})
      .Node(2, {0, 1, -1})
      .Node(3, {-1, -1, -1})
      .Edge(1, 2)
      .Edge(2, 3);
  return builder;
}

class NodeBarsTest : public ::testing::TestWithParam<TaskView> {
 protected:
  static bool KeepsAll(Anchor) { return true; }

  const support::TracedRun run_{ThreeNodes()};
  const TimelineInputs inputs_ = run_.inputs();
  const TimelineOptions options_ = PerfettoDefaults();
  const std::unique_ptr<const Model> model_ = *Model::Build(inputs_, options_, SubLanes::kPerRow);
};

TEST_P(NodeBarsTest, KnowsTheOnlyBarOfATask) {
  const NodeBars bars(*model_, GetParam(), KeepsAll);
  const Anchor anchor{false, 0};
  const NodeBars::Bar* bar = bars.Find(run_.graph().Find(1));
  ASSERT_NE(bar, nullptr);
  EXPECT_EQ(bar->start, StartOf(*model_, anchor, GetParam()).value);
  EXPECT_EQ(bar->end(), EndOf(*model_, anchor, GetParam()).value);
  EXPECT_EQ(bar->number, NumberOf(*model_, anchor, GetParam()));
}

TEST_P(NodeBarsTest, SaysNothingOfSeveralBarsOrNone) {
  const NodeBars bars(*model_, GetParam(), KeepsAll);
  EXPECT_EQ(bars.Find(run_.graph().Find(2)), nullptr);
  EXPECT_EQ(bars.Find(run_.graph().Find(3)), nullptr);
}

TEST_P(NodeBarsTest, SaysNothingOfABarThatIsLeftOut) {
  const NodeBars bars(*model_, GetParam(), [](Anchor) { return false; });
  EXPECT_EQ(bars.Find(run_.graph().Find(1)), nullptr);
}

INSTANTIATE_TEST_SUITE_P(Views, NodeBarsTest,
                         ::testing::Values(TaskView::kWorker, TaskView::kScheduler));

}  // namespace
}  // namespace simpler::timeline
