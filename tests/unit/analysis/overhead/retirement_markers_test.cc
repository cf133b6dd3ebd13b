#include "analysis/overhead/retirement_markers.h"

#include <optional>

#include "gtest/gtest.h"
#include "tests/support/capture_builder.h"
#include "tests/support/prepared_run.h"

namespace simpler::overhead {
namespace {

using capture::DeviceCycles;
using capture::PhaseKind;
using support::CaptureBuilder;
using support::PreparedRun;

DeviceCycles At(double micros) { return CaptureBuilder().Stamp(micros); }

// Task 7 precedes the only task that runs.
CaptureBuilder ProducerSeven() {
  return CaptureBuilder().Cores({"aic"}).Row(1, 0, {9, 9, 12, 13}).Edge(7, 1);
}

std::optional<DeviceCycles> MarkerOf(const CaptureBuilder& builder, uint64_t task) {
  const PreparedRun run(builder);
  return run.inputs.dependencies->markers.EndOf(run.graph.Find(task));
}

TEST(RetirementMarkersTest, DummyAndSkipRecordsRetireAtTheirLatestEnd) {
  EXPECT_EQ(MarkerOf(ProducerSeven()
                         .Node(7, {-1, -1, -1})
                         .Phase(0, PhaseKind::kDummyTask, 3, 4, {.task_id = 7})
                         .Phase(1, PhaseKind::kDummyTask, 2, 6, {.task_id = 7})
                         .Phase(1, PhaseKind::kDummyTask, 1, 2, {.task_id = 7}),
                     7),
            At(6));
  EXPECT_EQ(MarkerOf(ProducerSeven()
                         .Node(7, {4, -1, -1})
                         .Phase(0, PhaseKind::kPredicatedSkip, 3, 4, {.task_id = 7}),
                     7),
            At(4));
}

TEST(RetirementMarkersTest, AllocationRetiresWithItsSubmission) {
  EXPECT_EQ(MarkerOf(ProducerSeven().OrchSubmit(0, 0, 7, 2, 3), 7), At(3));
}

TEST(RetirementMarkersTest, SubmissionOfATaskWithKernelsRetiresNothing) {
  EXPECT_EQ(MarkerOf(ProducerSeven().Node(7, {4, -1, -1}).OrchSubmit(0, 0, 7, 2, 3), 7),
            std::nullopt);
  EXPECT_EQ(MarkerOf(ProducerSeven().Node(7, {-1, -1, -1}).OrchSubmit(0, 0, 7, 2, 3), 7),
            std::nullopt);
}

TEST(RetirementMarkersTest, DummyRecordOutweighsTheSubmission) {
  EXPECT_EQ(MarkerOf(ProducerSeven()
                         .OrchSubmit(0, 0, 7, 7, 8)
                         .Phase(0, PhaseKind::kDummyTask, 3, 4, {.task_id = 7}),
                     7),
            At(4));
}

TEST(RetirementMarkersTest, ExecutedTasksHaveNoMarker) {
  EXPECT_EQ(MarkerOf(ProducerSeven()
                         .OrchSubmit(0, 0, 1, 2, 3)
                         .Phase(0, PhaseKind::kDummyTask, 3, 4, {.task_id = 1}),
                     1),
            std::nullopt);
}

TEST(RetirementMarkersTest, RecordsWithoutIdOrOfUnknownTasksAreIgnored) {
  const PreparedRun run(ProducerSeven()
                            .Phase(0, PhaseKind::kDummyTask, 3, 4)
                            .Phase(0, PhaseKind::kDummyTask, 3, 4, {.task_id = 99})
                            .Phase(0, PhaseKind::kComplete, 3, 4, {.task_id = 7}));
  EXPECT_EQ(run.inputs.dependencies->markers.size(), 0u);
}

}  // namespace
}  // namespace simpler::overhead
