// Records documents for tests, assembled key by key.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "analysis/capture/capture.h"
#include "analysis/formats/records_reader.h"

namespace simpler::formats {

class RecordsDocument {
 public:
  // Starts with a level, metadata of 50 MHz and two cores (AIC, AIV), and no rows.
  explicit RecordsDocument(int level = 2) {
    Set("chip_swimlane_level", std::to_string(level));
    Set("metadata", R"({"clock_freq_hz": 50000000, "num_cores": 2, "core_types": ["aic", "aiv"]})");
    Set("aicore_tasks", "[]");
  }

  // Adds a key or replaces its JSON text.
  RecordsDocument& Set(const std::string& key, const std::string& json) {
    for (auto& [name, text] : fields_) {
      if (name != key) continue;
      text = json;
      return *this;
    }
    fields_.emplace_back(key, json);
    return *this;
  }

  RecordsDocument& Remove(const std::string& key) {
    std::erase_if(fields_, [&](const auto& field) { return field.first == key; });
    return *this;
  }

  RecordsDocument& AicoreTasks(const std::string& rows) { return Set("aicore_tasks", rows); }

  RecordsDocument& SchedulerTasks(const std::string& rows) {
    return Set("scheduler_tasks",
               R"({"schema_version": 1, "producer": "aicpu", "records": )" + rows + "}");
  }

  // `streams` is the list of stream objects.
  RecordsDocument& SchedulerRecords(const std::string& streams) {
    return Set("scheduler_records", R"({"schema_version": 1, "streams": )" + streams + "}");
  }

  std::string Text() const {
    std::string text = "{";
    for (const auto& [name, json] : fields_) {
      if (text.size() > 1) text += ", ";
      text += '"' + name + "\": " + json;
    }
    return text + "}";
  }

  absl::StatusOr<capture::Capture> Read() const {
    return ParseRecords(JsonFile::FromText(Text(), "test.json"));
  }

 private:
  std::vector<std::pair<std::string, std::string>> fields_;
};

// The capture; the test fails when it is refused.
inline capture::Capture Read(const RecordsDocument& document) {
  absl::StatusOr<capture::Capture> capture = document.Read();
  EXPECT_TRUE(capture.ok()) << capture.status();
  return capture.ok() ? *std::move(capture) : capture::Capture();
}

// Why the document is refused; the test fails when it is not.
inline std::string Refusal(const RecordsDocument& document) {
  const absl::StatusOr<capture::Capture> capture = document.Read();
  EXPECT_FALSE(capture.ok()) << document.Text();
  return std::string(capture.status().message());
}

inline std::vector<std::string> WarningCodes(const capture::Capture& capture) {
  std::vector<std::string> codes;
  for (const auto& warning : capture.warnings) codes.push_back(warning.code);
  return codes;
}

// The block of a stream that was recorded in one piece.
inline const capture::SchedulerPhaseBlock& OnlyBlock(const capture::SchedulerStream& stream) {
  EXPECT_EQ(stream.blocks.size(), 1u);
  return *stream.blocks.at(0);
}

// One stream of the current layout with the given lists.
inline std::string StreamJson(const std::string& id, const std::string& records,
                              const std::string& metrics = "[]") {
  return R"({"platform": "a2a3", "runtime": "tensormap_and_ringbuffer", "producer": "aicpu", )"
         R"("scheduler_id": )" +
         id + R"(, "worker_id": 0, "core_type": "aicpu", "physical_core_id": null, )" +
         R"("capture": {"committed": 1, "dropped": 0, "truncated": false}, "records": )" + records +
         R"(, "metrics": )" + metrics + "}";
}

}  // namespace simpler::formats
