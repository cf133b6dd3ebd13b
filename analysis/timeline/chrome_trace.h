// The Chrome JSON form of a timeline: the events of existing tools, in their order.
#pragma once

#include "absl/status/statusor.h"
#include "analysis/timeline/byte_sink.h"
#include "analysis/timeline/model.h"
#include "analysis/timeline/selection.h"
#include "analysis/timeline/trace.h"

namespace simpler::timeline {

// Writes the part of the timeline that `window` holds. Fails only with the sink.
absl::StatusOr<TraceSummary> WriteChromeEvents(const Model& model, const TimelineInputs& inputs,
                                               const TimelineOptions& options,
                                               const NanoWindow& window, ByteSink& sink);

}  // namespace simpler::timeline
