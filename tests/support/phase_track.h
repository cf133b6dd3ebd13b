// Turns what one scheduler did, as unordered events, into phase records that exclude each other.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "analysis/capture/capture.h"

namespace simpler::support {

// One thing a scheduler handled at an instant: a task published, a finish detected, a marker.
struct PhaseEvent {
  int64_t at = 0;  // cycles
  capture::PhaseKind kind = capture::PhaseKind::kDispatch;
  bool names_task = false;
  uint64_t task_id = 0;
};

// How events become records.
struct PhaseShape {
  capture::CycleSpan lead = 10;   // a phase begins this long before its first event
  capture::CycleSpan trail = 10;  // and ends this long after its last one
  capture::CycleSpan merge = 20;  // events of one kind this close share a phase
  bool nested_resolve = false;    // each complete holds a resolve record in its trail
};

// Sorts `events`, merges what is close and cuts overlaps, so that phases of one track exclude each
// other. Zero-length markers (dummy_task, predicated_skip) stay where they are. Records carry loop
// counters, pops and queue depths as a device's do.
std::vector<std::shared_ptr<const capture::SchedulerPhaseBlock>> LayOutPhases(
    std::vector<PhaseEvent> events, const PhaseShape& shape);

}  // namespace simpler::support
