// Part 6: compute and injected scheduler time on the path that determines the makespan.
#pragma once

#include <optional>
#include <vector>

#include "analysis/capture/dependency_graph.h"
#include "analysis/capture/task_table.h"
#include "analysis/overhead/overhead_report.h"

namespace simpler::overhead {

// Starts at the task with the largest finish (the smaller id on ties) and repeatedly takes the
// producer with the largest (end, id) among those with rows. Durations of the path's tasks are
// compute; dispatch -> start of the root and end(producer) -> start(consumer) are scheduler time,
// each at least 0. The span runs from the earliest start on the path, or the root's dispatch if
// that is earlier, to the last finish. Absent when no task has a finish or the span is empty. The
// graph must be acyclic. O(tasks + edges into the path).
std::optional<PathAttribution> AttributePath(const std::vector<capture::Task>& tasks,
                                             const capture::TaskNodes& nodes,
                                             const capture::DependencyGraph& graph);

}  // namespace simpler::overhead
