// Chrome JSON traces as tests see them: written from a built capture, read back as events.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "analysis/timeline/trace.h"
#include "tests/support/capture_builder.h"

namespace simpler::support {

// One event. Arguments keep their JSON text, strings with quotes: {"phase", "\"drain\""}.
struct ChromeEvent {
  std::string phase;  // "M", "X", "s", "f" or "C"
  int64_t pid = 0;
  std::optional<int64_t> tid;
  std::string name;
  std::string category;
  std::string colour;
  std::optional<double> ts;
  std::optional<double> dur;
  std::optional<uint64_t> id;
  std::optional<uint64_t> bind_id;
  std::optional<int64_t> input_task_count;
  std::optional<int64_t> output_task_count;
  std::map<std::string, std::string> args;

  // The argument as a number; throws when there is none.
  double Number(const std::string& key) const { return std::stod(args.at(key)); }
};

// "4:10000@11.5": process, lane and time of one end of an arrow.
struct ChromeArrow {
  std::string name;
  std::string from;
  std::string to;
  int64_t input_task_count = 0;
  int64_t output_task_count = 0;
};

struct ChromeTrace {
  std::vector<ChromeEvent> events;
  std::map<std::string, std::string> metadata;  // JSON text of each member
  timeline::TraceSummary summary;

  // Bars of a process in the order of the file; of a lane when `tid` is given.
  std::vector<ChromeEvent> Bars(int64_t pid, std::optional<int64_t> tid = {}) const;
  // The only bar of that name in the process; throws when there is none or more.
  ChromeEvent Bar(int64_t pid, const std::string& name) const;
  std::vector<std::string> BarNames(int64_t pid) const;
  std::vector<ChromeEvent> Counters(const std::string& category) const;
  // Arrows in the order of the file. Checks that both ends agree.
  std::vector<ChromeArrow> Arrows() const;
  // Those whose start is in the process.
  std::vector<ChromeArrow> ArrowsFrom(int64_t pid, const std::string& name) const;
  // "process_name 4 Worker View", "thread_name 4:10000 AIC_0", … in the order of the file.
  std::vector<std::string> Metadata() const;
};

// Parses a document; throws std::runtime_error when it is not a trace.
ChromeTrace ParseChromeTrace(const std::string& json);

// Writes the capture's first run as Chrome JSON and reads it back. Unless the options say
// otherwise, time zero is 0 µs of the builder. Throws on errors.
struct ChromeTraceSettings {
  timeline::TimelineOptions options = timeline::ChromeDefaults();
  bool with_graph = true;
};
ChromeTrace TraceOf(const CaptureBuilder& builder, const ChromeTraceSettings& settings = {});

}  // namespace simpler::support
