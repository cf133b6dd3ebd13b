// Documents that must be refused: broken syntax, and wrong values in every column of every section.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "analysis/formats/json_file.h"
#include "analysis/formats/records_reader.h"
#include "tests/support/temp_dir.h"
#include "tests/support/test_data.h"
#include "tests/unit/analysis/formats/records_document.h"

namespace simpler::formats {
namespace {

using testing::HasSubstr;

absl::Status Parse(const std::string& text) {
  return ParseRecords(JsonFile::FromText(text, "test.json")).status();
}

void ExpectRefused(const std::string& text) {
  const absl::Status status = Parse(text);
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << text << "\n" << status;
  EXPECT_THAT(std::string(status.message()), HasSubstr("test.json: ")) << text;
  EXPECT_THAT(std::string(status.message()), HasSubstr("; ")) << text;  // a remedy follows
}

std::string ReadText(const std::string& path) {
  const absl::StatusOr<JsonFile> file = JsonFile::Open(path);
  EXPECT_TRUE(file.ok()) << file.status();
  return {file->bytes().data(), file->size()};
}

TEST(RecordsRefusal, NotJson) {
  for (const char* text :
       {"", " ", "\xEF\xBB\xBF{}", "hello", "[]", "1", "\"text\"", "null", "{", "}", "{}}", "{]",
        "{\"chip_swimlane_level\" 1}", "{\"chip_swimlane_level\": 1,}", "{1: 2}",
        "{\"a\": \"\xFF\"}", "{\"a\": \"\n\"}", "{\"a\": \"\\x\"}"}) {
    ExpectRefused(text);
  }
}

TEST(RecordsRefusal, SomethingBehindTheDocument) {
  const std::string document = RecordsDocument(1).Text();
  EXPECT_TRUE(Parse(document + " \n\t").ok());
  for (const char* tail : {"{}", "}", " 1", ",", "]", " null", "\"a\""}) {
    ExpectRefused(document + tail);
  }
}

TEST(RecordsRefusal, TruncatedAnywhere) {
  for (const char* name : {"captures/host_build_graph_vector_example_L4",
                           "captures/host_build_graph_vector_example_L4/current_layout",
                           "captures/long_dummy_chain_L4/current_layout"}) {
    std::string text =
        ReadText(support::TestDataPath(std::string(name) + "/chip_swimlane_records.json"));
    text.resize(text.find_last_of('}') + 1);
    ASSERT_TRUE(Parse(text).ok());
    for (size_t length = 0; length < text.size(); ++length) {
      ASSERT_EQ(Parse(text.substr(0, length)).code(), absl::StatusCode::kInvalidArgument)
          << name << " cut after " << length << " bytes";
    }
  }
}

TEST(RecordsRefusal, BrokenValuesInWhatIsCarriedThrough) {
  for (const char* value : {"[1, 2", "[1 2]", "{\"a\": }", "[}", "{\"a\": [1, {]}", "nul", "01",
                            "1.", "tru", "\"\\q\"", "[1,]", "{\"a\" 1}", ""}) {
    ExpectRefused(RecordsDocument(1).Set("extension", value).Text());
    ExpectRefused(
        RecordsDocument(1)
            .Set("metadata", std::string(R"({"clock_freq_hz": 1, "note": )") + value + "}")
            .Text());
  }
}

TEST(RecordsRefusal, RepeatedKeys) {
  std::string text = RecordsDocument(1).Text();
  text.insert(text.size() - 1, ", \"aicore_tasks\": []");
  EXPECT_THAT(std::string(Parse(text).message()), HasSubstr("aicore_tasks: occurs twice"));
  ExpectRefused(RecordsDocument(1).Set("l2_swimlane_level", "1").Text());
  ExpectRefused(
      RecordsDocument(1).Set("metadata", R"({"clock_freq_hz": 1, "clock_freq_hz": 1})").Text());
  ExpectRefused(RecordsDocument(3)
                    .Set("aicpu_scheduler_phases",
                         R"([[{"start_cycles": 1, "start_cycles": 1, "end_cycles": 2}]])")
                    .Text());
}

TEST(RecordsRefusal, DeepNesting) {
  const std::string deep = std::string(5000, '[') + std::string(5000, ']');
  ExpectRefused(RecordsDocument(1).Set("extension", deep).Text());
  ExpectRefused(RecordsDocument(1).Set("aicore_tasks", deep).Text());
}

TEST(RecordsRefusal, UnboundedCounts) {
  std::string rows;
  for (int epoch = 0; epoch < 1100; ++epoch) {
    rows += (rows.empty() ? "" : ", ") + std::string("[0, 1, 1, 10, 20, 0, ") +
            std::to_string(epoch) + "]";
  }
  ExpectRefused(RecordsDocument(1).AicoreTasks("[" + rows + "]").Text());
  std::string lanes = "[]";
  for (int lane = 0; lane < 1100; ++lane) lanes += ", []";
  ExpectRefused(RecordsDocument(3).Set("aicpu_scheduler_phases", "[" + lanes + "]").Text());
  ExpectRefused(RecordsDocument(4).Set("aicpu_orchestrator_phases", "[" + lanes + "]").Text());
}

TEST(RecordsRefusal, FilesThatCannotBeRead) {
  const support::TempDir dir;
  EXPECT_EQ(ReadRecords(dir.path()).status().code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_EQ(ReadRecords(dir.path() / "none").status().code(), absl::StatusCode::kNotFound);
}

// A document with `$` where a value is wrong, and the values that are legal there.
struct Column {
  const char* name;
  int level;
  const char* key;
  const char* json;
  std::vector<std::string> legal = {};
};

void PrintTo(const Column& column, std::ostream* out) { *out << column.name; }

std::string Fill(const Column& column, const std::string& value) {
  std::string json = column.json;
  json.replace(json.find('$'), 1, value);
  return RecordsDocument(column.level).Set(column.key, json).Text();
}

class WrongType : public testing::TestWithParam<Column> {};

TEST_P(WrongType, IsRefused) {
  const Column& column = GetParam();
  for (const std::string& value : column.legal) {
    EXPECT_TRUE(Parse(Fill(column, value)).ok()) << value << ": " << Parse(Fill(column, value));
  }
  for (const char* value :
       {"\"x\"", "\"\"", "null", "true", "1.5", "1e1", "-1", "-5.0", "18446744073709551616",
        "99999999999999999999999", "[]", "[1]", "{}", "{\"a\": 1}", "01", "+1", "nan"}) {
    if (std::count(column.legal.begin(), column.legal.end(), value) > 0) continue;
    ExpectRefused(Fill(column, value));
  }
}

const std::vector<Column>& Columns() {
  static const std::vector<Column> kColumns = {
      {"Level", 1, "chip_swimlane_level", "$", {"1", "\"4\""}},
      {"Frequency", 1, "metadata", R"({"clock_freq_hz": $})", {"1"}},
      {"NumCores", 1, "metadata", R"({"clock_freq_hz": 1, "num_cores": $})", {"0", "null"}},
      {"CoreTypes", 1, "metadata", R"({"clock_freq_hz": 1, "core_types": $})", {"[]"}},
      {"CoreType",
       1,
       "metadata",
       R"({"clock_freq_hz": 1, "core_types": [$]})",
       {"\"aic\"", "null"}},
      {"CoreToThread",
       1,
       "metadata",
       R"({"clock_freq_hz": 1, "core_to_thread": $})",
       {"[]", "[1]", "null"}},
      {"Thread", 1, "metadata", R"({"clock_freq_hz": 1, "core_to_thread": [$]})", {"-1", "3"}},
      {"Runtime",
       1,
       "metadata",
       R"({"clock_freq_hz": 1, "runtime": $})",
       {"\"x\"", "\"\"", "null"}},
      {"HostOrigin",
       1,
       "metadata",
       R"({"clock_freq_hz": 1, "host_orchestration_origin_ns": $})",
       {"0", "null"}},
      {"HostCapture",
       1,
       "metadata",
       R"({"clock_freq_hz": 1, "host_capture": $})",
       {"{}", "{\"a\": 1}"}},
      {"HostCaptureCount",
       1,
       "metadata",
       R"({"clock_freq_hz": 1, "host_capture": {"dropped_records": $}})",
       {"0", "null"}},
      {"Metadata", 1, "metadata", "$", {R"({"clock_freq_hz": 1})"}},
      {"AicoreTasks", 1, "aicore_tasks", "$", {"[]"}},
      {"AicoreRow", 1, "aicore_tasks", "[$]", {"[0, 1, 2, 3, 4]"}},
      {"AicoreCore", 1, "aicore_tasks", "[[$, 1, 2, 30, 40, 5]]", {"0", "65535"}},
      {"AicoreTask",
       1,
       "aicore_tasks",
       "[[0, $, 2, 30, 40, 5]]",
       {"18446744073709551615", "-1", "\"7\""}},
      {"AicoreToken", 1, "aicore_tasks", "[[0, 1, $, 30, 40, 5]]", {"0", "4294967295"}},
      {"AicoreStart", 1, "aicore_tasks", "[[0, 1, 2, $, 40, 5]]", {"30"}},
      {"AicoreEnd", 1, "aicore_tasks", "[[0, 1, 2, 30, $, 5]]", {"9223372036854775807"}},
      {"AicoreReceive", 1, "aicore_tasks", "[[0, 1, 2, 30, 40, $]]", {"0"}},
      {"AicoreEpoch", 1, "aicore_tasks", "[[0, 1, 2, 30, 40, 5, $]]", {"0"}},
      {"SchedulerTasks",
       2,
       "scheduler_tasks",
       "$",
       {R"({"schema_version": 1, "producer": "aicpu", "records": []})"}},
      {"SchedulerSchema", 2, "scheduler_tasks", R"({"schema_version": $, "records": []})", {"1"}},
      {"SchedulerProducer",
       2,
       "scheduler_tasks",
       R"({"producer": $, "records": []})",
       {"\"aicore\""}},
      {"SchedulerRows", 2, "scheduler_tasks", R"({"records": $})", {"[]"}},
      {"SchedulerRow", 2, "scheduler_tasks", R"({"records": [$]})", {"[0, 1, 2, 3]"}},
      {"SchedulerCore", 2, "scheduler_tasks", R"({"records": [[$, 1, 2, 3]]})", {"0"}},
      {"SchedulerToken", 2, "scheduler_tasks", R"({"records": [[0, $, 2, 3]]})", {"0"}},
      {"SchedulerDispatch", 2, "scheduler_tasks", R"({"records": [[0, 1, $, 3]]})", {"2"}},
      {"SchedulerFinish", 2, "scheduler_tasks", R"({"records": [[0, 1, 2, $]]})", {"2"}},
      {"SchedulerEpoch", 2, "scheduler_tasks", R"({"records": [[0, 1, 2, 3, $]]})", {"0"}},
      {"AicpuTasks", 2, "aicpu_tasks", "$", {"[]"}},
      {"AicpuDispatch", 2, "aicpu_tasks", "[[0, 1, $, 3]]", {"2"}},
      {"SchedulerRecords", 3, "scheduler_records", "$", {R"({"streams": []})"}},
      {"Streams", 3, "scheduler_records", R"({"streams": $})", {"[]"}},
      {"Stream", 3, "scheduler_records", R"({"streams": [$]})", {R"({"records": []})"}},
      {"StreamPlatform",
       3,
       "scheduler_records",
       R"({"streams": [{"records": [], "platform": $}]})",
       {"\"x\"", "\"\"", "null"}},
      {"StreamProducer",
       3,
       "scheduler_records",
       R"({"streams": [{"records": [], "producer": $}]})",
       {"\"aicpu\""}},
      {"StreamWorker",
       3,
       "scheduler_records",
       R"({"streams": [{"records": [], "worker_id": $}]})",
       {"0", "-1"}},
      {"StreamPhysicalCore",
       3,
       "scheduler_records",
       R"({"streams": [{"records": [], "physical_core_id": $}]})",
       {"0", "-1", "null"}},
      {"StreamCapture",
       3,
       "scheduler_records",
       R"({"streams": [{"records": [], "capture": $}]})",
       {"{}", "null", "{\"a\": 1}"}},
      {"StreamDropped",
       3,
       "scheduler_records",
       R"({"streams": [{"records": [], "capture": {"dropped": $}}]})",
       {"0"}},
      {"StreamTruncated",
       3,
       "scheduler_records",
       R"({"streams": [{"records": [], "capture": {"truncated": $}}]})",
       {"true", "false"}},
      {"StreamRecords", 3, "scheduler_records", R"({"streams": [{"records": $}]})", {"[]"}},
      {"StreamMetrics",
       3,
       "scheduler_records",
       R"({"streams": [{"records": [], "metrics": $}]})",
       {"[]"}},
      {"EarlyStreamMetrics",
       3,
       "scheduler_records",
       R"({"streams": [{"metrics": $, "records": []}]})",
       {"[]"}},
  };
  return kColumns;
}

// Fields of objects: `$` takes the place of the value of one field.
std::vector<Column> PhaseColumns() {
  return {
      {"PhaseStart",
       3,
       "scheduler_records",
       R"({"streams": [{"records": [{"start_cycles": $, "end_cycles": 9, "loop_iter": 1,
           "kind": "idle", "tasks_processed": 0, "task_id": null}]}]})",
       {"0"}},
      {"PhaseEnd",
       3,
       "scheduler_records",
       R"({"streams": [{"records": [{"start_cycles": 1, "end_cycles": $, "loop_iter": 1,
           "kind": "idle", "tasks_processed": 0, "task_id": null}]}]})",
       {"1", "9223372036854775807"}},
      {"PhaseLoop",
       3,
       "scheduler_records",
       R"({"streams": [{"records": [{"start_cycles": 1, "end_cycles": 9, "loop_iter": $,
           "kind": "idle", "tasks_processed": 0, "task_id": null}]}]})",
       {"0"}},
      {"PhaseKind",
       3,
       "scheduler_records",
       R"({"streams": [{"records": [{"start_cycles": 1, "end_cycles": 9, "loop_iter": 1,
           "kind": $, "tasks_processed": 0, "task_id": null}]}]})",
       {"\"idle\"", "\"x\"", "\"\""}},
      {"PhaseTasks",
       3,
       "scheduler_records",
       R"({"streams": [{"records": [{"start_cycles": 1, "end_cycles": 9, "loop_iter": 1,
           "kind": "idle", "tasks_processed": $, "task_id": null}]}]})",
       {"0"}},
      {"PhaseTaskId",
       3,
       "scheduler_records",
       R"({"streams": [{"records": [{"start_cycles": 1, "end_cycles": 9, "loop_iter": 1,
           "kind": "idle", "tasks_processed": 0, "task_id": $}]}]})",
       {"0", "null", "-1", "\"7\""}},
      {"PhaseEpoch",
       3,
       "scheduler_records",
       R"({"streams": [{"records": [{"start_cycles": 1, "end_cycles": 9, "loop_iter": 1,
           "kind": "idle", "tasks_processed": 0, "task_id": null, "run_epoch": $}]}]})",
       {"0"}},
      {"InlinePopHit",
       3,
       "aicpu_scheduler_phases",
       R"([[{"start_cycles": 1, "end_cycles": 9, "pop_hit": $}]])",
       {"0"}},
      {"InlinePopMiss",
       3,
       "aicpu_scheduler_phases",
       R"([[{"start_cycles": 1, "end_cycles": 9, "pop_miss": $}]])",
       {"0"}},
      {"InlineDepths",
       3,
       "aicpu_scheduler_phases",
       R"([[{"start_cycles": 1, "end_cycles": 9, "shared_at_start": $}]])",
       {"[1, 2, 3]", "[]", "[1]"}},
      {"InlineDepth",
       3,
       "aicpu_scheduler_phases",
       R"([[{"start_cycles": 1, "end_cycles": 9, "shared_at_end": [0, $, 0]}]])",
       {"0"}},
      {"InlineLane", 3, "aicpu_scheduler_phases", "[$]", {"[]"}},
      {"InlineRecord",
       3,
       "aicpu_scheduler_phases",
       "[[$]]",
       {R"({"start_cycles": 1, "end_cycles": 9})"}},
      {"OrchestratorLane", 4, "aicpu_orchestrator_phases", "[$]", {"[]"}},
      {"OrchestratorStart",
       4,
       "aicpu_orchestrator_phases",
       R"([[{"start_cycles": $, "end_cycles": 9}]])",
       {"1"}},
      {"OrchestratorEnd",
       4,
       "aicpu_orchestrator_phases",
       R"([[{"start_cycles": 1, "end_cycles": $}]])",
       {"1"}},
      {"OrchestratorSubmit",
       4,
       "aicpu_orchestrator_phases",
       R"([[{"start_cycles": 1, "end_cycles": 9, "submit_idx": $}]])",
       {"1", "null"}},
      {"OrchestratorTask",
       4,
       "aicpu_orchestrator_phases",
       R"([[{"start_cycles": 1, "end_cycles": 9, "task_id": $}]])",
       {"-1", "null", "\"7\""}},
      {"HostStart",
       4,
       "host_orchestrator_phases",
       R"([[{"start_host_ns": $, "end_host_ns": 9}]])",
       {"1"}},
      {"HostEnd",
       4,
       "host_orchestrator_phases",
       R"([[{"start_host_ns": 1, "end_host_ns": $}]])",
       {"1"}},
      {"UploadStart",
       4,
       "host_device_uploads",
       R"([{"start_host_ns": $, "end_host_ns": 9}])",
       {"1"}},
      {"UploadPhase",
       4,
       "host_device_uploads",
       R"([{"start_host_ns": 1, "end_host_ns": 9, "phase": $}])",
       {"\"x\"", "\"\"", "null"}},
      {"UploadDetail",
       4,
       "host_device_uploads",
       R"([{"start_host_ns": 1, "end_host_ns": 9, "detail": $}])",
       {"-1", "null"}},
      {"LifecycleThread",
       2,
       "aicpu_lifecycle_records",
       R"([{"aicpu_thread_id": $}])",
       {"0", "null"}},
      {"LifecycleStamp",
       2,
       "aicpu_lifecycle_records",
       R"([{"handshake_start_cycles": $}])",
       {"0", "null"}},
  };
}

std::string ColumnName(const testing::TestParamInfo<Column>& info) { return info.param.name; }

INSTANTIATE_TEST_SUITE_P(Sections, WrongType, testing::ValuesIn(Columns()), ColumnName);
INSTANTIATE_TEST_SUITE_P(Records, WrongType, testing::ValuesIn(PhaseColumns()), ColumnName);

}  // namespace
}  // namespace simpler::formats
