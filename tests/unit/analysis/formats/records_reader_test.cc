#include "analysis/formats/records_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "analysis/capture/joined_run.h"
#include "tests/support/capture_dump.h"
#include "tests/support/test_data.h"
#include "tests/unit/analysis/formats/records_document.h"

namespace simpler::formats {
namespace {

using capture::Capture;
using capture::CoreType;
using capture::DeviceCycles;
using capture::Generation;
using capture::JoinedRun;
using capture::PhaseKind;
using capture::SchedulerPhaseBlock;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr const char* kPhase =
    R"({"start_cycles": 10, "end_cycles": 20, "loop_iter": 1, "kind": "dispatch", )"
    R"("tasks_processed": 2, "task_id": null})";

// The rows of the first run with times in µs since its first stamp.
class Rows {
 public:
  explicit Rows(const Capture& capture)
      : base_(EarliestStamp(capture.runs.at(0))),
        scale_(capture.scale()),
        joined_(*JoinedRun::Join(capture, 0)) {}

  const JoinedRun& joined() const { return joined_; }
  DeviceCycles base() const { return base_; }
  double Start(size_t i) const { return Micros(joined_.start(i)); }
  double End(size_t i) const { return Micros(joined_.end(i)); }
  double Receive(size_t i) const { return Micros(joined_.receive(i)); }
  double Dispatch(size_t i) const { return Micros(joined_.dispatch(i)); }
  double Finish(size_t i) const { return Micros(joined_.finish(i)); }

 private:
  double Micros(DeviceCycles stamp) const { return scale_.Micros(stamp - base_); }

