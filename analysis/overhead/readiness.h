// When a task could have been dispatched: its data exists once every producer has ended.
#pragma once

#include <vector>

#include "analysis/capture/dependency_graph.h"
#include "analysis/capture/task_table.h"
#include "analysis/overhead/retirement_markers.h"

namespace simpler::overhead {

// Indexed like the folded tasks.
struct Readiness {
  std::vector<capture::DeviceCycles> ready;
  // False: no producer is known, `ready` is the task's own dispatch (its start when the task has
  // no scheduler stamps), so it never waits. Assuming the window's begin instead would invent
  // waiting during the dispatch ramp.
  std::vector<bool> from_producers;
};

// ready(T) = max end over the producers of T that have AICore rows; self edges are ignored.
// The rule of every headline figure. O(tasks + edges).
Readiness HeadlineReadiness(const std::vector<capture::Task>& tasks,
                            const capture::TaskNodes& nodes, const capture::DependencyGraph& graph);

// As above, but a producer without rows counts as ended at its retirement marker. O(tasks + edges),
// plus O(log markers) per edge from a producer without rows.
Readiness RefinedReadiness(const std::vector<capture::Task>& tasks, const capture::TaskNodes& nodes,
                           const capture::DependencyGraph& graph, const RetirementMarkers& markers);

}  // namespace simpler::overhead
