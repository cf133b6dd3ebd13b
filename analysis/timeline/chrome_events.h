// The events of a Chrome JSON trace as text: what is the same in every event of a kind, the commas,
// and handing the text to a sink in large pieces. What to draw is decided elsewhere.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "analysis/timeline/byte_sink.h"
#include "analysis/timeline/json_text.h"
#include "analysis/timeline/lane_table.h"

namespace simpler::timeline {

// A place in the trace that a flow starts or ends at.
struct ChromePoint {
  Process process;
  int32_t tid = 0;
  double ts = 0;                         // µs
  std::optional<uint64_t> bind_id = {};  // id of the bar there, where it is known
};

class ChromeEvents {
 public:
  explicit ChromeEvents(ByteSink* sink) : sink_(*sink) { text_.Raw(R"({"traceEvents":[)"); }

  void ProcessName(Process process, std::string_view name);
  void ProcessSortIndex(Process process, int index);
  void ThreadName(Process process, int32_t tid, std::string_view name);
  void ThreadSortIndex(Process process, int32_t tid, int index);

  // A bar is: BeginBar, its arguments and whatever else it has as JSON members without a comma in
  // front and behind, EndBar.
  JsonText& BeginBar();
  void EndBar(Process process, int32_t tid, double ts, double dur);

  // A counter sample; the values are the inside of its `args`.
  void Counter(std::string_view category, std::string_view name, int32_t tid, double ts,
               std::string_view values);

  // One arrow. `extra` is more JSON members for both events, each with a comma behind.
  void Flow(std::string_view name, const ChromePoint& from, const ChromePoint& to,
            std::string_view extra = {});

  // Closes the document; `metadata` is an object or empty. Returns what went wrong since the start.
  absl::Status Finish(std::string_view metadata);

  // Not OK: the sink failed and events are no longer kept.
  const absl::Status& status() const { return status_; }

 private:
  static constexpr size_t kFlushBytes = size_t{256} * 1024;

  JsonText& Open();
  void Close();
  void FlowEnd(char phase, std::string_view name, const ChromePoint& point, std::string_view extra);
  void Flush();

  ByteSink& sink_;
  JsonText text_;
  absl::Status status_;
  bool first_ = true;
  uint64_t next_flow_id_ = 0;
};

}  // namespace simpler::timeline
