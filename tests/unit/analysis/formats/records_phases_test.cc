// Phases of schedulers and orchestrators, and lifecycle intervals, as the records reader takes
// them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "analysis/capture/capture.h"
#include "tests/unit/analysis/formats/records_document.h"

namespace simpler::formats {
namespace {

using capture::Capture;
using capture::DeviceCycles;
using capture::Generation;
using capture::LifecycleStamp;
using capture::PhaseKind;
using capture::Producer;
using capture::QueueDepths;
using capture::SchedulerPhaseBlock;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr const char* kPhase =
    R"({"start_cycles": 10, "end_cycles": 20, "loop_iter": 1, "kind": "dispatch", )"
    R"("tasks_processed": 2, "task_id": null})";

TEST(RecordsPhases, CaseA08ArchivedPhases) {
  const Capture capture = Read(
      RecordsDocument(3)
          .Set("metadata", R"({"clock_freq_hz": 50000000, "core_types": ["aic", "aiv"],
                               "core_to_thread": [0, -1]})")
          .AicoreTasks("[[0, 4, 9, 1050, 1300, 0]]")
          .Set("aicpu_tasks", "[[0, 9, 1010, 1350]]")
          .Set("aicpu_scheduler_phases",
               R"([[{"kind": "dispatch", "start_cycles": 900, "end_cycles": 1000, "pop_hit": 3}],
                   []])"));
  EXPECT_EQ(capture.generation, Generation::kG2);
  EXPECT_EQ(capture.task_producer, Producer::kAicpu);
  ASSERT_EQ(capture.runs[0].scheduler_streams.size(), 2u);
  const SchedulerPhaseBlock& block = OnlyBlock(capture.runs[0].scheduler_streams[0]);
  ASSERT_EQ(block.size(), 1u);
  EXPECT_EQ(block.start[0], EarliestStamp(capture.runs[0]));
  EXPECT_DOUBLE_EQ(capture.scale().Micros(block.end[0] - block.start[0]), 2);
  EXPECT_EQ(block.kind[0], PhaseKind::kDispatch);
  EXPECT_TRUE(block.Has(0, SchedulerPhaseBlock::kPops));
  EXPECT_EQ(block.pop_hit[0], 3u);
  EXPECT_FALSE(block.Has(0, SchedulerPhaseBlock::kLoopIter));
  EXPECT_EQ(capture.runs[0].scheduler_streams[1].size(), 0u);
  EXPECT_EQ(capture.metadata.ThreadOf(0), 0);
  EXPECT_EQ(capture.metadata.ThreadOf(1), -1);
}

constexpr const char* kDeviceLane =
    R"([[{"submit_idx": 0, "task_id": 4, "start_cycles": 900, "end_cycles": 910}]])";
constexpr const char* kHostLane =
    R"([[{"submit_idx": 0, "task_id": 4, "start_host_ns": 500, "end_host_ns": 900}]])";

TEST(RecordsPhases, CaseA09MixedOrchestratorDomains) {
  constexpr const char* kFragment =
      "both AICPU and host orchestrator phases are present; clock-domain source is ambiguous";
  RecordsDocument document(4);
  document.Set("aicpu_orchestrator_phases", kDeviceLane);
  EXPECT_TRUE(document.Read().ok());
  RecordsDocument by_metadata = document;
  by_metadata.Set("metadata", R"({"clock_freq_hz": 1, "orchestrator_source": "host"})");
  EXPECT_THAT(Refusal(by_metadata), HasSubstr(kFragment));
  RecordsDocument by_records = document;
  by_records.Set("host_orchestrator_phases", kHostLane);
  EXPECT_THAT(Refusal(by_records), HasSubstr(kFragment));
  RecordsDocument by_status = document;
  by_status.Set("metadata", R"({"clock_freq_hz": 1, "host_capture": {"status": "complete"}})");
  EXPECT_THAT(Refusal(by_status), HasSubstr(kFragment));
}

TEST(RecordsPhases, CaseA14PhaseRecordsHaveFixedKeys) {
  const std::string message = Refusal(
      RecordsDocument(3).SchedulerRecords("[" + StreamJson("0", R"([{"kind": "idle"}])") + "]"));
  EXPECT_THAT(message, HasSubstr("scheduler stream 0 record 0 must contain exactly ["));
  EXPECT_THAT(Refusal(RecordsDocument(3).SchedulerRecords(
                  "[" + StreamJson("0", R"([{"start_cycles": 1, "end_cycles": 2, "loop_iter": 1,
                                       "kind": "idle", "tasks_processed": 0, "task_id": null,
                                       "more": 1}])") +
                  "]")),
              HasSubstr("must contain exactly ["));
}

