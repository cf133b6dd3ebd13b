#include "analysis/formats/records_reader.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "analysis/formats/json_value.h"
#include "analysis/formats/records/fields.h"
#include "analysis/formats/records/lifecycle.h"
#include "analysis/formats/records/metadata.h"
#include "analysis/formats/records/orchestrator.h"
#include "analysis/formats/records/read_context.h"
#include "analysis/formats/records/scheduler_streams.h"
#include "analysis/formats/records/sections.h"
#include "analysis/formats/records/task_rows.h"
#include "fmt/format.h"
#include "simdjson.h"

namespace simpler::formats {
namespace {

using capture::Capture;
using capture::Generation;
using capture::HostNanos;
using capture::Run;
using records::Place;
using records::ReadContext;
using simdjson::ondemand::value;

// One document on its way into a Capture. Keys may come in any order: sections are read as they
// come and judged together at the end.
class RecordsReader {
 public:
  explicit RecordsReader(const JsonFile& document)
      : document_(document), context_(document.name()) {}

  absl::StatusOr<Capture> Read() {
    if (auto status = ReadDocument(); !status.ok()) return status;
    if (auto status = CheckSections(); !status.ok()) return status;
    DropUnrecordedTasks();
    if (auto status = records::DivideIntoRuns(sections_, context_, capture_.runs); !status.ok()) {
      return status;
    }
    if (auto status = CheckClockDomain(); !status.ok()) return status;
    if (sections_.scheduler_tasks) capture_.task_producer = sections_.scheduler_tasks->producer;
    capture_.generation = FindGeneration();
    capture_.warnings = context_.Warnings();
    return std::move(capture_);
  }

 private:
  absl::Status ReadDocument() {
    simdjson::ondemand::parser parser;
    simdjson::ondemand::document document;
    simdjson::ondemand::object fields;
    constexpr Place kPlace{"document"};
    simdjson::error_code error = parser.iterate(document_.bytes()).get(document);
    if (error) return context_.RefuseSyntax(kPlace, error);
    error = document.get_object().get(fields);
    if (error == simdjson::INCORRECT_TYPE) {
      return context_.Refuse(kPlace, "the top level is not an object",
                             "name a chip_swimlane_records.json");
    }
    if (error) return context_.RefuseSyntax(kPlace, error);
    for (auto next : fields) {
      simdjson::ondemand::field field;
      std::string_view key;
      error = std::move(next).get(field);
      if (!error) error = field.unescaped_key().get(key);
      if (error) return context_.RefuseSyntax(kPlace, error);
      if (auto status = ReadSection(key, field.value()); !status.ok()) return status;
    }
    if (document.current_location().error() != simdjson::OUT_OF_BOUNDS) {
      return context_.Refuse(kPlace, "something follows the closing brace",
                             "the file holds more than one document; split it");
    }
    return absl::OkStatus();
  }

  absl::Status ReadSection(std::string_view key, value section) {
    if (!keys_.emplace(key).second) {
      return context_.Refuse({key}, "occurs twice at the top level");
    }
    if (auto status = CheckOneLayout(); !status.ok()) return status;
    if (key == "chip_swimlane_level" || key == "l2_swimlane_level") return ReadLevel(key, section);
    if (key == "l2_perf_level" || key == "tasks") return RefuseOldestGeneration(key);
    if (key == "metadata") return records::ReadMetadata(section, context_, capture_.metadata);
    if (key == "aicore_tasks") {
      return records::ReadAicoreTasks(section, context_, sections_.aicore);
    }
    if (key == "scheduler_tasks") {
      return records::ReadSchedulerTasks(section, context_, SchedulerTasks());
    }
    if (key == "aicpu_tasks") return records::ReadAicpuTasks(section, context_, SchedulerTasks());
    if (key == "scheduler_records") {
      return records::ReadSchedulerStreams(section, context_, SchedulerStreams());
    }
    if (key == "aicpu_scheduler_phases") {
      return records::ReadAicpuSchedulerPhases(section, context_, SchedulerStreams());
    }
    if (key == "aicpu_orchestrator_phases") {
      return records::ReadDeviceLanes(section, context_, sections_.device_lanes);
    }
    if (key == "host_orchestrator_phases") {
      return records::ReadHostLanes(section, context_, sections_.host_lanes);
    }
    if (key == "host_device_uploads") {
      return records::ReadHostUploads(section, context_, sections_.host_uploads);
    }
    if (key == "aicpu_lifecycle_records") {
      return records::ReadLifecycle(section, context_, sections_.lifecycle);
    }
    return KeepSection(key, section);
  }

  // A number, or a string that holds one.
  absl::Status ReadLevel(std::string_view key, value field) {
    if (level_) return context_.Refuse({key}, "a second level key; the level is ambiguous");
    int64_t level = 0;
    std::string_view text;
    if (field.get_int64().get(level) == simdjson::SUCCESS) {
      level_ = level;
    } else if (field.get_string().get(text) == simdjson::SUCCESS) {
      const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), level);
      if (error == std::errc() && end == text.data() + text.size()) level_ = level;
    }
    if (level_ && 1 <= *level_ && *level_ <= 4) {
      capture_.level = static_cast<int>(*level_);
      return absl::OkStatus();
    }
    return context_.Refuse(
        {key}, fmt::format("Unsupported {}: {} (expected 1, 2, 3, or 4)", key, Excerpt(field)),
        "record again with --enable-chip-swimlane 1 … 4");
  }

