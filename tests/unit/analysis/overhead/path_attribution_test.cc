#include "analysis/overhead/path_attribution.h"

#include <vector>

#include "analysis/overhead/analyze_overhead.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/capture_builder.h"
#include "tests/support/prepared_run.h"

namespace simpler::overhead {
namespace {

using support::CaptureBuilder;
using support::PreparedRun;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

PathAttribution PathOf(const CaptureBuilder& builder) {
  const PreparedRun run(builder);
  return AnalyzeOverhead(run.inputs).path.value();
}

TEST(PathAttributionTest, CaseA60AttributesAChain) {
  const PathAttribution path = PathOf(CaptureBuilder()
                                          .Cores({"aic"})
                                          .Row(1, 0, {0, 2, 6, 6})
                                          .Row(2, 0, {8, 9, 14, 14})
                                          .Row(3, 0, {15, 17, 20, 22})
                                          .Edge(1, 2)
                                          .Edge(2, 3));
  EXPECT_EQ(path.hops(), 2u);
  EXPECT_EQ(path.compute, 12'000);
  EXPECT_EQ(path.scheduler, 8'000);
  EXPECT_EQ(path.span, 22'000);
  EXPECT_EQ(path.other, 2'000);
  EXPECT_THAT(path.tasks, ElementsAre(0, 1, 2));
}

TEST(PathAttributionTest, CaseA61LargerIdWinsAmongProducersThatEndTogether) {
  // Task 2 was dispatched earlier than task 1, so the choice shows in every figure.
  const PathAttribution path = PathOf(CaptureBuilder()
                                          .Cores({"aic", "aic"})
                                          .Row(1, 0, {0, 3, 6, 6})
                                          .Row(2, 1, {0, 1, 6, 6})
                                          .Row(3, 0, {8, 9, 20, 22})
                                          .Edge(2, 3)
                                          .Edge(1, 3));
  EXPECT_EQ(path.hops(), 1u);
  EXPECT_EQ(path.compute, 16'000);
  EXPECT_EQ(path.scheduler, 4'000);
  EXPECT_EQ(path.span, 22'000);
  EXPECT_THAT(path.tasks, ElementsAre(1, 2));
}

TEST(PathAttributionTest, CaseA62SpanBeginsWithTheDispatchOfTheRoot) {
  const PathAttribution path = PathOf(CaptureBuilder().Cores({"aic"}).Row(1, 0, {1, 4, 9, 11}));
  EXPECT_EQ(path.hops(), 0u);
  EXPECT_EQ(path.compute, 5'000);
  EXPECT_EQ(path.scheduler, 3'000);
  EXPECT_EQ(path.span, 10'000);
  EXPECT_EQ(path.other, 2'000);
}

TEST(PathAttributionTest, CaseA63CyclicGraphIsAnErrorThatNamesItsTasks) {
  const CaptureBuilder builder = CaptureBuilder()
                                     .Cores({"aic"})
                                     .Row(1, 0, {0, 2, 6, 6})
                                     .Row(2, 0, {8, 9, 14, 14})
                                     .Edge(1, 2)
                                     .Edge(2, 1);
  const capture::Capture capture = builder.BuildCapture();
  const capture::DependencyGraph graph = builder.BuildGraph();
  const auto rows = capture::JoinedRun::Join(capture, 0);
  ASSERT_TRUE(rows.ok());
  const auto report = AnalyzeOverhead(*rows, &graph);
  ASSERT_FALSE(report.ok());
  EXPECT_THAT(std::string(report.status().message()), HasSubstr("t1 (1) -> t2 (2) -> t1 (1)"));
}

TEST(PathAttributionTest, LastFinishWithSmallerIdBeginsTheWalk) {
  const PathAttribution path = PathOf(
      CaptureBuilder().Cores({"aic", "aic"}).Row(4, 0, {0, 2, 9, 20}).Row(3, 1, {0, 2, 6, 20}));
  EXPECT_THAT(path.tasks, ElementsAre(0));
  EXPECT_EQ(path.compute, 4'000);
}

TEST(PathAttributionTest, OverlapOfProducerAndConsumerIsNotNegativeTime) {
  const PathAttribution path = PathOf(CaptureBuilder()
                                          .Cores({"aic", "aic"})
                                          .Row(1, 0, {0, 0, 10, 10})
                                          .Row(2, 1, {5, 6, 12, 12})
                                          .Edge(1, 2));
  EXPECT_EQ(path.compute, 16'000);
  EXPECT_EQ(path.scheduler, 0);
  EXPECT_EQ(path.span, 12'000);
  EXPECT_EQ(path.other, 0);
}

}  // namespace
}  // namespace simpler::overhead