TEST(RecordsPhases, CaseA15MetricsMayNotOverwriteRecords) {
  const auto refusal = [](const char* metrics) {
    return Refusal(RecordsDocument(3).SchedulerRecords(
        "[" + StreamJson("0", std::string("[") + kPhase + "]", metrics) + "]"));
  };
  EXPECT_THAT(refusal(R"([{"record_index": 0, "start_cycles": 30}])"),
              HasSubstr("metric overwrites fixed record fields: [start_cycles]"));
  EXPECT_THAT(refusal(R"([{"record_index": 1}])"),
              HasSubstr("metric record_index 1 is out of range"));
  EXPECT_THAT(refusal(R"([{"pop_hit": 1}])"), HasSubstr("has malformed metrics"));
  EXPECT_THAT(refusal(R"([{"record_index": 0, "run_epoch": 1}])"),
              HasSubstr("metric overwrites fixed record fields: [run_epoch]"));
}

TEST(RecordsPhases, CaseA16MetricsJoinTheirRecordAndUnknownOnesAreKept) {
  const Capture capture = Read(RecordsDocument(3).SchedulerRecords(
      "[" +
      StreamJson("0", std::string("[") + kPhase + ", " + kPhase + "]",
                 R"([{"record_index": 0, "claim_retries": 2, "shared_at_end": [4, 5, 6]}])") +
      "]"));
  const SchedulerPhaseBlock& block = OnlyBlock(capture.runs[0].scheduler_streams[0]);
  ASSERT_EQ(block.extra.size(), 1u);
  EXPECT_EQ(block.extra[0].row, 0u);
  EXPECT_EQ(block.extra[0].key, "claim_retries");
  EXPECT_EQ(block.extra[0].json, "2");
  EXPECT_TRUE(block.Has(0, SchedulerPhaseBlock::kDepthsAtEnd));
  EXPECT_EQ(block.depths_at_end[0], (QueueDepths{4, 5, 6}));
  EXPECT_FALSE(block.Has(0, SchedulerPhaseBlock::kDepthsAtStart));
  EXPECT_FALSE(block.Has(1, SchedulerPhaseBlock::kTaskId));
  EXPECT_FALSE(block.Has(1, SchedulerPhaseBlock::kDepthsAtEnd));
}

TEST(RecordsPhases, MetricsMayComeBeforeTheirRecords) {
  const Capture capture = Read(RecordsDocument(3).SchedulerRecords(
      R"([{"metrics": [{"record_index": 0, "pop_hit": 3, "pop_miss": 1}], "records": [)" +
      std::string(kPhase) + R"(], "producer": "aicpu", "scheduler_id": 0}])"));
  const SchedulerPhaseBlock& block = OnlyBlock(capture.runs[0].scheduler_streams[0]);
  EXPECT_EQ(block.pop_hit[0], 3u);
  EXPECT_EQ(block.pop_miss[0], 1u);
}

