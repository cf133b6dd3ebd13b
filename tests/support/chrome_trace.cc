#include "tests/support/chrome_trace.h"

#include <stdexcept>
#include <string_view>
#include <utility>

#include "fmt/format.h"
#include "simdjson.h"
#include "tests/support/traced_run.h"

namespace simpler::support {
namespace {

using simdjson::dom::element;
using simdjson::dom::object;

std::string Text(const element& value) {
  std::string_view text;
  if (value.get(text) == simdjson::SUCCESS) return std::string(text);
  return simdjson::minify(value);
}

std::optional<double> OptionalDouble(const object& event, const char* key) {
  double value = 0;
  if (event[key].get(value) == simdjson::SUCCESS) return value;
  return std::nullopt;
}

std::optional<int64_t> OptionalInt(const object& event, const char* key) {
  int64_t value = 0;
  if (event[key].get(value) == simdjson::SUCCESS) return value;
  return std::nullopt;
}

std::optional<uint64_t> OptionalUint(const object& event, const char* key) {
  uint64_t value = 0;
  if (event[key].get(value) == simdjson::SUCCESS) return value;
  return std::nullopt;
}

std::string OptionalText(const object& event, const char* key) {
  element value;
  return event[key].get(value) == simdjson::SUCCESS ? Text(value) : "";
}

ChromeEvent ParseEvent(const object& event) {
  ChromeEvent result;
  result.phase = OptionalText(event, "ph");
  result.pid = OptionalInt(event, "pid").value();
  result.tid = OptionalInt(event, "tid");
  result.name = OptionalText(event, "name");
  result.category = OptionalText(event, "cat");
  result.colour = OptionalText(event, "cname");
  result.ts = OptionalDouble(event, "ts");
  result.dur = OptionalDouble(event, "dur");
  result.id = OptionalUint(event, "id");
  result.bind_id = OptionalUint(event, "bind_id");
  result.input_task_count = OptionalInt(event, "input_task_count");
  result.output_task_count = OptionalInt(event, "output_task_count");
  object args;
  if (event["args"].get(args) == simdjson::SUCCESS) {
    for (const auto& [key, value] : args) result.args[std::string(key)] = simdjson::minify(value);
  }
  return result;
}

std::string Place(const ChromeEvent& event) {
  return fmt::format("{}:{}@{}", event.pid, event.tid.value(), event.ts.value());
}

}  // namespace

ChromeTrace ParseChromeTrace(const std::string& json) {
  simdjson::dom::parser parser;
  object document;
  simdjson::dom::array events;
  if (parser.parse(json).get(document) != simdjson::SUCCESS ||
      document["traceEvents"].get(events) != simdjson::SUCCESS) {
    throw std::runtime_error("not a trace: " + json.substr(0, 200));
  }
  ChromeTrace trace;
  for (const element& event : events) {
    object fields;
    if (event.get(fields) != simdjson::SUCCESS) throw std::runtime_error("an event is no object");
    trace.events.push_back(ParseEvent(fields));
  }
  object metadata;
  if (document["metadata"].get(metadata) == simdjson::SUCCESS) {
    for (const auto& [key, value] : metadata) {
      trace.metadata[std::string(key)] = simdjson::minify(value);
    }
  }
  return trace;
}

std::vector<ChromeEvent> ChromeTrace::Bars(int64_t pid, std::optional<int64_t> tid) const {
  std::vector<ChromeEvent> bars;
  for (const ChromeEvent& event : events) {
    if (event.phase == "X" && event.pid == pid && (!tid || event.tid == tid)) bars.push_back(event);
  }
  return bars;
}

ChromeEvent ChromeTrace::Bar(int64_t pid, const std::string& name) const {
  std::optional<ChromeEvent> found;
  for (const ChromeEvent& bar : Bars(pid)) {
    if (bar.name != name) continue;
    if (found) throw std::runtime_error("several bars are called " + name);
    found = bar;
  }
  if (!found) throw std::runtime_error("no bar is called " + name);
  return *found;
}

std::vector<std::string> ChromeTrace::BarNames(int64_t pid) const {
  std::vector<std::string> names;
  for (const ChromeEvent& bar : Bars(pid)) names.push_back(bar.name);
  return names;
}

std::vector<ChromeEvent> ChromeTrace::Counters(const std::string& category) const {
  std::vector<ChromeEvent> counters;
  for (const ChromeEvent& event : events) {
    if (event.phase == "C" && event.category == category) counters.push_back(event);
  }
  return counters;
}

std::vector<ChromeArrow> ChromeTrace::Arrows() const {
  std::vector<ChromeArrow> arrows;
  for (size_t i = 0; i < events.size(); ++i) {
    if (events[i].phase != "s") continue;
    const ChromeEvent& from = events[i];
    const ChromeEvent& to = events.at(i + 1);
    if (to.phase != "f" || to.id != from.id || to.name != from.name ||
        to.input_task_count != from.input_task_count) {
      throw std::runtime_error("an arrow has no end: " + from.name);
    }
    arrows.push_back({from.name, Place(from), Place(to), from.input_task_count.value_or(0),
                      from.output_task_count.value_or(0)});
  }
  return arrows;
}

std::vector<ChromeArrow> ChromeTrace::ArrowsFrom(int64_t pid, const std::string& name) const {
  std::vector<ChromeArrow> selected;
  for (const ChromeArrow& arrow : Arrows()) {
    if (arrow.name == name && arrow.from.starts_with(fmt::format("{}:", pid))) {
      selected.push_back(arrow);
    }
  }
  return selected;
}

std::vector<std::string> ChromeTrace::Metadata() const {
  std::vector<std::string> lines;
  for (const ChromeEvent& event : events) {
    if (event.phase != "M") continue;
    const std::string place =
        event.tid ? fmt::format("{}:{}", event.pid, *event.tid) : fmt::format("{}", event.pid);
    std::string argument = event.args.begin()->second;
    if (argument.starts_with('"')) argument = argument.substr(1, argument.size() - 2);
    lines.push_back(fmt::format("{} {} {}", event.name, place, argument));
  }
  return lines;
}

ChromeTrace TraceOf(const CaptureBuilder& builder, const ChromeTraceSettings& settings) {
  const TracedRun run(builder, settings.with_graph);
  timeline::TimelineOptions options = settings.options;
  if (!options.origin) options.origin = builder.origin();
  std::string bytes;
  timeline::StringSink sink(&bytes);
  auto summary = timeline::WriteChromeTrace(run.inputs(), options, sink);
  if (!summary.ok()) throw std::runtime_error(std::string(summary.status().message()));
  if (!sink.Commit().ok()) throw std::runtime_error("commit failed");
  ChromeTrace trace = ParseChromeTrace(bytes);
  trace.summary = *std::move(summary);
  return trace;
}

}  // namespace simpler::support
