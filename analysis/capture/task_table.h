// Rows folded into logical tasks, and their place in the dependency graph.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "analysis/capture/dependency_graph.h"
#include "analysis/capture/joined_run.h"

namespace simpler::capture {

// One logical task: all AICore rows with one task id (SPMD blocks, MIX halves).
struct Task {
  uint64_t id = 0;
  uint32_t first_row = 0;  // rows [first_row, first_row + row_count) of the JoinedRun
  uint32_t row_count = 0;
  uint8_t engines = 0;         // bit (1 << CoreType) for every engine that ran a row
  bool has_scheduler = false;  // at least one row has scheduler stamps
  DeviceCycles start;          // minimum over rows
  DeviceCycles end;            // maximum over rows
  DeviceCycles dispatch;       // minimum over stamped rows; valid when has_scheduler
  DeviceCycles finish;         // maximum over stamped rows; valid when has_scheduler

  bool RunsOn(CoreType type) const { return (engines >> static_cast<int>(type) & 1) != 0; }
};

// Tasks in ascending id order, which is also the order of first appearance in the JoinedRun.
std::vector<Task> FoldTasks(const JoinedRun& rows);

// Correspondence between folded tasks and graph nodes; both lists are sorted by id.
struct TaskNodes {
  static constexpr uint32_t kNoTask = UINT32_MAX;
  std::vector<DependencyGraph::NodeIndex> node_of_task;  // kNoNode: not in the graph
  std::vector<uint32_t> task_of_node;                    // kNoTask: no AICore row
};
TaskNodes MatchTasks(const std::vector<Task>& tasks, const DependencyGraph& graph);

// Makespan window of a run: [first AICore start, last AICore end]. Absent without rows.
struct Window {
  DeviceCycles begin;
  DeviceCycles end;
  CycleSpan length() const { return end - begin; }
};
std::optional<Window> Makespan(const std::vector<Task>& tasks);

}  // namespace simpler::capture