  absl::Status RefuseOldestGeneration(std::string_view key) const {
    return context_.Refuse({key},
                           "this is the layout of l2_perf_records.json, which holds no raw cycles "
                           "and is not supported",
                           "record again with a runtime that writes chip_swimlane_records.json");
  }

  absl::Status KeepSection(std::string_view key, value section) {
    std::string text;
    if (const auto error = ReadJsonText(section, text)) return context_.RefuseSyntax({key}, error);
    capture_.opaque.push_back({std::string(key), std::move(text)});
    return absl::OkStatus();
  }

  records::SchedulerTasks& SchedulerTasks() {
    if (!sections_.scheduler_tasks) sections_.scheduler_tasks.emplace();
    return *sections_.scheduler_tasks;
  }

  std::vector<records::StreamDraft>& SchedulerStreams() {
    if (!sections_.scheduler_streams) sections_.scheduler_streams.emplace();
    return *sections_.scheduler_streams;
  }

  bool Has(std::string_view key) const { return keys_.contains(key); }

  // Recorders of the archived layout write the section at every level, empty at level 1.
  void DropUnrecordedTasks() {
    if (capture_.level == 1 && Has("aicpu_tasks") &&
        sections_.scheduler_tasks->rows.groups().empty()) {
      sections_.scheduler_tasks.reset();
    }
  }

  absl::Status CheckSections() {
    if (!level_) {
      return context_.Refuse({"chip_swimlane_level"}, "is missing",
                             "name a chip_swimlane_records.json");
    }
    if (capture_.metadata.clock_freq_hz <= 0) {
      return context_.Refuse({"metadata"}, "metadata missing/zero clock_freq_hz",
                             "add the counter frequency of the chip in Hz");
    }
    if (!Has("aicore_tasks")) {
      context_.AddWarning({"missing_section",
                           "aicore_tasks is missing; no kernel execution is "
                           "known",
                           1});
    }
    return records::CheckHostTimes(HostOrigin(), context_, sections_.host_lanes,
                                   sections_.host_uploads);
  }

  // Before the second section is read: its rows would look like duplicates of the first one's.
  absl::Status CheckOneLayout() const {
    if (Has("scheduler_tasks") && Has("aicpu_tasks")) {
      return RefuseBothLayouts("scheduler_tasks", "aicpu_tasks");
    }
    if (Has("scheduler_records") && Has("aicpu_scheduler_phases")) {
      return RefuseBothLayouts("scheduler_records", "aicpu_scheduler_phases");
    }
    return absl::OkStatus();
  }

  absl::Status RefuseBothLayouts(std::string_view current, std::string_view archived) const {
    return context_.Refuse({current},
                           fmt::format("both {} and legacy {} are present", current, archived),
                           "keep the section that belongs to this recording and remove the other");
  }

  std::optional<HostNanos> HostOrigin() const {
    const capture::Metadata& metadata = capture_.metadata;
    return metadata.host_orchestration_origin ? metadata.host_orchestration_origin
                                              : metadata.host_timeline_origin;
  }

  absl::Status CheckClockDomain() const {
    const auto has_device_records = [](const Run& run) {
      return std::any_of(run.orchestrator_lanes.begin(), run.orchestrator_lanes.end(),
                         [](const auto& lane) { return !lane.empty(); });
    };
    const auto is_mixed = [&](const Run& run) {
      return has_device_records(run) && IsHostOrchestrated(capture_, run);
    };
    if (std::none_of(capture_.runs.begin(), capture_.runs.end(), is_mixed)) {
      return absl::OkStatus();
    }
    return context_.Refuse({"aicpu_orchestrator_phases"},
                           "both AICPU and host orchestrator phases are present; clock-domain "
                           "source is ambiguous",
                           "keep the records of the orchestrator that ran and remove the other's");
  }

  Generation FindGeneration() const {
    if (Has("l2_swimlane_level")) return Generation::kG1;
    if (Has("aicpu_tasks") || Has("aicpu_scheduler_phases")) return Generation::kG2;
    const bool unversioned =
        sections_.scheduler_tasks && !sections_.scheduler_tasks->has_schema_version;
    const bool has_epochs = capture_.runs.front().epoch.has_value();
    if (has_epochs || unversioned || capture_.metadata.runtime) return Generation::kG4;
    return Generation::kG3;
  }

  const JsonFile& document_;
  ReadContext context_;
  std::set<std::string, std::less<>> keys_;
  std::optional<int64_t> level_;
  records::Sections sections_;
  Capture capture_;
};

}  // namespace

absl::StatusOr<Capture> ReadRecords(const std::string& path) {
  const absl::StatusOr<JsonFile> document = JsonFile::Open(path);
  if (!document.ok()) return document.status();
  return ParseRecords(*document);
}

absl::StatusOr<Capture> ParseRecords(const JsonFile& document) {
  return RecordsReader(document).Read();
}

}  // namespace simpler::formats
