#include <random>
#include <string>

#include "analysis/overhead/critical_path.h"
#include "gtest/gtest.h"
#include "tests/support/prepared_run.h"
#include "tests/unit/analysis/overhead/literal_path.h"
#include "tests/unit/analysis/overhead/random_run.h"

namespace simpler::overhead {
namespace {

constexpr int kRuns = 10'000;

void ExpectStaticPath(const LiteralPath& expected, const CriticalPath& path) {
  EXPECT_EQ(path.kept_edges, expected.kept_edges());
  EXPECT_EQ(path.static_path.length, expected.StaticLength());
  capture::CycleSpan sum = 0;
  for (size_t i = 0; i < path.static_path.tasks.size(); ++i) {
    sum += path.static_path.tasks[i].compute;
    if (i == 0) continue;
    EXPECT_TRUE(expected.IsKept(path.static_path.tasks[i - 1].id, path.static_path.tasks[i].id));
  }
  EXPECT_EQ(sum, path.static_path.length);
}

void ExpectObservedPath(const LiteralPath& expected, const ObservedPath& path) {
  const std::vector<LiteralStep> steps = expected.Observed();
  ASSERT_EQ(path.tasks.size(), steps.size());
  capture::CycleSpan by_cause = 0;
  for (size_t i = 0; i < steps.size(); ++i) {
    EXPECT_EQ(path.tasks[i].id, steps[i].task.id);
    EXPECT_EQ(StallCauseName(path.tasks[i].cause.value()), steps[i].cause);
    EXPECT_EQ(path.tasks[i].stall, std::max(0, steps[i].task.start - steps[i].gap_begin));
  }
  for (capture::CycleSpan span : path.by_cause) by_cause += span;
  EXPECT_EQ(by_cause, path.stall);
  EXPECT_EQ(path.makespan, expected.window_end() - expected.window_begin());
  EXPECT_EQ(path.compute + path.stall, path.makespan);
}

TEST(CriticalPathBruteForceTest, AgreesWithTheLiteralDefinition) {
  std::mt19937 random(20240817);
  for (int i = 0; i < kRuns && !testing::Test::HasFailure(); ++i) {
    SCOPED_TRACE("run " + std::to_string(i));
    const RandomRun run = MakeRandomRun(random);
    const int tolerance = i % 4;
    const support::PreparedRun prepared(run.ToBuilder());
    const auto path = FindCriticalPath(prepared.inputs, {tolerance});
    ASSERT_TRUE(path.ok()) << path.status();
    const LiteralPath expected(run, tolerance);
    ExpectStaticPath(expected, *path);
    ExpectObservedPath(expected, path->observed);
  }
}

}  // namespace
}  // namespace simpler::overhead
