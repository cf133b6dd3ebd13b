#include "analysis/formats/records_writer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <sstream>
#include <string>

#include "analysis/formats/records_reader.h"
#include "fmt/format.h"
#include "tests/support/capture_builder.h"
#include "tests/support/capture_dump.h"
#include "tests/support/test_data.h"
#include "tests/unit/analysis/formats/records_document.h"

namespace simpler::formats {
namespace {

using capture::Capture;
using capture::LifecycleStamp;
using capture::PhaseKind;
using capture::Producer;
using support::CaptureBuilder;
using support::DumpCapture;
using testing::HasSubstr;
using testing::Not;

Capture Parse(const std::string& text) {
  absl::StatusOr<Capture> capture = ParseRecords(JsonFile::FromText(text, "test.json"));
  EXPECT_TRUE(capture.ok()) << capture.status() << "\n" << text;
  return capture.ok() ? *std::move(capture) : Capture();
}

// Writing and reading again changes nothing, and neither does writing once more.
void ExpectRoundTrip(const Capture& capture) {
  const std::string text = WriteRecords(capture);
  const Capture again = Parse(text);
  EXPECT_EQ(DumpCapture(again), DumpCapture(capture));
  EXPECT_EQ(WriteRecords(again), text);
}

// The layout to the byte: indentation, blanks and order of keys.
constexpr const char* kExample = R"({
  "chip_swimlane_level": 4,
  "metadata": {
    "clock_freq_hz": 50000000,
    "num_cores": 3,
    "core_types": ["aic", "aiv", "aiv"],
    "core_to_thread": [0, 0, 0]
  },
  "aicore_tasks": [
    [0, 4294967296, 1, 1000100, 1000600, 15],
    [1, 4294967297, 1, 1000710, 1000900, 14]
  ],
  "scheduler_tasks": {
    "schema_version": 1,
    "producer": "aicpu",
    "records": [
    [0, 1, 1000060, 1000640],
    [1, 1, 1000670, 1000930]
    ]
  },
  "scheduler_records": {
    "schema_version": 1,
    "streams": [
      {"platform": "a2a3", "runtime": "tensormap_and_ringbuffer", "producer": "aicpu", "scheduler_id": 0, "worker_id": 0, "core_type": "aicpu", "physical_core_id": null, "capture": {"committed": 3, "dropped": 0, "truncated": false}, "records": [
        {"start_cycles": 1000040, "end_cycles": 1000065, "loop_iter": 7, "kind": "dispatch", "tasks_processed": 1, "task_id": null},
        {"start_cycles": 1000645, "end_cycles": 1000645, "loop_iter": 31, "kind": "dummy_task", "tasks_processed": 1, "task_id": 4294967298},
        {"start_cycles": 1000640, "end_cycles": 1000660, "loop_iter": 31, "kind": "complete", "tasks_processed": 1, "task_id": null}
      ], "metrics": [
        {"record_index": 0, "pop_hit": 1, "pop_miss": 4, "shared_at_start": [1,0,0], "shared_at_end": [0,0,0]},
        {"record_index": 1, "shared_at_start": [0,0,0], "shared_at_end": [0,0,0]},
        {"record_index": 2, "shared_at_start": [0,0,0], "shared_at_end": [0,1,0]}
      ]}
    ]
  },
  "aicpu_orchestrator_phases": [
    [
      {"submit_idx": 0, "task_id": 4294967296, "start_cycles": 1000000, "end_cycles": 1000030},
      {"submit_idx": 1, "task_id": 4294967297, "start_cycles": 1000035, "end_cycles": 1000050}
    ]
  ]
}
)";

TEST(RecordsWriter, ReproducesTheExampleToTheByte) {
  EXPECT_EQ(WriteRecords(Parse(kExample)), kExample);
}

