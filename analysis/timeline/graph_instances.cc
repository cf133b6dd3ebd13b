#include "analysis/timeline/graph_instances.h"

#include <algorithm>
#include <map>
#include <set>

#include "analysis/timeline/first_fit.h"

namespace simpler::timeline {
namespace {

using capture::DeviceCycles;
using capture::PhaseKind;
using capture::SchedulerPhaseBlock;
using capture::Task;

struct Draft {
  GraphInstance instance;
  std::set<uint64_t> dummies;  // inner tasks seen only as dummies
};
using Drafts = std::map<uint64_t, Draft>;  // by outer task

void AddPreparation(const SchedulerPhaseBlock& block, size_t row, const TimeAxis& axis,
                    Drafts& drafts) {
  const uint64_t outer = block.task_id[row];
  if (outer >> 32 != 0) return;
  GraphInstance& instance = drafts[outer].instance;
  instance.outer_task = outer;
  if (instance.prepare_slices == 0 || block.start[row] < instance.prepare_start) {
    instance.prepare_start = block.start[row];
  }
  ++instance.prepare_slices;
  instance.prepare_us += axis.Micros(block.end[row]) - axis.Micros(block.start[row]);
}

void AddInnerTask(uint64_t node, DeviceCycles start, DeviceCycles end, GraphInstance& instance) {
  const bool is_first = instance.visible_nodes == 0;
  instance.execution_start = is_first ? start : std::min(instance.execution_start, start);
  instance.execution_end = is_first ? end : std::max(instance.execution_end, end);
  instance.smallest_node = is_first ? node : std::min(instance.smallest_node, node);
  instance.largest_node = is_first ? node : std::max(instance.largest_node, node);
  ++instance.visible_nodes;
}

void AddTask(const TaskIndex& tasks, const Task& task, Drafts& drafts) {
  const std::optional<InnerTask> inner = DecodeInnerTask(task.id, tasks.layout());
  if (!inner) return;
  const auto it = drafts.find(inner->outer_task);
  if (it == drafts.end()) return;
  const capture::JoinedRun& rows = tasks.rows();
  DeviceCycles start{INT64_MAX};
  DeviceCycles end{INT64_MIN};
  for (uint32_t row = task.first_row; row < task.first_row + task.row_count; ++row) {
    start = std::min(start, rows.has_scheduler(row) ? rows.dispatch(row) : rows.receive(row));
    end = std::max(end, rows.has_scheduler(row) ? rows.finish(row) : rows.end(row));
  }
  AddInnerTask(inner->node, start, end, it->second.instance);
}

void AddDummy(const TaskIndex& tasks, const SchedulerPhaseBlock& block, size_t row,
              Drafts& drafts) {
  const uint64_t id = block.task_id[row];
  const std::optional<InnerTask> inner = DecodeInnerTask(id, tasks.layout());
  if (!inner) return;
  const auto it = drafts.find(inner->outer_task);
  if (it == drafts.end()) return;
  GraphInstance& instance = it->second.instance;
  const bool counted =
      tasks.FindTask(id) != capture::TaskNodes::kNoTask || !it->second.dummies.insert(id).second;
  AddInnerTask(inner->node, block.start[row], block.end[row], instance);
  if (counted) --instance.visible_nodes;
}

// Calls `visit(block, row)` for the records of one kind that name a task.
template <typename Visitor>
void ForEachTaskPhase(const SchedulerIndex& phases, PhaseKind kind, Visitor&& visit) {
  for (const capture::SchedulerStream& stream : phases.streams()) {
    ForEachPhase(stream, [&](const SchedulerPhaseBlock& block, size_t row) {
      if (block.kind[row] == kind && block.Has(row, SchedulerPhaseBlock::kTaskId)) {
        visit(block, row);
      }
    });
  }
}

}  // namespace

std::optional<InnerTask> DecodeInnerTask(uint64_t task_id, capture::IdLayout layout) {
  const uint64_t low = task_id & 0xFFFFFFFF;
  if (layout == capture::IdLayout::kGraphSpaces) {
    if (task_id >> 62 != 1) return std::nullopt;
    return InnerTask{task_id >> 32 & 0xFFFFF, low};
  }
  if (task_id >> 32 != 1) return std::nullopt;
  return InnerTask{low >> 10, low & 0x3FF};
}

const char* InnerTaskLayoutName(capture::IdLayout layout) {
  return layout == capture::IdLayout::kGraphSpaces ? "space1:(outer_task_id << 32) | node_index"
                                                   : "ring1:(outer_task_id << 10) | node_index";
}

std::vector<GraphInstance> FindGraphInstances(const TaskIndex& tasks, const SchedulerIndex& phases,
                                              const TimeAxis& axis) {
  Drafts drafts;
  ForEachTaskPhase(phases, PhaseKind::kGraphPrepare,
                   [&](const SchedulerPhaseBlock& block, size_t row) {
                     AddPreparation(block, row, axis, drafts);
                   });
  if (drafts.empty()) return {};
  for (const Task& task : tasks.tasks()) AddTask(tasks, task, drafts);
  ForEachTaskPhase(
      phases, PhaseKind::kDummyTask,
      [&](const SchedulerPhaseBlock& block, size_t row) { AddDummy(tasks, block, row, drafts); });

  std::vector<GraphInstance> instances;
  for (const auto& [outer, draft] : drafts) {
    if (draft.instance.visible_nodes > 0) instances.push_back(draft.instance);
  }
  std::stable_sort(instances.begin(), instances.end(),
                   [](const GraphInstance& a, const GraphInstance& b) {
                     return a.prepare_start < b.prepare_start;
                   });
  FirstFit lanes;
  for (GraphInstance& instance : instances) {
    instance.lane = lanes.Place(instance.prepare_start.value, instance.execution_end.value);
  }
  return instances;
}

}  // namespace simpler::timeline
