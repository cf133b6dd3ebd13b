#include "analysis/timeline/task_index.h"

#include <algorithm>

#include "analysis/capture/spmd.h"

namespace simpler::timeline {

using capture::DependencyGraph;
using capture::Task;
using capture::TaskNodes;

namespace {

std::vector<bool> FindSpmdTasks(const std::vector<Task>& tasks, const DependencyGraph* graph,
                                const TaskNodes* nodes) {
  if (graph != nullptr) return capture::SpmdTasks(tasks, *graph, *nodes);
  const DependencyGraph none;
  return capture::SpmdTasks(tasks, none, capture::MatchTasks(tasks, none));
}

}  // namespace

TaskIndex::TaskIndex(const capture::JoinedRun& rows, const std::vector<Task>& tasks,
                     const DependencyGraph* graph, const TaskNodes* nodes,
                     const capture::NameMap* names)
    : rows_(rows),
      tasks_(tasks),
      graph_(graph),
      nodes_(nodes),
      layout_(capture::IdLayoutOf(rows.capture())),
      task_of_row_(rows.size()),
      spmd_(FindSpmdTasks(tasks, graph, nodes)) {
  for (uint32_t task = 0; task < tasks.size(); ++task) {
    const auto first = task_of_row_.begin() + tasks[task].first_row;
    std::fill(first, first + tasks[task].row_count, task);
  }
  CollectLabels(names);
  for (uint32_t task = 0; task < tasks.size(); ++task) {
    if (!spmd_[task]) continue;
    spmd_anchors_.push_back(
        {task,
         {ChooseAnchors(task, TaskView::kWorker), ChooseAnchors(task, TaskView::kScheduler)}});
  }
}

uint32_t TaskIndex::FindTask(uint64_t id) const {
  const auto it = std::lower_bound(tasks_.begin(), tasks_.end(), id,
                                   [](const Task& task, uint64_t key) { return task.id < key; });
  return it != tasks_.end() && it->id == id ? static_cast<uint32_t>(it - tasks_.begin())
                                            : TaskNodes::kNoTask;
}

bool TaskIndex::IsSpmdNode(NodeIndex node) const {
  const uint32_t task = TaskOfNode(node);
  if (task != TaskNodes::kNoTask) return spmd_[task];
  return capture::IsSpmdNode(graph_->nodes()[node]);
}

uint32_t TaskIndex::BlockCount(NodeIndex node) const {
  if (!IsSpmdNode(node)) return 1;
  const DependencyGraph::Node& description = graph_->nodes()[node];
  return description.has_block_num ? description.block_num : tasks_[TaskOfNode(node)].row_count;
}

int32_t TaskIndex::FunctionOfRow(size_t row) const {
  const NodeIndex node = NodeOfTask(task_of_row_[row]);
  return node == DependencyGraph::kNoNode
             ? -1
             : capture::ResolveFunction(graph_->nodes()[node], rows_.type(row));
}

uint32_t TaskIndex::LabelOf(int32_t func_id) const { return label_of_function_.at(func_id); }

void TaskIndex::CollectLabels(const capture::NameMap* names) {
  AddLabel(-1, names);
  if (graph_ == nullptr) return;
  for (const DependencyGraph::Node& node : graph_->nodes()) {
    if (!node.has_kernels) continue;
    for (int32_t kernel : node.kernel_ids) AddLabel(std::max(kernel, -1), names);
  }
}

void TaskIndex::AddLabel(int32_t func_id, const capture::NameMap* names) {
  const auto [it, is_new] =
      label_of_function_.try_emplace(func_id, static_cast<uint32_t>(labels_.size()));
  if (!is_new) return;
  std::string plain = capture::FunctionName(func_id, names);
  const std::string with_suffix = capture::TaskLabel(plain, "", /*spmd=*/true);
  std::string spmd = with_suffix.substr(0, with_suffix.size() - 2);  // without "()"
  labels_.push_back({std::move(plain), std::move(spmd)});
}

bool TaskIndex::IsAnchor(size_t row, TaskView view) const {
  if (view == TaskView::kScheduler && !rows_.has_scheduler(row)) return false;
  const uint32_t task = task_of_row_[row];
  if (!spmd_[task]) return true;
  const Anchors& anchors = SpmdAnchorsOf(task, view);
  return std::find(anchors.begin(), anchors.end(), row) != anchors.end();
}

TaskIndex::Anchors TaskIndex::ChooseAnchors(size_t task, TaskView view) const {
  Anchors anchors{kNoRow, kNoRow};
  std::array<int32_t, 2> functions{};
  size_t groups = 0;
  const auto start = [&](uint32_t row) {
    return view == TaskView::kWorker ? rows_.receive(row) : rows_.dispatch(row);
  };
  const uint32_t first = tasks_[task].first_row;
  for (uint32_t row = first; row < first + tasks_[task].row_count; ++row) {
    const int32_t function = FunctionOfRow(row);
    const auto end = functions.begin() + static_cast<ptrdiff_t>(groups);
    const auto group =
        static_cast<size_t>(std::find(functions.begin(), end, function) - functions.begin());
    if (group == groups) functions[groups++] = function;
    if (view == TaskView::kScheduler && !rows_.has_scheduler(row)) continue;
    uint32_t& best = anchors[group];
    if (best == kNoRow ||
        std::pair(start(row), rows_.core(row)) < std::pair(start(best), rows_.core(best))) {
      best = row;
    }
  }
  return anchors;
}

const TaskIndex::Anchors& TaskIndex::SpmdAnchorsOf(size_t task, TaskView view) const {
  const auto it =
      std::lower_bound(spmd_anchors_.begin(), spmd_anchors_.end(), task,
                       [](const SpmdAnchors& anchors, size_t key) { return anchors.task < key; });
  return it->by_view[static_cast<size_t>(view)];
}

}  // namespace simpler::timeline
