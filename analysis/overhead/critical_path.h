// Two critical paths through one run.
//
// The static path is the longest chain of dependent tasks by duration: no schedule on any number
// of cores finishes sooner. The observed path is what really held the run up: from the last task
// to end, backwards through whatever ended last before each task could start, be it a producer or
// the previous occupant of its core. docs/critical-path.md describes both with an example.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "absl/status/statusor.h"
#include "analysis/capture/clock.h"
#include "analysis/overhead/analyze_overhead.h"

namespace simpler::overhead {

// What the gap before a task on the observed path was waiting for.
enum class StallCause : uint8_t {
  kDataWait,  // the end of a producer
  kCoreWait,  // the core: its previous occupant ended last
  kFrontGap,  // neither: the head of the path
};
inline constexpr size_t kStallCauseCount = 3;
// "data_wait", "core_wait", "front_gap". Static storage.
const char* StallCauseName(StallCause cause);

// One task on a path. All spans are in device cycles.
struct PathTask {
  uint32_t task = 0;  // index into OverheadInputs::tasks
  uint64_t id = 0;
  capture::DeviceCycles start;
  capture::DeviceCycles end;
  // Observed path: the part of [start, end) not covered by earlier path tasks. Static path: end -
  // start.
  capture::CycleSpan compute = 0;
  capture::CycleSpan stall = 0;     // gap between the path before it and its start; static path: 0
  std::optional<StallCause> cause;  // of the gap, even of an empty one; absent on the static path
};

struct StaticPath {
  capture::CycleSpan length = 0;  // sum of the durations of `tasks`
  std::vector<PathTask> tasks;    // in dependency order
};

// compute + stall == makespan and the sum of by_cause == stall, exactly.
struct ObservedPath {
  capture::CycleSpan makespan = 0;  // first start to last end over all tasks of the run
  capture::CycleSpan compute = 0;
  capture::CycleSpan stall = 0;
  std::array<capture::CycleSpan, kStallCauseCount> by_cause{};  // indexed by StallCause
  std::vector<PathTask> tasks;                                  // start strictly ascends

  capture::CycleSpan ByCause(StallCause cause) const {
    return by_cause[static_cast<size_t>(cause)];
  }
};

struct CriticalPath {
  uint64_t kept_edges = 0;  // edges between executed tasks that the timing confirms
  StaticPath static_path;
  ObservedPath observed;
};

struct CriticalPathOptions {
  // An edge or a core hand-over still counts as one when the successor starts up to this many
  // cycles before the predecessor ends: stamps of two cores are that inexact.
  capture::CycleSpan tolerance = 2;
};

// Both paths of a run; empty paths when it has no rows. Only AICore rows and the graph are used, so
// every capture level will do.
//
// An edge p -> s is kept when both tasks ran, end(p) <= start(s) + tolerance and start(p) <
// start(s). Equal choices are resolved so that results do not depend on the platform:
//   * the last task of either path: the one whose first row comes first in the capture;
//   * producers on the static path: the first in edge order;
//   * predecessors on the observed path that end together: the larger id when ids are compared as
//     decimal text, and a producer before a core's previous occupant if both are the same task;
//   * cores freed at the same time: the smaller core id.
//
// FailedPrecondition without a dependency graph. O(n log n).
absl::StatusOr<CriticalPath> FindCriticalPath(const OverheadInputs& inputs,
                                              const CriticalPathOptions& options = {});

// For every folded task whether it is on `path`: what a timeline needs to dim the others.
std::vector<bool> OnPath(const std::vector<PathTask>& path, size_t task_count);

}  // namespace simpler::overhead