// What the example does not show, in its style.
constexpr const char* kHostExample = R"({
  "chip_swimlane_level": 4,
  "metadata": {
    "clock_freq_hz": 50000000,
    "core_types": ["aic", null],
    "orchestrator_source": "host",
    "orchestrator_clock_domain": "host_monotonic_ns",
    "host_orchestration_origin_ns": 500,
    "timeline_relation": "host_orchestration_precedes_device",
    "host_capture": {"status": "dropped", "expected_records": 4, "recorded_records": null, "pool_records": 14, "dropped_records": 1, "error": "pool_overflow"},
    "host_clock_domain_id": "linux-boot-id:\"x\"",
    "host_timeline_origin_ns": 400,
    "clock_anchors": {"samples": []},
    "runtime": "host_build_graph",
    "note": [ 1, 2.50 ]
  },
  "aicore_tasks": [
    [0, 1, 1, 100, 200, 15, 7]
  ],
  "scheduler_tasks": {
    "schema_version": 1,
    "producer": "aicore",
    "records": [
    [0, 1, 60, 300, 7]
    ]
  },
  "scheduler_records": {
    "schema_version": 1,
    "streams": [
      {"platform": "a5", "producer": "aicore", "scheduler_id": 0, "worker_id": 34, "core_type": "aiv", "physical_core_id": 26, "capture": {"committed": 1, "dropped": 2, "truncated": true}, "records": [
        {"start_cycles": 1, "end_cycles": 2, "loop_iter": 0, "kind": "new_kind", "tasks_processed": 0, "task_id": 9, "run_epoch": 7}
      ], "metrics": [
        {"record_index": 0, "claim_retries": 2}
      ]},
      {"producer": "aicore", "scheduler_id": 2, "worker_id": 2, "core_type": "aiv", "physical_core_id": null, "records": [], "metrics": []}
    ]
  },
  "host_orchestrator_phases": [
    [
      {"submit_idx": 0, "task_id": 0, "start_host_ns": 500, "end_host_ns": 900},
      {"start_host_ns": 900, "end_host_ns": 900}
    ],
    []
  ],
  "host_device_uploads": [
    {"phase": "arena_h2d", "start_host_ns": 500, "end_host_ns": 900, "detail": 3840}
  ],
  "aicpu_lifecycle_records": [
    {"aicpu_thread_id": 0, "handshake_start_cycles": 5, "handshake_complete_cycles": 6, "config_start_cycles": 0, "topology_complete_cycles": 0, "context_publish_start_cycles": 0, "context_publish_complete_cycles": 0, "bootstrap_wait_start_cycles": 0, "bootstrap_complete_cycles": 0, "register_release_start_cycles": 0, "register_release_end_cycles": 0, "exit_signal_start_cycles": 0, "exit_signal_end_cycles": 0, "exit_wait_start_cycles": 0, "exit_wait_end_cycles": 0, "exit_ack_cycles": 8, "run_epoch": 7}
  ],
  "extension": {"a": [1]}
}
)";

TEST(RecordsWriter, WritesEveryOtherSectionInTheSameStyle) {
  const Capture capture = Parse(kHostExample);
  std::string expected = kHostExample;
  // Host records had no epoch; with one run they belong to it and say so when written.
  const auto add_epoch = [&](const std::string& record) {
    expected.insert(expected.find(record) + record.size() - 1, ", \"run_epoch\": 7");
  };
  add_epoch(R"({"submit_idx": 0, "task_id": 0, "start_host_ns": 500, "end_host_ns": 900})");
  add_epoch(R"({"start_host_ns": 900, "end_host_ns": 900})");
  add_epoch(R"({"phase": "arena_h2d", "start_host_ns": 500, "end_host_ns": 900, "detail": 3840})");
  EXPECT_EQ(WriteRecords(capture), expected);
  ExpectRoundTrip(capture);
}

TEST(RecordsWriter, EmptyListsStandOnOneLine) {
  const std::string text =
      WriteRecords(Parse(RecordsDocument(3).SchedulerTasks("[]").SchedulerRecords("[]").Text()));
  EXPECT_THAT(text, HasSubstr("\"aicore_tasks\": [],\n"));
  EXPECT_THAT(text, HasSubstr("    \"records\": []\n  },\n"));
  EXPECT_THAT(text, HasSubstr("    \"streams\": []\n  }\n}\n"));
}

TEST(RecordsWriter, FieldsCarriedThroughKeepTheirOrder) {
  const Capture capture =
      Parse(RecordsDocument(1)
                .Set("metadata", R"({"zeta": 1, "core_to_thread": [0], "timeline_relation": 2,
                               "clock_freq_hz": 5, "alpha": {"b": 1, "a": [ ]}})")
                .Set("second", "2")
                .Set("first", "\"\\u00e4\"")
                .Text());
  ExpectRoundTrip(capture);
  EXPECT_THAT(WriteRecords(capture), HasSubstr("\"second\": 2,\n  \"first\": \"\\u00e4\"\n}\n"));
}

TEST(RecordsWriter, LevelOneHasNoSchedulerSections) {
  const std::string text =
      WriteRecords(Parse(RecordsDocument(1).AicoreTasks("[[0, 1, 2, 3, 4]]").Text()));
  EXPECT_THAT(text, HasSubstr("    [0, 1, 2, 3, 4]\n"));
  EXPECT_THAT(text, Not(HasSubstr("scheduler_")));
}

TEST(RecordsWriter, ArchivedCapturesBecomeCurrentOnes) {
  for (const char* name :
       {"spmd_multiblock_mix_L4", "host_build_graph_vector_example_L4", "long_dummy_chain_L4",
        "paged_attention_CaseVarSeq4_L4", "vector_example_L1"}) {
    const absl::StatusOr<Capture> archived = ReadRecords(
        support::TestDataPath(std::string("captures/") + name + "/chip_swimlane_records.json"));
    ASSERT_TRUE(archived.ok()) << archived.status();
    EXPECT_EQ(archived->generation, capture::Generation::kG2);
    EXPECT_EQ(Parse(WriteRecords(*archived)).generation, capture::Generation::kG3);
    ExpectRoundTrip(*archived);
  }
}