  DeviceCycles base_;
  capture::CycleScale scale_;
  JoinedRun joined_;
};

TEST(RecordsReader, CaseA01JoinsSortsAndCountsFromTheFirstStamp) {
  const Capture capture =
      Read(RecordsDocument(2)
               .AicoreTasks("[[1, 8589934597, 3, 1100, 1600, 25], [0, 4, 9, 1050, 1300, 0]]")
               .SchedulerTasks("[[1, 3, 1000, 1700], [0, 9, 1010, 1350]]"));
  const Rows rows(capture);
  EXPECT_EQ(rows.base().value, 1000);
  ASSERT_EQ(rows.joined().size(), 2u);
  EXPECT_EQ(rows.joined().task_id(0), 4u);
  EXPECT_EQ(rows.joined().type(0), CoreType::kAic);
  EXPECT_DOUBLE_EQ(rows.Dispatch(0), .2);
  EXPECT_DOUBLE_EQ(rows.Receive(0), 1);
  EXPECT_DOUBLE_EQ(rows.Start(0), 1);
  EXPECT_DOUBLE_EQ(rows.End(0), 6);
  EXPECT_DOUBLE_EQ(rows.Finish(0), 7);
  EXPECT_EQ(rows.joined().task_id(1), 8589934597u);
  EXPECT_EQ(rows.joined().type(1), CoreType::kAiv);
  EXPECT_DOUBLE_EQ(rows.Dispatch(1), 0);
  EXPECT_DOUBLE_EQ(rows.Receive(1), 1.5);
  EXPECT_DOUBLE_EQ(rows.Start(1), 2);
  EXPECT_DOUBLE_EQ(rows.End(1), 12);
  EXPECT_DOUBLE_EQ(rows.Finish(1), 14);
}

TEST(RecordsReader, CaseA02FiveColumnsHaveNoReceiveStamp) {
  const Capture capture = Read(RecordsDocument(2)
                                   .AicoreTasks("[[0, 4, 9, 1050, 1300]]")
                                   .SchedulerTasks("[[0, 9, 1010, 1350]]"));
  const Rows rows(capture);
  EXPECT_EQ(rows.base().value, 1010);
  EXPECT_FALSE(rows.joined().has_receive(0));
  EXPECT_DOUBLE_EQ(rows.Dispatch(0), 0);
  EXPECT_DOUBLE_EQ(rows.Start(0), .8);
  EXPECT_DOUBLE_EQ(rows.Receive(0), .8);
  EXPECT_DOUBLE_EQ(rows.End(0), 5.8);
  EXPECT_DOUBLE_EQ(rows.Finish(0), 6.8);
}

TEST(RecordsReader, CaseA03LevelOneHasNoSchedulerStamps) {
  const Capture capture = Read(RecordsDocument(1).AicoreTasks("[[0, 4, 9, 1050, 1300, 50]]"));
  const Rows rows(capture);
  EXPECT_DOUBLE_EQ(rows.Receive(0), 0);
  EXPECT_DOUBLE_EQ(rows.Start(0), 1);
  EXPECT_DOUBLE_EQ(rows.End(0), 6);
  EXPECT_FALSE(rows.joined().has_scheduler(0));
  EXPECT_EQ(rows.joined().report().aicore_rows_without_scheduler, 0u);
  EXPECT_FALSE(capture.runs[0].has_scheduler_tasks);
}

TEST(RecordsReader, CaseA04CountsSchedulerRowsWithoutKernelAndKeepsTheirStamps) {
  const Capture capture =
      Read(RecordsDocument(2)
               .AicoreTasks("[[0, 4, 9, 1050, 1300, 0]]")
               .SchedulerTasks("[[0, 9, 1010, 1350], [1, 1, 5, 6], [1, 2, 5, 7], [0, 10, 6, 8]]"));
  const Rows rows(capture);
  EXPECT_EQ(rows.joined().size(), 1u);
  EXPECT_EQ(rows.base().value, 5);
  EXPECT_EQ(rows.Start(0), 20.900000000000002);
  const capture::JoinReport& report = rows.joined().report();
  EXPECT_EQ(report.scheduler_rows_without_aicore, 3u);
  ASSERT_EQ(report.worst_scheduler_cores.size(), 2u);
  EXPECT_EQ(report.worst_scheduler_cores[0].core, 1);
  EXPECT_EQ(report.worst_scheduler_cores[0].count, 2u);
  EXPECT_EQ(report.worst_scheduler_cores[1].core, 0);
}

TEST(RecordsReader, CaseA05LevelAndFrequency) {
  EXPECT_THAT(Refusal(RecordsDocument(5)),
              HasSubstr("Unsupported chip_swimlane_level: 5 (expected 1, 2, 3, or 4)"));
  EXPECT_THAT(Refusal(RecordsDocument(0)), HasSubstr("Unsupported chip_swimlane_level: 0"));
  EXPECT_EQ(Read(RecordsDocument().Set("chip_swimlane_level", "\"2\"")).level, 2);
  EXPECT_THAT(Refusal(RecordsDocument().Set("chip_swimlane_level", "\"two\"")),
              HasSubstr("Unsupported chip_swimlane_level: \"two\""));
  EXPECT_THAT(Refusal(RecordsDocument().Remove("chip_swimlane_level")),
              HasSubstr("chip_swimlane_level: is missing"));
  EXPECT_THAT(Refusal(RecordsDocument().Set("metadata", "{}")),
              HasSubstr("metadata missing/zero clock_freq_hz"));
  EXPECT_THAT(Refusal(RecordsDocument().Set("metadata", R"({"clock_freq_hz": 0})")),
              HasSubstr("metadata missing/zero clock_freq_hz: 0"));
  EXPECT_THAT(Refusal(RecordsDocument().Remove("metadata")),
              HasSubstr("metadata missing/zero clock_freq_hz"));
}

TEST(RecordsReader, CaseA06CoresOutsideTheTableAreAiv) {
  const Capture capture = Read(RecordsDocument(1).AicoreTasks("[[7, 4, 9, 1050, 1300, 0]]"));
  EXPECT_EQ(Rows(capture).joined().type(0), CoreType::kAiv);
}

TEST(RecordsReader, CaseA07DuplicateJoinKey) {
  const std::string message =
      Refusal(RecordsDocument(1).AicoreTasks("[[0, 4, 9, 1050, 1300, 0], [1, 5, 9, 1, 2, 0], "
                                             "[0, 6, 9, 1350, 1400, 0]]"));
  EXPECT_THAT(message, HasSubstr("test.json: aicore_tasks: duplicate aicore_tasks join key: "
                                 "core_id 0 reg_task_id 9 in rows 0 and 2; "));
  EXPECT_THAT(Refusal(RecordsDocument(2)
                          .AicoreTasks("[[0, 4, 9, 1050, 1300, 0]]")
                          .SchedulerTasks("[[0, 9, 10, 20], [0, 9, 10, 20]]")),
              HasSubstr("contains duplicate scheduler join keys: core_id 0 reg_task_id 9 in rows 0 "
                        "and 1"));
}

TEST(RecordsReader, TokensOutOfOrderAreLegalWhenUnique) {
  const Capture capture =
      Read(RecordsDocument(1).AicoreTasks("[[0, 4, 9, 50, 60, 0], [0, 5, 3, 70, 80, 0]]"));
  EXPECT_EQ(Rows(capture).joined().size(), 2u);
}

TEST(RecordsReader, CaseA10OneTaskTwiceOnOneCore) {
  const Capture capture =
      Read(RecordsDocument(2)
               .AicoreTasks("[[0, 4, 1, 1050, 1300, 0], [0, 4, 2, 1310, 1400, 0]]")
               .SchedulerTasks("[[0, 1, 1000, 1305], [0, 2, 1040, 1450]]"));
  const Rows rows(capture);
  ASSERT_EQ(rows.joined().size(), 2u);
  EXPECT_DOUBLE_EQ(rows.Start(0), 1);
  EXPECT_DOUBLE_EQ(rows.Dispatch(0), 0);
  EXPECT_DOUBLE_EQ(rows.Start(1), 6.2);
  EXPECT_DOUBLE_EQ(rows.Dispatch(1), .8);
}

TEST(RecordsReader, CaseA11KernelWithoutSchedulerRowIsKeptAndCounted) {
  const Capture capture =
      Read(RecordsDocument(2)
               .AicoreTasks("[[0, 4, 1, 1050, 1300, 0], [1, 5, 1, 1050, 1300, 0]]")
               .SchedulerTasks("[[0, 1, 1000, 1305]]"));
  const Rows rows(capture);
  ASSERT_EQ(rows.joined().size(), 2u);
  EXPECT_TRUE(rows.joined().has_scheduler(0));
  EXPECT_FALSE(rows.joined().has_scheduler(1));
  EXPECT_EQ(rows.joined().report().aicore_rows_without_scheduler, 1u);
  EXPECT_EQ(rows.joined().report().worst_aicore_cores.at(0).core, 1);
}

// The reason is named even when the second section repeats the rows of the first.
TEST(RecordsReader, BothLayoutsWithTheSameRowsAreNotCalledDuplicates) {
  const std::string text = R"({"chip_swimlane_level": 2,
    "metadata": {"clock_freq_hz": 1000000, "num_cores": 1, "core_types": ["aic"]},
    "aicore_tasks": [[0, 1, 1, 110, 120, 0]],
    "scheduler_tasks": {"schema_version": 1, "producer": "aicpu", "records": [[0, 1, 100, 130]]},
    "aicpu_tasks": [[0, 1, 100, 130]]})";
  const auto capture = ParseRecords(JsonFile::FromText(text, "records.json"));
  EXPECT_THAT(std::string(capture.status().message()),
              HasSubstr("both scheduler_tasks and legacy aicpu_tasks are present"));
}