TEST(RecordsPhases, CaseA17StreamsStandAtTheirSchedulerId) {
  const std::string records = std::string("[") + kPhase + "]";
  std::string streams =
      StreamJson("3", records) + ", " + StreamJson("1", records) + ", " + StreamJson("2", records);
  while (streams.find("\"aicpu\", \"scheduler_id\"") != std::string::npos) {
    streams.replace(streams.find("\"aicpu\", \"scheduler_id\""), 7, "\"aicore\"");
  }
  const Capture capture = Read(RecordsDocument(3).SchedulerRecords("[" + streams + "]"));
  const auto& placed = capture.runs[0].scheduler_streams;
  ASSERT_EQ(placed.size(), 4u);
  EXPECT_FALSE(placed[0].recorded);
  EXPECT_EQ(placed[0].size(), 0u);
  for (size_t i = 0; i < placed.size(); ++i) {
    EXPECT_EQ(placed[i].scheduler_id, static_cast<int>(i));
    EXPECT_EQ(placed[i].producer, Producer::kAicore);
  }
  EXPECT_EQ(placed[3].size(), 1u);
  EXPECT_THAT(capture.warnings, IsEmpty());
}

TEST(RecordsPhases, CaseA18RepeatedSchedulerIdsKeepFileOrder) {
  const std::string one = std::string("[") + kPhase + "]";
  const std::string two = std::string("[") + kPhase + ", " + kPhase + "]";
  for (const char* second_id : {"0", "-1", "256", "true", "null"}) {
    const Capture capture = Read(RecordsDocument(3).SchedulerRecords(
        "[" + StreamJson("0", one) + ", " + StreamJson(second_id, two) + "]"));
    const auto& streams = capture.runs[0].scheduler_streams;
    ASSERT_EQ(streams.size(), 2u) << second_id;
    EXPECT_EQ(streams[0].size(), 1u);
    EXPECT_EQ(streams[1].size(), 2u);
    EXPECT_THAT(WarningCodes(capture), ElementsAre("unplaced_streams"));
  }
}

TEST(RecordsPhases, CaseA21LifecycleStampsCountForTimeZero) {
  const Capture capture =
      Read(RecordsDocument(1)
               .Set("metadata", R"({"clock_freq_hz": 1000000000, "core_types": ["aic"]})")
               .AicoreTasks("[[0, 4, 9, 120, 180, 10]]")
               .Set("aicpu_lifecycle_records",
                    R"([{"aicpu_thread_id": 0, "register_release_start_cycles": 90,
                    "register_release_end_cycles": 91}])"));
  EXPECT_EQ(EarliestStamp(capture.runs[0]).value, 90);
  ASSERT_EQ(capture.runs[0].lifecycle.size(), 1u);
  const auto& record = capture.runs[0].lifecycle[0];
  EXPECT_EQ(record.thread_id, 0);
  EXPECT_DOUBLE_EQ(capture.scale().Micros(*record.at(LifecycleStamp::kRegisterReleaseEnd) -
                                          *record.at(LifecycleStamp::kRegisterReleaseStart)),
                   .001);
}

TEST(RecordsPhases, CaseA22UnrecordedLifecycleStampsAreAbsent) {
  const Capture capture =
      Read(RecordsDocument(2).Set("aicpu_lifecycle_records",
                                  R"([{"aicpu_thread_id": 1, "handshake_start_cycles": 100,
                                  "handshake_complete_cycles": 200, "config_start_cycles": 0,
                                  "exit_wait_end_cycles": 300, "worker": 3}])"));
  const auto& record = capture.runs[0].lifecycle.at(0);
  EXPECT_EQ(record.at(LifecycleStamp::kHandshakeStart), DeviceCycles{100});
  EXPECT_EQ(record.at(LifecycleStamp::kHandshakeComplete), DeviceCycles{200});
  EXPECT_FALSE(record.at(LifecycleStamp::kConfigStart));
  EXPECT_FALSE(record.at(LifecycleStamp::kTopologyComplete));
  EXPECT_FALSE(record.at(LifecycleStamp::kExitWaitStart));
  EXPECT_EQ(record.at(LifecycleStamp::kExitWaitEnd), DeviceCycles{300});
  EXPECT_THAT(WarningCodes(capture), ElementsAre("ignored_field"));
}

