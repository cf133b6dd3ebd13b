#include "analysis/overhead/function_stats.h"

#include "gtest/gtest.h"
#include "tests/support/prepared_run.h"

namespace simpler::overhead {
namespace {

using support::CaptureBuilder;
using support::PreparedRun;

FunctionTable Summarise(const PreparedRun& run) {
  return SummariseFunctions(run.rows, run.inputs.tasks, &run.graph,
                            &run.inputs.dependencies->nodes);
}

class FunctionStatsTest : public testing::Test {
 protected:
  double Mean(const SpanSum& sum) const { return sum.MeanMicros(scale_); }

  CaptureBuilder builder_;  // 1 GHz
  capture::CycleScale scale_{1'000'000'000};
};

TEST_F(FunctionStatsTest, A117MeansPerFunctionAndTotals) {
  builder_.Level(3).Cores({"aic"});
  builder_.Row(5, 0, {.dispatch = 1, .start = 2, .end = 6, .finish = 7, .receive = 1.5});
  builder_.Row(6, 0, {.dispatch = 6, .start = 8, .end = 11, .finish = 13, .receive = 7.5});
  builder_.Row(9, 0, {.dispatch = 0, .start = 1, .end = 2, .finish = 3, .receive = 0.5});
  builder_.Node(5, {2, -1, -1}).Node(6, {2, -1, -1});
  const FunctionTable table = Summarise(PreparedRun(builder_));

  ASSERT_EQ(table.functions.size(), 2u);
  const FunctionStats& unknown = table.functions[0];
  EXPECT_EQ(unknown.func_id, -1);
  EXPECT_EQ(unknown.count, 1u);
  EXPECT_DOUBLE_EQ(Mean(unknown.exec), 1.0);
  EXPECT_DOUBLE_EQ(Mean(unknown.latency), 3.0);
  EXPECT_NEAR(ExecPercent(unknown).value(), 33.3, 0.05);
  EXPECT_DOUBLE_EQ(Mean(unknown.head), 1.0);
  EXPECT_DOUBLE_EQ(Mean(unknown.tail), 1.0);
  EXPECT_DOUBLE_EQ(Mean(unknown.local), 0.5);

  const FunctionStats& two = table.functions[1];
  EXPECT_EQ(two.func_id, 2);
  EXPECT_EQ(two.count, 2u);
  EXPECT_DOUBLE_EQ(Mean(two.exec), 3.5);
  EXPECT_DOUBLE_EQ(Mean(two.latency), 6.5);
  EXPECT_NEAR(ExecPercent(two).value(), 53.8, 0.05);
  EXPECT_DOUBLE_EQ(Mean(two.head), 1.5);
  EXPECT_DOUBLE_EQ(Mean(two.tail), 1.5);
  EXPECT_DOUBLE_EQ(Mean(two.propagation), 1.0);
  EXPECT_DOUBLE_EQ(Mean(two.local), 0.5);

  EXPECT_EQ(table.total.count, 3u);
  EXPECT_DOUBLE_EQ(scale_.Micros(table.total.exec.total), 8.0);
  EXPECT_DOUBLE_EQ(scale_.Micros(table.total.latency.total), 16.0);
  EXPECT_DOUBLE_EQ(ExecPercent(table.total).value(), 50.0);
  EXPECT_DOUBLE_EQ(scale_.Micros(table.scheduled_span.value()), 13.0);
}

TEST_F(FunctionStatsTest, A118LevelOneHasOnlyExecutionAndLocalSetup) {
  builder_.Level(1).Cores({"aic"}).Row(5, 0, {.start = 1, .end = 6, .receive = 0.5});
  const FunctionTable table = Summarise(PreparedRun(builder_));
  ASSERT_EQ(table.functions.size(), 1u);
  const FunctionStats& stats = table.functions[0];
  EXPECT_DOUBLE_EQ(Mean(stats.exec), 5.0);
  EXPECT_DOUBLE_EQ(Mean(stats.local), 0.5);
  EXPECT_FALSE(stats.latency.present());
  EXPECT_FALSE(stats.head.present());
  EXPECT_FALSE(stats.tail.present());
  EXPECT_FALSE(stats.propagation.present());
  EXPECT_FALSE(ExecPercent(stats).has_value());
  EXPECT_FALSE(table.scheduled_span.has_value());
  EXPECT_DOUBLE_EQ(scale_.Micros(table.aicore_span.value()), 5.5);
}

TEST_F(FunctionStatsTest, MixHalvesBelongToTheirOwnFunctions) {
  builder_.Cores({"aic", "aiv"});
  builder_.Row(1, 0, {.dispatch = 0, .start = 1, .end = 3, .finish = 4});
  builder_.Row(1, 1, {.dispatch = 0, .start = 1, .end = 5, .finish = 6});
  builder_.Node(1, {7, 8, -1});
  const FunctionTable table = Summarise(PreparedRun(builder_));
  ASSERT_EQ(table.functions.size(), 2u);
  EXPECT_EQ(table.functions[0].func_id, 7);
  EXPECT_DOUBLE_EQ(Mean(table.functions[0].exec), 2.0);
  EXPECT_EQ(table.functions[1].func_id, 8);
  EXPECT_DOUBLE_EQ(Mean(table.functions[1].exec), 4.0);
}

TEST_F(FunctionStatsTest, SpansOfSkewedClocksAreNotClamped) {
  builder_.Cores({"aic"}).Row(1, 0, {.dispatch = 3, .start = 2, .end = 6, .finish = 5});
  const FunctionTable table = Summarise(PreparedRun(builder_));
  EXPECT_DOUBLE_EQ(Mean(table.functions[0].head), -1.0);
  EXPECT_DOUBLE_EQ(Mean(table.functions[0].tail), -1.0);
}

TEST_F(FunctionStatsTest, WithoutGraphEveryRowBelongsToTheUnknownFunction) {
  builder_.Cores({"aic"}).Row(1, 0, {.start = 2, .end = 6}).Node(1, {4, -1, -1});
  const PreparedRun run(builder_);
  const FunctionTable table = SummariseFunctions(run.rows, run.inputs.tasks, nullptr, nullptr);
  ASSERT_EQ(table.functions.size(), 1u);
  EXPECT_EQ(table.functions[0].func_id, -1);
}

TEST_F(FunctionStatsTest, EmptyRunHasNoFunctionsAndNoSpans) {
  const FunctionTable table = Summarise(PreparedRun(builder_));
  EXPECT_TRUE(table.functions.empty());
  EXPECT_EQ(table.total.count, 0u);
  EXPECT_FALSE(table.aicore_span.has_value());
}

}  // namespace
}  // namespace simpler::overhead
