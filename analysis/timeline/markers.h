// Work that AICPU threads do as workers: dummies, predicated skips and allocations. Each is a short
// bar on an AICPU lane of the Worker View, and arrows of its task are tied to it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "analysis/capture/warning.h"
#include "analysis/timeline/orchestrator_index.h"
#include "analysis/timeline/scheduler_index.h"
#include "analysis/timeline/task_index.h"
#include "analysis/timeline/time_axis.h"

namespace simpler::timeline {

// A marker is drawn at least this long, or it could not be seen or clicked.
inline constexpr double kShortestMarkerMicros = 0.02;
inline constexpr int64_t kShortestMarkerNanos = 20;

class Markers {
 public:
  enum class Kind : uint8_t { kDummy, kPredicatedSkip, kAlloc };

  struct Marker {
    uint32_t source;  // scheduler stream, or orchestrator lane of an allocation
    uint32_t record;  // position in it
    Kind kind;

    PhaseId phase() const { return {source, record}; }
    SubmitId submit() const { return {source, record}; }
  };

  Markers(const TaskIndex& tasks, const SchedulerIndex& phases,
          const OrchestratorIndex& orchestrator);

  // Markers of scheduler streams in order of stream and record, then allocations in order of lane
  // and record.
  std::span<const Marker> all() const { return markers_; }
  // Positions in `all()` of the markers of a graph node, ascending.
  std::span<const uint32_t> OfNode(capture::DependencyGraph::NodeIndex node) const;

  // One warning per dummy of the graph that was submitted but left no record.
  const std::vector<capture::Warning>& warnings() const { return warnings_; }

 private:
  void CollectScheduled(const SchedulerIndex& phases);
  void CollectAllocations(const TaskIndex& tasks, const OrchestratorIndex& orchestrator);
  void IndexByNode(const TaskIndex& tasks, const SchedulerIndex& phases,
                   const OrchestratorIndex& orchestrator);
  bool HasMarker(const std::vector<uint64_t>& ids, uint64_t task_id) const;

  std::vector<Marker> markers_;
  std::vector<uint64_t> dummy_ids_;                                // sorted
  std::vector<uint64_t> skip_ids_;                                 // sorted
  std::vector<capture::DependencyGraph::NodeIndex> marked_nodes_;  // ascending, repeats allowed
  std::vector<uint32_t> marker_of_entry_;                          // parallel to marked_nodes_
  std::vector<capture::Warning> warnings_;
};

}  // namespace simpler::timeline