TEST(RecordsReader, CaseA12BothLayouts) {
  EXPECT_THAT(Refusal(RecordsDocument(2).SchedulerTasks("[]").Set("aicpu_tasks", "[]")),
              HasSubstr("both scheduler_tasks and legacy aicpu_tasks are present"));
  EXPECT_THAT(
      Refusal(RecordsDocument(3).SchedulerRecords("[]").Set("aicpu_scheduler_phases", "[]")),
      HasSubstr("both scheduler_records and legacy aicpu_scheduler_phases are present"));
}

TEST(RecordsReader, CaseA13SchedulerTasksHeader) {
  const auto refusal = [](const char* section) {
    return Refusal(RecordsDocument(2).Set("scheduler_tasks", section));
  };
  EXPECT_THAT(refusal(R"({"schema_version": 2, "producer": "aicpu", "records": []})"),
              HasSubstr("schema_version must be 1, found 2"));
  EXPECT_THAT(refusal(R"({"schema_version": 1, "producer": "host", "records": []})"),
              HasSubstr("scheduler_tasks.producer must be 'aicpu' or 'aicore'"));
  EXPECT_THAT(refusal(R"({"producer": "aicpu", "records": [[0, 9, 10]]})"),
              HasSubstr("scheduler_tasks.records row 0: must contain four-column arrays"));
  EXPECT_THAT(refusal(R"({"producer": "aicpu", "records": [[0, 9, 10, 11], [0, 9, 10, 11, 7]]})"),
              HasSubstr("row 1: mixes row widths [4, 5]"));
  EXPECT_THAT(refusal("[]"), HasSubstr("scheduler_tasks must be an object"));
  EXPECT_THAT(refusal(R"({"producer": "aicpu"})"), HasSubstr("records is missing"));
}