TEST(RecordsPhases, LifecycleMustBeAnArrayOfObjects) {
  constexpr const char* kFragment = "aicpu_lifecycle_records must be an array of objects";
  EXPECT_THAT(Refusal(RecordsDocument(2).Set("aicpu_lifecycle_records", "{}")),
              HasSubstr(kFragment));
  EXPECT_THAT(Refusal(RecordsDocument(2).Set("aicpu_lifecycle_records", "[1]")),
              HasSubstr(kFragment));
}

TEST(RecordsPhases, CaseA23HostOrchestrationKeepsItsOwnClock) {
  const Capture capture =
      Read(RecordsDocument(4)
               .Set("metadata", R"({"clock_freq_hz": 50000000, "core_types": ["aic"],
                                    "host_capture": {"recorded_records": 2}})")
               .AicoreTasks("[[0, 4, 9, 1050, 1300, 0]]")
               .SchedulerTasks("[[0, 9, 1000, 1350]]")
               .Set("host_orchestrator_phases", kHostLane));
  EXPECT_TRUE(IsHostOrchestrated(capture, capture.runs[0]));
  EXPECT_EQ(EarliestStamp(capture.runs[0]).value, 1000);
  const auto& submit = capture.runs[0].host_submit_lanes.at(0).at(0);
  EXPECT_EQ(submit.start.value, 500);
  EXPECT_EQ(submit.end.value, 900);
  EXPECT_EQ(submit.submit_idx, 0u);
  EXPECT_EQ(submit.task_id, 4u);
  ASSERT_TRUE(capture.metadata.host_capture);
  EXPECT_EQ(capture.metadata.host_capture->recorded_records, 2);
  EXPECT_FALSE(capture.metadata.host_capture->expected_records);
  EXPECT_EQ(capture.metadata.host_capture->status, "unknown");
}

TEST(RecordsPhases, CaseA24HostRecordsMayNotPrecedeTheirOrigin) {
  EXPECT_THAT(Refusal(RecordsDocument(4)
                          .Set("metadata", R"({"clock_freq_hz": 50000000,
                                               "host_orchestration_origin_ns": 600})")
                          .Set("host_orchestrator_phases", kHostLane)),
              HasSubstr("invalid host orchestrator phase: origin=600, start=500, end=900"));
  EXPECT_THAT(Refusal(RecordsDocument(4).Set(
                  "host_device_uploads",
                  R"([{"phase": "h2d", "start_host_ns": 9, "end_host_ns": 8, "detail": 1}])")),
              HasSubstr("invalid host device upload: origin=9, start=9, end=8"));
}

TEST(RecordsPhases, CaseA25HostCaptureStatusIsCarried) {
  const Capture capture = Read(RecordsDocument(4).Set(
      "metadata", R"({"clock_freq_hz": 50000000, "orchestrator_source": "host",
                      "host_capture": {"status": "complete", "expected_records": 2,
                                       "recorded_records": 2, "pool_records": 339,
                                       "dropped_records": 0, "error": null}})"));
  const auto& host = *capture.metadata.host_capture;
  EXPECT_EQ(host.status, "complete");
  EXPECT_EQ(host.expected_records, 2);
  EXPECT_EQ(host.recorded_records, 2);
  EXPECT_EQ(host.pool_records, 339);
  EXPECT_EQ(host.dropped_records, 0);
  EXPECT_FALSE(host.error);
  EXPECT_TRUE(capture.metadata.host_orchestrated);
  EXPECT_THAT(capture.warnings, IsEmpty());
}

TEST(RecordsPhases, EmptyStreamsAndLanesAreLegal) {
  const Capture capture = Read(RecordsDocument(4)
                                   .SchedulerTasks("[]")
                                   .SchedulerRecords("[" + StreamJson("0", "[]") + "]")
                                   .Set("aicpu_orchestrator_phases", "[[]]")
                                   .Set("aicpu_lifecycle_records", "[]"));
  EXPECT_TRUE(capture.runs[0].has_scheduler_tasks);
  EXPECT_EQ(capture.runs[0].scheduler_streams.at(0).size(), 0u);
  EXPECT_EQ(capture.runs[0].orchestrator_lanes.size(), 1u);
  EXPECT_THAT(capture.warnings, IsEmpty());
}

