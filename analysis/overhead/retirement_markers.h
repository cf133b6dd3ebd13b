// When tasks that never reach an AICore were retired. Such producers have no row, yet the scheduler
// leaves a marker for them: a `dummy_task` or `predicated_skip` record, or (an allocation) the
// device orchestrator's `orch_submit`.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "analysis/capture/capture.h"
#include "analysis/capture/dependency_graph.h"
#include "analysis/capture/task_table.h"

namespace simpler::overhead {

class RetirementMarkers {
 public:
  // Markers of the graph nodes that have no AICore row. A node with several records of one kind is
  // retired at the latest end. An `orch_submit` is an allocation when its task has neither a kernel
  // list in the graph nor a dummy or skip record; submits of a host orchestrator lie on another
  // clock and are not used.
  static RetirementMarkers Collect(const capture::Run& run, const capture::DependencyGraph& graph,
                                   const capture::TaskNodes& nodes);

  // Device time at which the node was retired; absent when there is no marker. O(log n).
  std::optional<capture::DeviceCycles> EndOf(capture::DependencyGraph::NodeIndex node) const;
  size_t size() const { return markers_.size(); }

 private:
  struct Marker {
    capture::DependencyGraph::NodeIndex node;
    capture::DeviceCycles end;
  };
  // Sorts and keeps the latest end of every node.
  static void Normalise(std::vector<Marker>& markers);

  std::vector<Marker> markers_;  // ascending node, unique
};

}  // namespace simpler::overhead
