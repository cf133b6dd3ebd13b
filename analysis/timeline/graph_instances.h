// Executions of recorded sub-graphs: one envelope per outer task, from its first preparation to the
// end of its last inner task.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "analysis/capture/clock.h"
#include "analysis/timeline/scheduler_index.h"
#include "analysis/timeline/task_index.h"
#include "analysis/timeline/time_axis.h"

namespace simpler::timeline {

struct GraphInstance {
  uint64_t outer_task = 0;
  uint32_t lane = 0;  // instances that overlap have different lanes
  capture::DeviceCycles prepare_start;
  uint32_t prepare_slices = 0;
  double prepare_us = 0;  // sum over slices
  capture::DeviceCycles execution_start;
  capture::DeviceCycles execution_end;
  uint64_t visible_nodes = 0;  // inner tasks with a row or a dummy record
  uint64_t smallest_node = 0;  // their indices in the sub-graph
  uint64_t largest_node = 0;
};

// The inner task's place, when `task_id` names one.
struct InnerTask {
  uint64_t outer_task;
  uint64_t node;
};
std::optional<InnerTask> DecodeInnerTask(uint64_t task_id, capture::IdLayout layout);
// How DecodeInnerTask reads ids, for people. Static storage.
const char* InnerTaskLayoutName(capture::IdLayout layout);

// Instances with at least one visible inner task, ordered by prepare_start.
std::vector<GraphInstance> FindGraphInstances(const TaskIndex& tasks, const SchedulerIndex& phases,
                                              const TimeAxis& axis);

}  // namespace simpler::timeline
