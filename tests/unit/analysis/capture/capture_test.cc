#include "analysis/capture/capture.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "tests/support/capture_builder.h"

namespace simpler::capture {
namespace {

using support::CaptureBuilder;

TEST(Capture, CaseA6CoresOutsideTheTableAreVectorCores) {
  const Capture capture = CaptureBuilder().Cores({"aic", "none"}).BuildCapture();
  EXPECT_EQ(capture.metadata.TypeOf(0), CoreType::kAic);
  EXPECT_EQ(capture.metadata.TypeOf(1), CoreType::kNone);
  EXPECT_EQ(capture.metadata.TypeOf(7), CoreType::kAiv);
}

TEST(Capture, TheThreadOfACoreIsUnknownOutsideTheTable) {
  const Capture bare = CaptureBuilder().BuildCapture();
  EXPECT_EQ(bare.metadata.ThreadOf(0), -1);
  const Capture capture = CaptureBuilder().CoreToThread({2, -1}).BuildCapture();
  EXPECT_EQ(capture.metadata.ThreadOf(0), 2);
  EXPECT_EQ(capture.metadata.ThreadOf(1), -1);
  EXPECT_EQ(capture.metadata.ThreadOf(2), -1);
}

TEST(Capture, CountsRowsOverAllBlocks) {
  CaptureBuilder builder;
  builder.Cores({"aiv"}).BlockSize(2);
  for (uint64_t task = 0; task < 5; ++task) builder.Row(task, 0, {.start = 1, .end = 2});
  builder.SchedulerRow(0, 0, 0, 1);
  for (int i = 0; i < 3; ++i) builder.Phase(1, PhaseKind::kDispatch, i, i + 1);
  const Capture capture = builder.BuildCapture();
  EXPECT_EQ(capture.runs[0].aicore_tasks.size(), 3u);
  EXPECT_EQ(capture.runs[0].aicore_row_count(), 5u);
  EXPECT_EQ(capture.runs[0].scheduler_row_count(), 1u);
  ASSERT_EQ(capture.runs[0].scheduler_streams.size(), 2u);
  EXPECT_FALSE(capture.runs[0].scheduler_streams[0].recorded);
  EXPECT_EQ(capture.runs[0].scheduler_streams[1].size(), 3u);
}

TEST(Capture, ForEachPhaseVisitsRecordsInEmissionOrder) {
  CaptureBuilder builder;
  for (const double start : {5.0, 1.0, 3.0}) builder.Phase(0, PhaseKind::kComplete, start, 6);
  const Capture capture = builder.BuildCapture();
  std::vector<DeviceCycles> starts;
  ForEachPhase(
      capture.runs[0].scheduler_streams[0],
      [&](const SchedulerPhaseBlock& block, size_t row) { starts.push_back(block.start[row]); });
  EXPECT_EQ(starts, (std::vector{builder.Stamp(5), builder.Stamp(1), builder.Stamp(3)}));
}

TEST(EarliestStamp, LooksAtEveryDeviceStream) {
  CaptureBuilder builder;
  builder.Cores({"aiv"});
  EXPECT_EQ(EarliestStamp(builder.BuildCapture().runs[0]).value, 0);
  const auto earliest = [&] { return EarliestStamp(builder.BuildCapture().runs[0]); };
  builder.Row(1, 0, {.start = 60, .end = 70});
  EXPECT_EQ(earliest(), builder.Stamp(60));
  builder.Row(2, 0, {.start = 71, .end = 80, .receive = 59});
  EXPECT_EQ(earliest(), builder.Stamp(59));
  builder.SchedulerRow(0, 77, 50, 51);  // matched by no row
  EXPECT_EQ(earliest(), builder.Stamp(50));
  builder.Phase(0, PhaseKind::kIdle, 40, 41);
  EXPECT_EQ(earliest(), builder.Stamp(40));
  builder.OrchSubmit(0, 0, 1, 30, 31);
  EXPECT_EQ(earliest(), builder.Stamp(30));
  builder.Lifecycle(0, {{LifecycleStamp::kHandshakeStart, 20}});
  EXPECT_EQ(earliest(), builder.Stamp(20));
}

TEST(EarliestStamp, IgnoresZeroWhichWritersUseForUnset) {
  CaptureBuilder builder(1'000'000'000, 0);
  builder.Cores({"aiv"}).SchedulerRow(0, 0, 0, 9).Row(1, 0, {.start = 5, .end = 6});
  EXPECT_EQ(EarliestStamp(builder.BuildCapture().runs[0]), builder.Stamp(5));
}

TEST(HostOrchestration, IsKnownFromMetadataOrRecords) {
  const auto is_host = [](CaptureBuilder builder) {
    const Capture capture = builder.BuildCapture();
    return IsHostOrchestrated(capture, capture.runs[0]);
  };
  EXPECT_FALSE(is_host(CaptureBuilder()));
  CaptureBuilder by_metadata;
  by_metadata.metadata().host_capture = HostCaptureStatus{};
  EXPECT_TRUE(is_host(by_metadata));
  EXPECT_TRUE(is_host(CaptureBuilder().HostSubmit(0, 0, 1, 500, 900)));
}

TEST(Names, PhaseKindsRoundTripThroughTheirSpelling) {
  std::set<std::string> spellings;
  for (int i = 0; i <= static_cast<int>(PhaseKind::kUnknown); ++i) {
    const auto kind = static_cast<PhaseKind>(i);
    EXPECT_EQ(ParsePhaseKind(PhaseKindName(kind)), kind);
    spellings.insert(PhaseKindName(kind));
  }
  EXPECT_EQ(spellings.size(), static_cast<size_t>(PhaseKind::kUnknown) + 1);
}

TEST(Names, LegacyPhaseSpellingsAreMapped) {
  EXPECT_EQ(ParsePhaseKind("fanout"), PhaseKind::kResolve);
  EXPECT_EQ(ParsePhaseKind("prestage"), PhaseKind::kEarlyDispatch);
  EXPECT_EQ(ParsePhaseKind("no such phase"), PhaseKind::kUnknown);
}

TEST(Names, EveryEnumeratorHasOne) {
  EXPECT_STREQ(CoreTypeName(CoreType::kAic), "aic");
  EXPECT_STREQ(CoreTypeName(CoreType::kAiv), "aiv");
  EXPECT_STREQ(CoreTypeName(CoreType::kNone), "none");
  EXPECT_STREQ(ProducerName(Producer::kAicpu), "aicpu");
  EXPECT_STREQ(ProducerName(Producer::kAicore), "aicore");
  EXPECT_STREQ(OrchestratorPhaseKindName(OrchestratorPhaseKind::kSubmit), "orch_submit");
  EXPECT_STREQ(OrchestratorPhaseKindName(OrchestratorPhaseKind::kFanin), "orch_fanin");
  EXPECT_STREQ(LifecycleStampName(LifecycleStamp::kHandshakeStart), "handshake_start");
  EXPECT_STREQ(LifecycleStampName(LifecycleStamp::kExitWaitEnd), "exit_wait_end");
  EXPECT_STREQ(LifecycleStampName(LifecycleStamp::kExitAck), "exit_ack");
}

}  // namespace
}  // namespace simpler::capture
