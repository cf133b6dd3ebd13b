// Part 1: how long a free core and a ready task stood side by side.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "absl/functional/function_ref.h"
#include "analysis/capture/task_table.h"
#include "analysis/overhead/core_occupancy.h"
#include "analysis/overhead/core_rows.h"
#include "analysis/overhead/count_changes.h"
#include "analysis/overhead/overhead_report.h"

namespace simpler::overhead {

// Cores of each engine that execute a row, over time. Rows of zero length do not count. Sorted.
PerEngine<CountChanges> RunningRows(const CoreRows& rows);

// What the headline sweep sees between two instants of change.
struct OverheadStep {
  struct Engine {
    int64_t idle = 0;   // k_T - running_T; below 0 when rows of one core overlap
    int64_t ready = 0;  // undispatched ready tasks
    bool overhead() const { return idle > 0 && ready > 0; }
  };
  capture::DeviceCycles begin;
  capture::DeviceCycles end;
  PerEngine<Engine> engine;
  bool all = false;
  bool has = false;
};

// Everything the sweep needs, sorted once and reused by the core-switch split.
struct SweepChanges {
  PerEngine<CountChanges> running;
  PerEngine<CountChanges> ready;
  PerEngine<CountChanges> ready_refined;
  std::optional<PerEngine<CountChanges>> ready_submitted;  // absent: submissions are not known
};

// Calls `visit` for every piece of the window in order of time. For presentation over time.
void ForEachOverheadStep(const PerEngine<CountChanges>& running,
                         const PerEngine<CountChanges>& ready, const PerEngine<int>& cores,
                         const capture::Window& window,
                         absl::FunctionRef<void(const OverheadStep&)> visit);

// Sums over the window. O(rows + tasks).
OverheadSweep SweepOverhead(const SweepChanges& changes, const CoreOccupancy& occupancy,
                            const capture::Window& window);

}  // namespace simpler::overhead
