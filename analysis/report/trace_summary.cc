#include "analysis/report/trace_summary.h"

#include <cstddef>
#include <cstdint>
#include <vector>

#include "analysis/report/common_json.h"
#include "analysis/report/json_writer.h"
#include "fmt/format.h"

namespace simpler::report {
namespace {

using timeline::FlowKind;
using timeline::FlowKindName;
using timeline::kFlowKindCount;
using timeline::TraceSummary;

struct LeftOutCount {
  const char* key;
  const char* text;
  uint64_t TraceSummary::LeftOut::*count;
};
constexpr LeftOutCount kLeftOut[] = {
    {"slices_outside_window", "slices outside the window",
     &TraceSummary::LeftOut::slices_outside_window},
    {"slices_in_filtered_lanes", "slices in other lanes",
     &TraceSummary::LeftOut::slices_in_filtered_lanes},
    {"samples_outside_window", "counter samples outside the window",
     &TraceSummary::LeftOut::samples_outside_window},
    {"samples_in_filtered_tracks", "counter samples in other tracks",
     &TraceSummary::LeftOut::samples_in_filtered_tracks},
    {"samples_unchanged", "counter samples equal to the one before",
     &TraceSummary::LeftOut::samples_unchanged},
    {"flows_leaving", "arrows to something left out", &TraceSummary::LeftOut::flows_leaving},
    {"flows_entering", "arrows from something left out", &TraceSummary::LeftOut::flows_entering},
    {"flows_backwards", "arrows that would run backwards in time",
     &TraceSummary::LeftOut::flows_backwards},
    {"flows_without_slice", "arrows that end where no phase was recorded",
     &TraceSummary::LeftOut::flows_without_slice},
    {"flows_to_self", "arrows from a bar to itself", &TraceSummary::LeftOut::flows_to_self},
    {"flows_repeated", "arrows of a pair that is drawn already",
     &TraceSummary::LeftOut::flows_repeated},
    {"edges_to_absent_tasks", "graph edges to tasks that are not in the run",
     &TraceSummary::LeftOut::edges_to_absent_tasks},
    {"phases_not_drawn", "phase records of kinds that have no lane",
     &TraceSummary::LeftOut::phases_not_drawn},
    {"intervals_incomplete", "lifecycle intervals with one stamp only",
     &TraceSummary::LeftOut::intervals_incomplete},
};

uint64_t FlowCount(const TraceSummary& summary) {
  uint64_t sum = 0;
  for (const uint64_t count : summary.flows) sum += count;
  return sum;
}

std::string BytesText(uint64_t bytes) {
  const double value = static_cast<double>(bytes);
  if (bytes < 1'000) return fmt::format("{} bytes", bytes);
  return bytes < 1'000'000 ? fmt::format("{:.1f} kB", value / 1e3)
                           : fmt::format("{:.1f} MB", value / 1e6);
}

}  // namespace

timeline::TimelineInputs TimelineInputsOf(const Analysis& analysis) {
  return {.rows = &analysis.rows,
          .tasks = &analysis.tasks,
          .graph = analysis.inputs.graph,
          .nodes = analysis.nodes ? &*analysis.nodes : nullptr,
          .names = analysis.inputs.names};
}

std::string TraceDestinationText(const std::string& destination, uint64_t bytes) {
  return fmt::format("Trace written to {} ({})\n", destination, BytesText(bytes));
}

std::string TraceSummaryText(const TraceSummary& summary) {
  std::string out = fmt::format(
      "  {} slices in {} lanes, {} arrows ({} violations), {} counter samples", summary.slices,
      summary.lanes.size(), FlowCount(summary), summary.violations, summary.counter_samples);
  if (summary.parts > 1) out += fmt::format(", {} parts", summary.parts);
  out += '\n';
  if (summary.overflow_slices > 0) {
    out += fmt::format("  {} slices cross their predecessor and are in overlap lanes\n",
                       summary.overflow_slices);
  }
  for (const LeftOutCount& entry : kLeftOut) {
    const uint64_t count = summary.left_out.*entry.count;
    if (count > 0) out += fmt::format("  left out: {} {}\n", count, entry.text);
  }
  for (const capture::Warning& warning : summary.warnings) {
    out += fmt::format("  {}: {}\n", warning.code, warning.text);
  }
  return out;
}

std::string TraceSummaryJson(const TraceSummary& summary) {
  JsonWriter json;
  json.BeginObject();
  json.Member("schema", "simpler.trace-summary/1");
  json.Member("bytes", summary.bytes);
  json.Member("parts", summary.parts);
  json.Member("slices", summary.slices);
  json.Member("overflow_slices", summary.overflow_slices);
  json.Member("counter_samples", summary.counter_samples);
  json.Member("violations", summary.violations);
  json.Key("flows");
  json.BeginObject();
  for (size_t i = 0; i < kFlowKindCount; ++i) {
    json.Member(FlowKindName(static_cast<FlowKind>(i)), summary.flows[i]);
  }
  json.EndObject();
  json.Key("lanes");
  json.BeginArray();
  for (const TraceSummary::LaneCount& lane : summary.lanes) {
    json.BeginObject();
    json.Member("process", lane.process);
    json.Member("lane", lane.lane);
    json.Member("slices", lane.slices);
    json.EndObject();
  }
  json.EndArray();
  json.Key("left_out");
  json.BeginObject();
  for (const LeftOutCount& entry : kLeftOut) {
    json.Member(entry.key, summary.left_out.*entry.count);
  }
  json.EndObject();
  WriteWarnings(summary.warnings, &json);
  json.EndObject();
  return json.Take();
}

}  // namespace simpler::report
