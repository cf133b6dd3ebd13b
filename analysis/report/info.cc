#include "analysis/report/info.h"

#include <algorithm>
#include <cstdint>
#include <optional>

#include "analysis/report/common_json.h"
#include "analysis/report/json_writer.h"
#include "analysis/report/text_table.h"
#include "fmt/format.h"

namespace simpler::report {
namespace {

using capture::Capture;
using capture::CoreType;
using capture::Generation;
using capture::Run;
using capture::SchedulerStream;

const char* GenerationName(Generation generation) {
  switch (generation) {
    case Generation::kG1:
      return "G1";
    case Generation::kG2:
      return "G2";
    case Generation::kG3:
      return "G3";
    case Generation::kG4:
      return "G4";
  }
  return "";
}

const char* GenerationText(Generation generation) {
  switch (generation) {
    case Generation::kG1:
      return "l2_swimlane_level, aicpu_tasks";
    case Generation::kG2:
      return "chip_swimlane_level, aicpu_tasks";
    case Generation::kG3:
      return "scheduler_tasks, scheduler_records";
    case Generation::kG4:
      return "scheduler_tasks, scheduler_records, several runs";
  }
  return "";
}

const char* LevelText(int level) {
  switch (level) {
    case 1:
      return "kernel times";
    case 2:
      return "kernel times, scheduler stamps";
    case 3:
      return "kernel times, scheduler stamps, scheduler phases";
    default:
      return "kernel times, scheduler stamps, scheduler phases, orchestrator";
  }
}

uint64_t CoresOf(const Capture& capture, CoreType type) {
  const auto& types = capture.metadata.core_types;
  return static_cast<uint64_t>(std::count(types.begin(), types.end(), type));
}

uint64_t OrchestratorRecords(const Run& run) {
  uint64_t records = 0;
  for (const auto& lane : run.orchestrator_lanes) {
    for (const auto& block : lane) records += block->size();
  }
  return records;
}

uint64_t HostSubmits(const Run& run) {
  uint64_t records = 0;
  for (const auto& lane : run.host_submit_lanes) records += lane.size();
  return records;
}

uint64_t PhaseRecords(const Run& run) {
  uint64_t records = 0;
  for (const SchedulerStream& stream : run.scheduler_streams) records += stream.size();
  return records;
}

std::optional<uint64_t> DroppedOf(const SchedulerStream& stream) {
  if (!stream.counts) return std::nullopt;
  return stream.counts->dropped;
}

// --- capabilities -------------------------------------------------------------------------------

constexpr const char* kRows = "AICore rows";
constexpr const char* kStamps = "scheduler stamps (level 2 or above)";
constexpr const char* kPhases = "scheduler phases (level 3 or above)";
constexpr const char* kSubmits = "submissions of a device orchestrator (level 4)";
constexpr const char* kGraph = "a task graph (--deps)";
constexpr const char* kNames = "function names (--func-names)";

// What the inputs hold, as conditions of capabilities.
struct Contents {
  bool rows, stamps, phases, submits, graph, names;
};

Contents ContentsOf(const Inputs& inputs) {
  const Run& run = inputs.capture->runs[inputs.run_index];
  return {.rows = run.aicore_row_count() > 0,
          .stamps = run.scheduler_row_count() > 0,
          .phases = PhaseRecords(run) > 0,
          .submits = OrchestratorRecords(run) > 0 && !IsHostOrchestrated(*inputs.capture, run),
          .graph = inputs.graph != nullptr,
          .names = inputs.names != nullptr};
}

struct Condition {
  bool met;
  const char* what;
};

Capability Needs(const char* command, const char* answer,
                 const std::vector<Condition>& conditions) {
  Capability capability{command, answer, {}};
  for (const Condition& condition : conditions) {
    if (!condition.met) capability.missing.emplace_back(condition.what);
  }
  return capability;
}

// --- text ---------------------------------------------------------------------------------------

std::string StreamText(const SchedulerStream& stream) {
  std::string text = fmt::format("{} ({})", stream.scheduler_id, stream.size());
  if (stream.counts && stream.counts->dropped > 0) {
    text += fmt::format(" DROPPED {}", stream.counts->dropped);
  }
  return text;
}

std::string RunText(const Run& run, size_t index) {
  std::string out = fmt::format("Run {}", index);
  if (run.epoch) out += fmt::format(" (epoch {})", *run.epoch);
  out += fmt::format("\n  AICore rows     {}\n  scheduler rows  {}\n", run.aicore_row_count(),
                     run.scheduler_row_count());
  std::vector<std::string> streams;
  for (const SchedulerStream& stream : run.scheduler_streams) {
    if (stream.recorded) streams.push_back(StreamText(stream));
  }
  if (!streams.empty()) {
    out += fmt::format("  phase streams   {}\n", fmt::join(streams, ", "));
  }
  const auto count = [&out](const char* name, uint64_t value) {
    if (value > 0) out += fmt::format("  {:<15} {}\n", name, value);
  };
  count("orchestrator", OrchestratorRecords(run));
  count("host submits", HostSubmits(run));
  count("host uploads", run.host_uploads.size());
  count("lifecycle", run.lifecycle.size());
  return out;
}

std::string GraphText(const Inputs& inputs) {
  if (inputs.graph == nullptr) return "none";
  return fmt::format("{} ({} tasks, {} edges)", inputs.graph_name, inputs.graph->task_count(),
                     inputs.graph->edges().size());
}

// --- JSON ---------------------------------------------------------------------------------------

void WriteStream(const SchedulerStream& stream, JsonWriter* json) {
  json->BeginObject();
  json->Member("id", stream.scheduler_id);
  json->Member("producer", capture::ProducerName(stream.producer));
  json->Member("core_type", stream.core_type);
  json->Member("worker_id", stream.worker_id);
  json->Member("records", stream.size());
  json->Member("dropped", DroppedOf(stream));
  json->EndObject();
}

void WriteRun(const Run& run, size_t index, JsonWriter* json) {
  json->BeginObject();
  json->Member("index", index);
  json->Member("epoch", run.epoch);
  json->Member("aicore_rows", run.aicore_row_count());
  json->Member("scheduler_rows", run.scheduler_row_count());
  json->Key("streams");
  json->BeginArray();
  for (const SchedulerStream& stream : run.scheduler_streams) {
    if (stream.recorded) WriteStream(stream, json);
  }
  json->EndArray();
  json->Member("orchestrator_records", OrchestratorRecords(run));
  json->Member("host_submits", HostSubmits(run));
  json->Member("host_uploads", run.host_uploads.size());
  json->Member("lifecycle_records", run.lifecycle.size());
  json->EndObject();
}

void WriteGraph(const Inputs& inputs, JsonWriter* json) {
  json->Key("graph");
  if (inputs.graph == nullptr) {
    json->Null();
    return;
  }
  json->BeginObject();
  json->Member("tasks", inputs.graph->task_count());
  json->Member("nodes", inputs.graph->nodes().size());
  json->Member("edges", inputs.graph->edges().size());
  json->Member("self_edges", inputs.graph->self_edge_count());
  json->Member("repeated_edges", inputs.graph->repeated_edge_count());
  json->EndObject();
}

void WriteOpaqueKeys(const Capture& capture, JsonWriter* json) {
  json->Key("carried_keys");
  json->BeginArray();
  for (const auto& field : capture.metadata.opaque) json->Value("metadata." + field.key);
  for (const auto& field : capture.opaque) json->Value(field.key);
  json->EndArray();
}

void WriteCapabilities(const Inputs& inputs, JsonWriter* json) {
  json->Key("capabilities");
  json->BeginArray();
  for (const Capability& capability : CapabilitiesOf(inputs)) {
    json->BeginObject();
    json->Member("command", capability.command);
    json->Member("answer", capability.answer);
    json->Member("available", capability.available());
    json->Key("missing");
    json->BeginArray();
    for (const std::string& what : capability.missing) json->Value(what);
    json->EndArray();
    json->EndObject();
  }
  json->EndArray();
}

std::vector<capture::Warning> AllWarnings(const Inputs& inputs) {
  std::vector<capture::Warning> warnings = inputs.capture->warnings;
  warnings.insert(warnings.end(), inputs.warnings.begin(), inputs.warnings.end());
  return warnings;
}

}  // namespace

std::vector<Capability> CapabilitiesOf(const Inputs& inputs) {
  const Contents has = ContentsOf(inputs);
  const Condition rows{has.rows, kRows}, stamps{has.stamps, kStamps};
  const Condition phases{has.phases, kPhases}, submits{has.submits, kSubmits};
  const Condition graph{has.graph, kGraph}, names{has.names, kNames};
  return {
      Needs("stats", "kernel times", {rows}),
      Needs("stats", "latency, head, tail and propagation", {rows, stamps}),
      Needs("stats", "functions and their names", {rows, graph, names}),
      Needs("report", "core switch, head and tail (parts 2 to 4)", {rows, stamps}),
      Needs("report", "overhead, verdict and critical-path attribution (parts 1 and 6)",
            {rows, stamps, graph}),
      Needs("report", "scheduler budget (part 5)", {phases}),
      Needs("report", "share of tasks not yet submitted", {rows, stamps, graph, submits}),
      Needs("critical-path", "static and observed path", {rows, graph}),
      Needs("critical-path", "blame", {rows, stamps, graph}),
      Needs("trace", "task bars", {rows}),
      Needs("trace", "scheduler bars and ready-queue depths", {phases}),
      Needs("trace", "dependency arrows and overhead counters", {rows, stamps, graph}),
  };
}

std::string InfoText(const Inputs& inputs) {
  const Capture& capture = *inputs.capture;
  std::string out = fmt::format("records     {}\n", inputs.capture_name);
  out += fmt::format("layout      {} ({})\n", GenerationName(capture.generation),
                     GenerationText(capture.generation));
  out += fmt::format("level       {} ({})\n", capture.level, LevelText(capture.level));
  out += fmt::format("clock       {} Hz\n", capture.metadata.clock_freq_hz);
  out += fmt::format("cores       {} AIC, {} AIV\n", CoresOf(capture, CoreType::kAic),
                     CoresOf(capture, CoreType::kAiv));
  if (capture.metadata.runtime) out += fmt::format("runtime     {}\n", *capture.metadata.runtime);
  out += fmt::format("graph       {}\n", GraphText(inputs));
  out += inputs.names != nullptr
             ? fmt::format("names       {} functions\n", inputs.names->names.size())
             : "names       none\n";
  for (size_t i = 0; i < capture.runs.size(); ++i) out += '\n' + RunText(capture.runs[i], i);

  TextTable table({{"Command", TextTable::Align::kLeft},
                   {"Answer", TextTable::Align::kLeft},
                   {"From these inputs", TextTable::Align::kLeft}});
  for (const Capability& capability : CapabilitiesOf(inputs)) {
    table.AddRow({capability.command, capability.answer,
                  capability.available()
                      ? "yes"
                      : fmt::format("needs {}", fmt::join(capability.missing, ", "))});
  }
  out += '\n' + table.Render(0);
  for (const capture::Warning& warning : AllWarnings(inputs)) {
    out += fmt::format("\n{}: {}\n", warning.code, warning.text);
  }
  return out;
}

std::string InfoJson(const Inputs& inputs) {
  const Capture& capture = *inputs.capture;
  JsonWriter json;
  json.BeginObject();
  json.Member("schema", "simpler.info/1");
  json.Member("generation", GenerationName(capture.generation));
  json.Member("level", capture.level);
  json.Member("clock_freq_hz", capture.metadata.clock_freq_hz);
  json.Member("runtime", capture.metadata.runtime);
  json.Key("cores");
  json.BeginObject();
  json.Member("aic", CoresOf(capture, CoreType::kAic));
  json.Member("aiv", CoresOf(capture, CoreType::kAiv));
  json.EndObject();
  json.Key("runs");
  json.BeginArray();
  for (size_t i = 0; i < capture.runs.size(); ++i) WriteRun(capture.runs[i], i, &json);
  json.EndArray();
  WriteGraph(inputs, &json);
  json.Member("function_names",
              inputs.names != nullptr ? std::optional(inputs.names->names.size()) : std::nullopt);
  WriteCapabilities(inputs, &json);
  WriteOpaqueKeys(capture, &json);
  WriteWarnings(AllWarnings(inputs), &json);
  json.EndObject();
  return json.Take();
}

}  // namespace simpler::report
