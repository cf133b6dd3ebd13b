#include "analysis/capture/task_table.h"

#include <algorithm>

namespace simpler::capture {
namespace {

Task OpenTask(const JoinedRun& rows, size_t i) {
  Task task;
  task.id = rows.task_id(i);
  task.first_row = static_cast<uint32_t>(i);
  task.start = rows.start(i);
  task.end = rows.end(i);
  return task;
}

void AddRow(const JoinedRun& rows, size_t i, Task& task) {
  ++task.row_count;
  task.engines = static_cast<uint8_t>(task.engines | 1u << static_cast<int>(rows.type(i)));
  task.start = std::min(task.start, rows.start(i));
  task.end = std::max(task.end, rows.end(i));
  if (!rows.has_scheduler(i)) return;
  const DeviceCycles dispatch = rows.dispatch(i);
  const DeviceCycles finish = rows.finish(i);
  task.dispatch = task.has_scheduler ? std::min(task.dispatch, dispatch) : dispatch;
  task.finish = task.has_scheduler ? std::max(task.finish, finish) : finish;
  task.has_scheduler = true;
}

}  // namespace

std::vector<Task> FoldTasks(const JoinedRun& rows) {
  std::vector<Task> tasks;
  for (size_t i = 0; i < rows.size(); ++i) {
    if (tasks.empty() || tasks.back().id != rows.task_id(i)) tasks.push_back(OpenTask(rows, i));
    AddRow(rows, i, tasks.back());
  }
  return tasks;
}

TaskNodes MatchTasks(const std::vector<Task>& tasks, const DependencyGraph& graph) {
  TaskNodes match;
  match.node_of_task.assign(tasks.size(), DependencyGraph::kNoNode);
  match.task_of_node.assign(graph.nodes().size(), TaskNodes::kNoTask);
  size_t node = 0;
  for (size_t task = 0; task < tasks.size(); ++task) {
    while (node < graph.nodes().size() && graph.nodes()[node].id < tasks[task].id) ++node;
    if (node == graph.nodes().size()) break;
    if (graph.nodes()[node].id != tasks[task].id) continue;
    match.node_of_task[task] = static_cast<DependencyGraph::NodeIndex>(node);
    match.task_of_node[node] = static_cast<uint32_t>(task);
  }
  return match;
}

std::optional<Window> Makespan(const std::vector<Task>& tasks) {
  if (tasks.empty()) return std::nullopt;
  Window window{tasks.front().start, tasks.front().end};
  for (const Task& task : tasks) {
    window.begin = std::min(window.begin, task.start);
    window.end = std::max(window.end, task.end);
  }
  return window;
}

}  // namespace simpler::capture