TEST(RecordsReader, CaseA19TimesWithinARowMustBeInOrder) {
  const auto aicore = [](const char* row) { return Refusal(RecordsDocument(1).AicoreTasks(row)); };
  EXPECT_THAT(aicore("[[0, 4, 9, 180, 120, 0]]"),
              HasSubstr("aicore_tasks row 0: has invalid timing: expected 0 < start_cycles <= "
                        "end_cycles, got 180 and 120"));
  EXPECT_THAT(aicore("[[0, 4, 9, 0, 120, 0]]"), HasSubstr("expected 0 < start_cycles"));
  EXPECT_THAT(aicore("[[0, 4, 9, 120, 180, 120]]"),
              HasSubstr("expected 0 <= receive_to_start_cycles < start_cycles"));
  EXPECT_THAT(Refusal(RecordsDocument(2)
                          .AicoreTasks("[[0, 4, 9, 120, 180, 0]]")
                          .SchedulerTasks("[[0, 9, 185, 115]]")),
              HasSubstr("scheduler_tasks.records row 0: has invalid timing: expected 0 < "
                        "dispatch_cycles <= finish_cycles, got 185 and 115"));
  EXPECT_THAT(Refusal(RecordsDocument(3).Set(
                  "aicpu_scheduler_phases",
                  R"([[{"kind": "dispatch", "start_cycles": 20, "end_cycles": 10}]])")),
              HasSubstr("has a negative interval"));
}

TEST(RecordsReader, CaseA20SkewBetweenProducersIsLegal) {
  const Capture capture = Read(RecordsDocument(2)
                                   .AicoreTasks("[[0, 4, 1, 120, 180, 0], [0, 5, 2, 220, 280, 0]]")
                                   .SchedulerTasks("[[0, 1, 125, 185], [0, 2, 210, 275]]"));
  EXPECT_EQ(Rows(capture).joined().size(), 2u);
}

TEST(RecordsReader, IdsBeyondDoublePrecisionAsNumbersAndStrings) {
  const Capture capture =
      Read(RecordsDocument(1).AicoreTasks(R"([[0, 18446744073709551615, 1, 10, 20, 0],
                                              [0, "9007199254740993", 2, 30, 40, 0],
                                              [0, -2, 3, 50, 60, 0],
                                              [0, "-1", 4, 70, 80, 0]])"));
  EXPECT_THAT(capture.runs[0].aicore_tasks.at(0)->task_id,
              ElementsAre(UINT64_MAX, 9007199254740993u, UINT64_MAX - 1, UINT64_MAX));
}

TEST(RecordsReader, StampsUpToTheLargestSignedNumber) {
  const Capture capture = Read(RecordsDocument(1).AicoreTasks(
      "[[65535, 1, 4294967295, 9223372036854775807, 9223372036854775807, 4294967295]]"));
  EXPECT_EQ(capture.runs[0].aicore_tasks.at(0)->end[0].value, INT64_MAX);
  EXPECT_THAT(Refusal(RecordsDocument(1).AicoreTasks("[[0, 1, 1, 9223372036854775808, "
                                                     "9223372036854775808, 0]]")),
              HasSubstr("aicore_tasks row 0: start_cycles must be an integer from 0 to "
                        "9223372036854775807, found 9223372036854775808"));
}

TEST(RecordsReader, WithoutCoreRowsSectionThereIsAWarning) {
  EXPECT_THAT(WarningCodes(Read(RecordsDocument(3).Remove("aicore_tasks"))),
              ElementsAre("missing_section"));
}

