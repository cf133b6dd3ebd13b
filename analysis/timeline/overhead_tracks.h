// The overhead model over time: eight counters that say when a free core and a ready task stood
// side by side (docs/overhead-model.md).
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "analysis/capture/clock.h"
#include "analysis/timeline/trace.h"

namespace simpler::timeline {

struct OverheadTrack {
  const char* name;  // "oh_aic_idle", …
  int32_t tid;
};

// All eight, in the order of existing traces.
const std::vector<OverheadTrack>& OverheadTracks();

// Why the tracks cannot be drawn, or empty: there are no rows or edges, or a row lacks its
// dispatch.
std::string OverheadTracksMissing(const TimelineInputs& inputs);

// Calls `visit(track, at, value)` for every change of a track's value, in order of time; every
// track of an engine that ran has a value at the first row's start. Call only when nothing is
// missing.
void ForEachOverheadChange(
    const TimelineInputs& inputs,
    const std::function<void(const OverheadTrack&, capture::DeviceCycles, int64_t)>& visit);

}  // namespace simpler::timeline