TEST(RecordsWriter, CurrentCapturesStayAsTheyAre) {
  for (const char* name :
       {"spmd_multiblock_mix_L4", "host_build_graph_vector_example_L4", "long_dummy_chain_L4"}) {
    const absl::StatusOr<Capture> capture = ReadRecords(support::TestDataPath(
        std::string("captures/") + name + "/current_layout/chip_swimlane_records.json"));
    ASSERT_TRUE(capture.ok()) << capture.status();
    ExpectRoundTrip(*capture);
  }
}

CaptureBuilder SeveralRuns() {
  CaptureBuilder builder;
  builder.Cores({"aic", "aiv", "none"}).CoreToThread({0, 1, -1}).Runtime("host_build_graph");
  builder.TaskProducer(Producer::kAicore);
  for (const int64_t epoch : {3, 8}) {
    builder.NextRun(epoch)
        .Stream(2, Producer::kAicore, {.worker_id = 7, .core_type = "aiv", .physical_core_id = 5})
        .Row(1, 0, {.dispatch = 1, .start = 2, .end = 3, .finish = 4, .receive = 1.5})
        .Row(2, 1, {.dispatch = 1, .start = 2, .end = 5, .finish = 6, .receive = 1.9})
        .Row(UINT64_MAX, 1, {.dispatch = 6, .start = 7, .end = 8, .finish = 9, .receive = 7})
        .SchedulerRow(0, 99, 5, 6)
        .Phase(0, PhaseKind::kDispatch, 1, 2, {.loop = 4, .tasks = 1, .pops = {{1, 2}}})
        .Phase(0, PhaseKind::kComplete, 3, 4, {.depths_at_end = {{1, 2, 3}}})
        .Phase(2, PhaseKind::kResolve, 3, 4, {.task_id = UINT64_MAX})
        .OrchSubmit(1, 5, 77, 0, 1)
        .Lifecycle(1, {{LifecycleStamp::kHandshakeStart, 1}, {LifecycleStamp::kExitAck, 2}});
  }
  return builder;
}

TEST(RecordsWriter, SeveralRunsOfSmallBlocks) {
  const Capture capture = SeveralRuns().BuildCapture();
  ASSERT_EQ(capture.runs.size(), 2u);
  ExpectRoundTrip(capture);
  EXPECT_THAT(WriteRecords(capture), HasSubstr("\"run_epoch\": 8}"));
}

TEST(RecordsWriter, BothFormsWriteTheSameDocument) {
  const Capture capture = SeveralRuns().BuildCapture();
  std::ostringstream out;
  EXPECT_TRUE(WriteRecords(capture, out).ok());
  EXPECT_EQ(out.str(), WriteRecords(capture));
}

TEST(RecordsWriter, AFailingStreamIsAnError) {
  std::ostringstream out;
  out.setstate(std::ios::badbit);
  EXPECT_EQ(WriteRecords(Capture(), out).code(), absl::StatusCode::kDataLoss);
}

TEST(RecordsWriter, ManyBlocksOfOneStreamKeepTheirMetrics) {
  std::string rows;
  std::string records;
  std::string metrics;
  constexpr int kRecords = 70'000;  // more than one block
  for (int i = 0; i < kRecords; ++i) {
    const char* separator = i == 0 ? "" : ",";
    rows += fmt::format("{}[0,{},{},{},{},0]", separator, i, i, 10 + i, 11 + i);
    records += fmt::format(
        "{}{{\"start_cycles\":{},\"end_cycles\":{},\"loop_iter\":{},\"kind\":\"dispatch\","
        "\"tasks_processed\":1,\"task_id\":null}}",
        separator, i, i, i);
    metrics += fmt::format("{}{{\"record_index\":{},\"pop_hit\":{},\"pop_miss\":0}}", separator,
                           kRecords - 1 - i, kRecords - 1 - i);
  }
  const Capture capture = Parse(
      RecordsDocument(3)
          .AicoreTasks("[" + rows + "]")
          .SchedulerRecords("[" + StreamJson("0", "[" + records + "]", "[" + metrics + "]") + "]")
          .Text());
  const auto& stream = capture.runs[0].scheduler_streams.at(0);
  EXPECT_EQ(stream.blocks.size(), 2u);
  EXPECT_EQ(capture.runs[0].aicore_tasks.size(), 2u);
  ForEachPhase(stream, [](const capture::SchedulerPhaseBlock& block, size_t row) {
    ASSERT_EQ(block.pop_hit[row], block.loop_iter[row]);
  });
  ExpectRoundTrip(capture);
}

}  // namespace
}  // namespace simpler::formats