TEST(RecordsReader, TopLevelKeysMayComeInAnyOrder) {
  RecordsDocument document;
  document.Remove("chip_swimlane_level").Remove("metadata").Remove("aicore_tasks");
  document.SchedulerRecords("[" + StreamJson("0", std::string("[") + kPhase + "]") + "]")
      .SchedulerTasks("[[0, 9, 1010, 1350]]")
      .AicoreTasks("[[0, 4, 9, 1050, 1300, 0]]")
      .Set("metadata", R"({"core_types": ["aic"], "clock_freq_hz": 50})")
      .Set("chip_swimlane_level", "3");
  const Capture capture = Read(document);
  EXPECT_EQ(capture.level, 3);
  EXPECT_EQ(capture.metadata.clock_freq_hz, 50);
  EXPECT_TRUE(Rows(capture).joined().has_scheduler(0));
}

TEST(RecordsReader, UninterpretedKeysAreCarriedThrough) {
  const Capture capture =
      Read(RecordsDocument(1)
               .Set("metadata", R"({"clock_anchors": {"samples": [ 1 ]}, "clock_freq_hz": 5,
                                    "note": "ä\n", "core_types": ["aic", null]})")
               .Set("extension", "[ {\"a\": 1.50} ]"));
  ASSERT_EQ(capture.metadata.opaque.size(), 2u);
  EXPECT_EQ(capture.metadata.opaque[0].key, "clock_anchors");
  EXPECT_EQ(capture.metadata.opaque[0].json, "{\"samples\": [ 1 ]}");
  EXPECT_EQ(capture.metadata.opaque[1].json, "\"ä\\n\"");
  ASSERT_EQ(capture.opaque.size(), 1u);
  EXPECT_EQ(capture.opaque[0].key, "extension");
  EXPECT_EQ(capture.opaque[0].json, "[ {\"a\": 1.50} ]");
  EXPECT_THAT(capture.metadata.core_types, ElementsAre(CoreType::kAic, CoreType::kNone));
}

TEST(RecordsReader, RowWidthsMayChangeBetweenRows) {
  const Capture capture = Read(RecordsDocument(1).AicoreTasks(
      "[[0, 1, 1, 10, 20], [0, 2, 2, 30, 40, 5], [0, 3, 3, 50, 60, 6]]"));
  const auto& blocks = capture.runs[0].aicore_tasks;
  ASSERT_EQ(blocks.size(), 2u);
  EXPECT_FALSE(blocks[0]->has_receive);
  EXPECT_THAT(blocks[1]->receive_to_start, ElementsAre(5u, 6u));
}

TEST(RecordsReader, RunsAreSeparatedByEpochInAscendingOrder) {
  const std::string early =
      R"({"start_cycles": 10, "end_cycles": 20, "loop_iter": 1, "kind": "dispatch", )"
      R"("tasks_processed": 2, "task_id": null, "run_epoch": 3})";
  const std::string late =
      R"({"start_cycles": 110, "end_cycles": 120, "loop_iter": 1, "kind": "complete", )"
      R"("tasks_processed": 2, "task_id": null, "run_epoch": 8})";
  const Capture capture = Read(
      RecordsDocument(4)
          .AicoreTasks("[[0, 1, 1, 110, 120, 0, 8], [0, 1, 1, 10, 20, 0, 3], "
                       "[0, 2, 2, 130, 140, 0, 8]]")
          .SchedulerTasks("[[0, 1, 109, 121, 8], [0, 1, 9, 21, 3], [0, 2, 129, 141, 8]]")
          .SchedulerRecords("[" +
                            StreamJson("0", "[" + late + ", " + early + "]",
                                       R"([{"record_index": 1, "pop_hit": 5, "pop_miss": 0}])") +
                            "]")
          .Set("aicpu_orchestrator_phases",
               R"([[{"start_cycles": 1, "end_cycles": 2, "run_epoch": 3}]])")
          .Set("aicpu_lifecycle_records", R"([{"exit_wait_end_cycles": 7}])"));
  EXPECT_EQ(capture.generation, Generation::kG4);
  ASSERT_EQ(capture.runs.size(), 2u);
  EXPECT_EQ(capture.runs[0].epoch, 3);
  EXPECT_EQ(capture.runs[1].epoch, 8);
  EXPECT_EQ(capture.runs[0].aicore_row_count(), 1u);
  EXPECT_EQ(capture.runs[1].aicore_row_count(), 2u);
  EXPECT_EQ(capture.runs[1].scheduler_row_count(), 2u);
  const SchedulerPhaseBlock& first = OnlyBlock(capture.runs[0].scheduler_streams.at(0));
  EXPECT_EQ(first.kind.at(0), PhaseKind::kDispatch);
  EXPECT_EQ(first.pop_hit.at(0), 5u);
  EXPECT_EQ(OnlyBlock(capture.runs[1].scheduler_streams.at(0)).kind.at(0), PhaseKind::kComplete);
  EXPECT_EQ(capture.runs[0].orchestrator_lanes.at(0).size(), 1u);
  EXPECT_EQ(capture.runs[1].orchestrator_lanes.at(0).size(), 0u);
  EXPECT_EQ(capture.runs[0].lifecycle.size(), 1u);
  EXPECT_THAT(WarningCodes(capture), ElementsAre("run_unknown"));
  EXPECT_EQ(JoinedRun::Join(capture, 1)->size(), 2u);
}

