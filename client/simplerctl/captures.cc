#include "client/simplerctl/captures.h"

#include <cstdint>
#include <ctime>
#include <map>
#include <vector>

#include "analysis/report/json_writer.h"
#include "analysis/report/text_table.h"
#include "client/simplerctl/byte_text.h"
#include "fmt/chrono.h"
#include "fmt/format.h"
#include "fmt/ranges.h"

namespace simpler::simplerctl {
namespace {

namespace v1 = profiler::v1;
using report::JsonWriter;
using report::TextTable;

// Seconds in UTC, as ISO 8601.
std::string TimeText(int64_t unix_ms) {
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}",
                     fmt::gmtime(static_cast<std::time_t>(unix_ms / 1000)));
}

// In the order of the keys; the wire keeps none.
std::map<std::string, std::string> SortedLabels(const v1::Capture& capture) {
  return {capture.labels().begin(), capture.labels().end()};
}

uint64_t RowCount(const v1::Capture& capture) {
  uint64_t rows = 0;
  for (const v1::RunInfo& run : capture.runs()) rows += run.aicore_rows();
  return rows;
}

std::string WhereText(const v1::Capture& capture) {
  if (!capture.on_disk()) return "memory";
  return capture.in_memory() ? "memory, disk" : "disk";
}

std::string LabelsText(const v1::Capture& capture) {
  std::vector<std::string> pairs;
  for (const auto& [key, value] : SortedLabels(capture)) {
    pairs.push_back(fmt::format("{}={}", key, value));
  }
  return fmt::format("{}", fmt::join(pairs, " "));
}

void WriteRun(const v1::RunInfo& run, JsonWriter* json) {
  json->BeginObject();
  json->Member("index", run.index());
  json->Member("epoch", run.has_epoch() ? std::optional<int64_t>(run.epoch()) : std::nullopt);
  json->Member("aicore_rows", run.aicore_rows());
  json->Member("scheduler_rows", run.scheduler_rows());
  json->Member("scheduler_phases", run.scheduler_phases());
  json->Member("orchestrator_records", run.orchestrator_records());
  json->EndObject();
}

void WriteCapture(const v1::Capture& capture, JsonWriter* json) {
  json->BeginObject();
  json->Member("id", capture.id());
  json->Member("name", capture.name());
  json->Key("labels");
  json->BeginObject();
  for (const auto& [key, value] : SortedLabels(capture)) json->Member(key, value);
  json->EndObject();
  json->Member("import_time_unix_ms", capture.import_time_unix_ms());
  json->Member("level", capture.level());
  json->Member("clock_freq_hz", capture.clock_freq_hz());
  json->Key("runs");
  json->BeginArray();
  for (const v1::RunInfo& run : capture.runs()) WriteRun(run, json);
  json->EndArray();
  json->Member("graph_tasks", capture.graph_tasks());
  json->Member("graph_edges", capture.graph_edges());
  json->Member("has_name_map", capture.has_name_map());
  json->Member("memory_bytes", capture.memory_bytes());
  json->Member("archive_bytes", capture.archive_bytes());
  json->Member("in_memory", capture.in_memory());
  json->Member("on_disk", capture.on_disk());
  json->EndObject();
}

void WriteEviction(const v1::Eviction& eviction, JsonWriter* json) {
  json->BeginObject();
  json->Member("capture_id", eviction.capture_id());
  json->Member("name", eviction.name());
  json->Member("reason", eviction.reason());
  json->Member("time_unix_ms", eviction.time_unix_ms());
  json->Member("memory_bytes", eviction.memory_bytes());
  json->Member("still_on_disk", eviction.still_on_disk());
  json->EndObject();
}

}  // namespace

std::string CapturesText(const v1::ListCapturesResponse& captures) {
  using Align = TextTable::Align;
  TextTable table({{"id", Align::kLeft},
                   {"name", Align::kLeft},
                   {"level"},
                   {"runs"},
                   {"rows"},
                   {"memory"},
                   {"imported", Align::kLeft},
                   {"where", Align::kLeft},
                   {"labels", Align::kLeft}});
  for (const v1::Capture& capture : captures.captures()) {
    table.AddRow({capture.id(), capture.name(), fmt::format("{}", capture.level()),
                  fmt::format("{}", capture.runs_size()), fmt::format("{}", RowCount(capture)),
                  ByteText(capture.memory_bytes()), TimeText(capture.import_time_unix_ms()),
                  WhereText(capture), LabelsText(capture)});
  }
  return table.Render(0) + fmt::format("{} capture{}, {} of {} used\n", captures.captures_size(),
                                       captures.captures_size() == 1 ? "" : "s",
                                       ByteText(captures.store_used_bytes()),
                                       ByteText(captures.store_budget_bytes()));
}

std::string CapturesJson(const v1::ListCapturesResponse& captures) {
  JsonWriter json;
  json.BeginObject();
  json.Member("schema", "simpler.captures/1");
  json.Key("captures");
  json.BeginArray();
  for (const v1::Capture& capture : captures.captures()) WriteCapture(capture, &json);
  json.EndArray();
  json.Key("store");
  json.BeginObject();
  json.Member("used_bytes", captures.store_used_bytes());
  json.Member("budget_bytes", captures.store_budget_bytes());
  json.EndObject();
  json.Key("evictions");
  json.BeginArray();
  for (const v1::Eviction& eviction : captures.evictions()) WriteEviction(eviction, &json);
  json.EndArray();
  json.EndObject();
  return json.Take();
}

std::string EvictionText(const v1::Eviction& eviction) {
  return fmt::format("{} {} {}: {}", eviction.capture_id(), eviction.name(),
                     eviction.still_on_disk() ? "left memory and stays on disk" : "was dropped",
                     eviction.reason());
}

}  // namespace simpler::simplerctl
