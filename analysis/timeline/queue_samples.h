// Depths of the shared ready queues over time.
#pragma once

#include <functional>

#include "analysis/capture/blocks.h"
#include "analysis/capture/clock.h"
#include "analysis/timeline/scheduler_index.h"

namespace simpler::timeline {

// Calls `visit(at, depths)` for every sample of every scheduler in order of time. A sample is taken
// at the end of a phase.
void ForEachQueueSample(
    const SchedulerIndex& phases,
    const std::function<void(capture::DeviceCycles, const capture::QueueDepths&)>& visit);

}  // namespace simpler::timeline
