// Why the observed critical path stood still: every cycle of the makespan in which no task of the
// path executes is blamed on one class, the same vocabulary wherever the scheduler's part in a
// delay is reported. docs/critical-path.md walks through an example.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "analysis/capture/clock.h"
#include "analysis/overhead/analyze_overhead.h"
#include "analysis/overhead/critical_path.h"

namespace simpler::overhead {

// Classes in order of precedence. A cycle x in the gap before path task t is
enum class BlameClass : uint8_t {
  kFront,            // before t's dispatch, and nothing that t depends on was seen to complete
  kDataWait,         // before t is ready
  kCoreWait,         // before dispatch: an engine of t has no free core; after: t's core is busy
  kPickup,           // dispatched, and the core is free to take it
  kDetection,        // the producer that ended last is not yet known to be finished
  kDispatchLatency,  // everything is known and free, and t is not yet dispatched
};
inline constexpr size_t kBlameClassCount = 6;
// "front", "data_wait", "core_wait", "pickup", "detection", "dispatch_latency". Static storage.
const char* BlameClassName(BlameClass blame);

using BlameSpans = std::array<capture::CycleSpan, kBlameClassCount>;  // cycles, by BlameClass

// compute + the sum of classes == the observed makespan, exactly.
struct Blame {
  capture::CycleSpan compute = 0;
  BlameSpans classes{};
  std::vector<BlameSpans> by_task;  // parallel to ObservedPath::tasks; each sums to its stall

  capture::CycleSpan Class(BlameClass blame) const { return classes[static_cast<size_t>(blame)]; }
};

// Blames the gaps of `path`, the observed path of `inputs`. A class applies where no earlier one
// does, with
//   producers   those known to be completed: by their rows or by a retirement marker; of producers
//               that end together, the one with the larger id is the last;
//   ready       of the refined readiness (readiness.h);
//   free core   as in core_occupancy.h: no outstanding row; a task that runs on both engines waits
//               as soon as either of them has none;
//   t's core    the core of t's row with the smallest start (first row among equals);
//   finish      of a task: of its last row. A producer retired by a marker, or without scheduler
//               stamps, has none, so nothing is blamed on its detection.
// FailedPrecondition when there is no dependency graph or a path task has no dispatch stamp, as at
// level 1. O(n log n).
absl::StatusOr<Blame> BlameObservedPath(const OverheadInputs& inputs, const ObservedPath& path);

}  // namespace simpler::overhead