TEST(RecordsPhases, UnknownPhaseKindsAreKeptAndCounted) {
  const std::string unknown =
      R"({"start_cycles": 10, "end_cycles": 20, "loop_iter": 1, "kind": "teleport", )"
      R"("tasks_processed": 2, "task_id": 7})";
  const Capture capture = Read(RecordsDocument(3).SchedulerRecords(
      "[" + StreamJson("0", "[" + unknown + ", " + kPhase + ", " + unknown + "]") + "]"));
  const SchedulerPhaseBlock& block = OnlyBlock(capture.runs[0].scheduler_streams[0]);
  EXPECT_THAT(block.kind,
              ElementsAre(PhaseKind::kUnknown, PhaseKind::kDispatch, PhaseKind::kUnknown));
  ASSERT_EQ(block.unknown_kinds.size(), 2u);
  EXPECT_EQ(block.unknown_kinds[1].row, 2u);
  EXPECT_EQ(block.unknown_kinds[1].name, "teleport");
  ASSERT_EQ(capture.warnings.size(), 1u);
  EXPECT_EQ(capture.warnings[0].code, "unknown_phase_kind");
  EXPECT_EQ(capture.warnings[0].count, 2u);
  EXPECT_THAT(capture.warnings[0].text, HasSubstr("teleport (2)"));
}

TEST(RecordsPhases, LegacySpellingsOfKindsAreMapped) {
  const Capture capture = Read(RecordsDocument(3).Set(
      "aicpu_scheduler_phases", R"([[{"kind": "fanout", "start_cycles": 1, "end_cycles": 2},
                                     {"kind": "prestage", "start_cycles": 1, "end_cycles": 2},
                                     {"kind": "\u0069dle", "start_cycles": 1, "end_cycles": 2},
                                     {"start_cycles": 1, "end_cycles": 2}]])"));
  EXPECT_THAT(OnlyBlock(capture.runs[0].scheduler_streams[0]).kind,
              ElementsAre(PhaseKind::kResolve, PhaseKind::kEarlyDispatch, PhaseKind::kIdle,
                          PhaseKind::kUnknown));
}

TEST(RecordsPhases, DepthListsOfAnotherLengthAreKeptWithoutMeaning) {
  const Capture capture = Read(RecordsDocument(3).Set(
      "aicpu_scheduler_phases",
      R"([[{"kind": "complete", "start_cycles": 1, "end_cycles": 2, "shared_at_start": [1, 2],
            "shared_at_end": [1, 2, 3, 4]}]])"));
  const SchedulerPhaseBlock& block = OnlyBlock(capture.runs[0].scheduler_streams[0]);
  EXPECT_EQ(block.present[0], 0);
  ASSERT_EQ(block.extra.size(), 2u);
  EXPECT_EQ(block.extra[0].json, "[1,2]");
  EXPECT_EQ(block.extra[1].json, "[1,2,3,4]");
}

TEST(RecordsPhases, OldOrchestratorKindsAndUnknownOnes) {
  const Capture capture =
      Read(RecordsDocument(4).Set("aicpu_orchestrator_phases",
                                  R"([[{"start_cycles": 1, "end_cycles": 2, "kind": "orch_params"},
           {"start_cycles": 3, "end_cycles": 4, "phase": "orch_submit", "submit_idx": 1},
           {"start_cycles": 5, "end_cycles": 6, "kind": "orch_magic", "task_id": null}]])"));
  const auto& block = *capture.runs[0].orchestrator_lanes.at(0).at(0);
  EXPECT_THAT(block.kind, ElementsAre(capture::OrchestratorPhaseKind::kParams,
                                      capture::OrchestratorPhaseKind::kSubmit));
  EXPECT_THAT(WarningCodes(capture), ElementsAre("unknown_orchestrator_kind"));
}

}  // namespace
}  // namespace simpler::formats