TEST(RecordsReader, RecordsWithoutEpochCannotBeDivided) {
  EXPECT_THAT(
      Refusal(RecordsDocument(1).AicoreTasks("[[0, 1, 1, 110, 120, 0, 8], [0, 1, 2, 10, 20, 0]]")),
      HasSubstr("aicore_tasks: mixes records with and without run_epoch"));
  EXPECT_THAT(Refusal(RecordsDocument(2)
                          .AicoreTasks("[[0, 1, 1, 110, 120, 0, 8], [0, 1, 1, 10, 20, 0, 9]]")
                          .SchedulerTasks("[[0, 1, 109, 121]]")),
              HasSubstr("scheduler_tasks: has no run_epoch although the file holds 2 runs"));
}

TEST(RecordsReader, OneEpochOwnsRecordsThatDoNotSayTheirs) {
  const Capture capture = Read(RecordsDocument(2)
                                   .AicoreTasks("[[0, 1, 1, 110, 120, 0, 8]]")
                                   .SchedulerTasks("[[0, 1, 109, 121]]"));
  EXPECT_EQ(capture.runs.at(0).epoch, 8);
  EXPECT_TRUE(Rows(capture).joined().has_scheduler(0));
}

TEST(RecordsReader, GenerationsByTheirMarkers) {
  EXPECT_EQ(Read(RecordsDocument().Remove("chip_swimlane_level").Set("l2_swimlane_level", "2"))
                .generation,
            Generation::kG1);
  EXPECT_EQ(Read(RecordsDocument(2).Set("aicpu_tasks", "[]")).generation, Generation::kG2);
  EXPECT_EQ(Read(RecordsDocument(2).SchedulerTasks("[]")).generation, Generation::kG3);
  EXPECT_EQ(
      Read(RecordsDocument(2).Set("scheduler_tasks", R"({"producer": "aicore", "records": []})"))
          .generation,
      Generation::kG4);
}

TEST(RecordsReader, TheOldestGenerationIsRefusedByName) {
  for (const char* key : {"tasks", "l2_perf_level"}) {
    EXPECT_THAT(Refusal(RecordsDocument(1).Set(key, "[]")),
                HasSubstr("this is the layout of l2_perf_records.json"));
  }
}

class BothLayouts : public testing::TestWithParam<const char*> {};

TEST_P(BothLayouts, GiveTheSameCapture) {
  const std::string folder = std::string("captures/") + GetParam();
  const auto archived = ReadRecords(support::TestDataPath(folder + "/chip_swimlane_records.json"));
  const auto current =
      ReadRecords(support::TestDataPath(folder + "/current_layout/chip_swimlane_records.json"));
  ASSERT_TRUE(archived.ok()) << archived.status();
  ASSERT_TRUE(current.ok()) << current.status();
  EXPECT_EQ(archived->generation, Generation::kG2);
  EXPECT_EQ(current->generation, Generation::kG3);
  EXPECT_EQ(DumpCapture(*archived, support::DumpScope::kCommonToLayouts),
            DumpCapture(*current, support::DumpScope::kCommonToLayouts));
  EXPECT_THAT(archived->warnings, IsEmpty());
  EXPECT_THAT(current->warnings, IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(Captures, BothLayouts,
                         testing::Values("spmd_multiblock_mix_L4",
                                         "host_build_graph_vector_example_L4",
                                         "long_dummy_chain_L4"));

}  // namespace
}  // namespace simpler::formats
