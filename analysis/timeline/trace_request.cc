#include "analysis/timeline/trace_request.h"

#include <cmath>
#include <limits>

#include "absl/status/status.h"

namespace simpler::timeline {
namespace {

absl::StatusOr<std::optional<TimeWindow>> WindowOf(const TraceRequest& request) {
  if (!request.from_us && !request.to_us) return std::nullopt;
  const TimeWindow window{.from_us = request.from_us.value_or(0),
                          .to_us = request.to_us.value_or(std::numeric_limits<double>::infinity())};
  if (std::isnan(window.from_us) || std::isnan(window.to_us)) {
    return absl::InvalidArgumentError("the window's ends must be numbers of µs");
  }
  if (window.from_us >= window.to_us) {
    return absl::InvalidArgumentError("the window is empty: its end must be above its beginning");
  }
  return window;
}

}  // namespace

absl::StatusOr<TimelineOptions> OptionsFor(const TraceRequest& request) {
  TimelineOptions options =
      request.format == TraceFormat::kPerfetto ? PerfettoDefaults() : ChromeDefaults();
  if (!request.flows.empty()) options.flows.reset();
  for (const std::string& name : request.flows) {
    absl::StatusOr<FlowSet> kinds = ParseFlows(name);
    if (!kinds.ok()) return kinds.status();
    options.flows |= *kinds;
  }
  absl::StatusOr<std::optional<TimeWindow>> window = WindowOf(request);
  if (!window.ok()) return window.status();
  options.window = *window;
  if (request.naming) options.naming = *request.naming;
  options.lanes = request.lanes;
  options.overhead_counters = request.overhead_counters;
  return options;
}

absl::StatusOr<TraceSummary> WriteTrace(TraceFormat format, const TimelineInputs& inputs,
                                        const TimelineOptions& options, ByteSink& sink) {
  return format == TraceFormat::kPerfetto ? WritePerfettoTrace(inputs, options, sink)
                                          : WriteChromeTrace(inputs, options, sink);
}

}  // namespace simpler::timeline
