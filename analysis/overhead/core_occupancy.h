// Which cores could have taken another task: the stricter notion of a free core. From a dispatch to
// the end of the row the core is taken, also during the pickup gap in which it executes nothing.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "analysis/capture/clock.h"
#include "analysis/overhead/core_rows.h"
#include "analysis/overhead/interval_set.h"

namespace simpler::overhead {

// A core is free at x iff none of its rows has occupied_from <= x < end (core_rows.h).
class CoreOccupancy {
 public:
  explicit CoreOccupancy(const CoreRows& rows);

  // Cores of an engine that ran at least one row.
  int cores(capture::CoreType type) const { return engine(type).cores; }
  // Free ones among them at an instant. O(log n).
  int FreeAt(capture::CoreType type, capture::DeviceCycles at) const;
  // When the engine had no free core; empty for an engine without cores.
  const IntervalSet& Full(capture::CoreType type) const { return engine(type).full; }

  // Breakpoints: instants at which a core of the engine is taken / becomes free again, sorted.
  std::span<const capture::DeviceCycles> Taken(capture::CoreType type) const {
    return engine(type).taken;
  }
  std::span<const capture::DeviceCycles> Freed(capture::CoreType type) const {
    return engine(type).freed;
  }

 private:
  struct Engine {
    int cores = 0;
    std::vector<capture::DeviceCycles> taken;
    std::vector<capture::DeviceCycles> freed;
    IntervalSet full;
  };
  const Engine& engine(capture::CoreType type) const { return engines_[static_cast<size_t>(type)]; }

  std::array<Engine, capture::kEngineCount> engines_;
};

}  // namespace simpler::overhead
