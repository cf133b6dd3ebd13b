// A trace as a user asks for it, on the command line or over the wire.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "analysis/timeline/trace.h"

namespace simpler::timeline {

struct TraceRequest {
  TraceFormat format = TraceFormat::kPerfetto;
  std::vector<std::string> flows{};    // ParseFlows names; empty: the format's default
  std::optional<TaskNaming> naming{};  // absent: the format's default
  std::optional<double> from_us{}, to_us{};
  std::vector<std::string> lanes{};  // as TimelineOptions::lanes
  bool overhead_counters = false;

  bool operator==(const TraceRequest&) const = default;
};

// What the writers take. InvalidArgument: unknown flows, or a window that is empty or not a number.
absl::StatusOr<TimelineOptions> OptionsFor(const TraceRequest& request);

// Writes the trace in the request's format; as WritePerfettoTrace and WriteChromeTrace.
absl::StatusOr<TraceSummary> WriteTrace(TraceFormat format, const TimelineInputs& inputs,
                                        const TimelineOptions& options, ByteSink& sink);

}  // namespace simpler::timeline
