// Control-plane intervals of AICPU threads.
#pragma once

#include <cstdint>
#include <vector>

#include "analysis/capture/capture.h"

namespace simpler::timeline {

struct LifecycleBar {
  int thread = 0;
  const char* name = "";  // static storage
  capture::DeviceCycles start;
  capture::DeviceCycles end;
};

struct LifecycleBars {
  std::vector<LifecycleBar> bars;  // in order of record, then of interval
  uint64_t incomplete = 0;         // intervals with one stamp only, or that end before they start
};

// Draws an interval when both of its stamps were recorded. Instants of the older record form
// become bars without length. A record without a usable thread id is known by its position.
LifecycleBars CollectLifecycleBars(const capture::Run& run);

}  // namespace simpler::timeline
