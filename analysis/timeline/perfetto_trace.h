// The Perfetto form of a timeline: one packet sequence per lane, written lane by lane.
#pragma once

#include "absl/status/statusor.h"
#include "analysis/timeline/byte_sink.h"
#include "analysis/timeline/model.h"
#include "analysis/timeline/selection.h"
#include "analysis/timeline/trace.h"

namespace simpler::timeline {

// Writes the part of the timeline that `window` holds. Fails only with the sink, or when a slice
// has more arrows than fit into a packet (PerfettoWriter::kMaxPacketBytes).
absl::StatusOr<TraceSummary> WritePerfettoPackets(const Model& model, const TimelineInputs& inputs,
                                                  const TimelineOptions& options,
                                                  const NanoWindow& window, ByteSink& sink);

}  // namespace simpler::timeline
