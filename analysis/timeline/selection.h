// Which slices and arrows a trace keeps.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "analysis/timeline/anchors.h"
#include "analysis/timeline/model.h"

namespace simpler::timeline {

// A piece of the time axis, [from, to) in ns.
struct NanoWindow {
  int64_t from = std::numeric_limits<int64_t>::min();
  int64_t to = std::numeric_limits<int64_t>::max();
  // Keep also slices that started earlier and are still running at `from`. All parts of a trace but
  // the first leave them to the part before.
  bool keep_running = true;

  bool HoldsInstant(int64_t at) const { return from <= at && at < to; }
  bool HoldsSlice(int64_t start, int64_t end) const {
    return start < to && (start >= from || (keep_running && end > from));
  }
  bool is_everything() const {
    return from == std::numeric_limits<int64_t>::min() && to == std::numeric_limits<int64_t>::max();
  }
};

// The options' window; everything when they have none.
NanoWindow WindowOf(const TimelineOptions& options);

// Whether the bar of an anchor is in the trace.
bool Keeps(const Model& model, const NanoWindow& window, Anchor anchor, TaskView view);

// OK when every Worker View bar of a path task is in the trace, else FailedPrecondition.
absl::Status CheckPathIsKept(const Model& model, const TimelineOptions& options);

}  // namespace simpler::timeline
