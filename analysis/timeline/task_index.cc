#include "analysis/timeline/task_index.h"

#include <algorithm>
#include <map>

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
  for (const auto& block : rows.run().aicore_tasks) {
    for (uint32_t setup : block->receive_to_start) {
      longest_setup_ = std::max(longest_setup_, capture::CycleSpan{setup});
    }
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

void TaskIndex::CollectLabels(const capture::NameMap* names) {
  AddLabel(-1, names);
  label_pairs_.push_back({0, 0});
  label_pair_of_task_.resize(tasks_.size());
  if (graph_ == nullptr) return;
  std::map<LabelPair, uint32_t> numbers;
  for (const DependencyGraph::Node& node : graph_->nodes()) {
    AddLabel(capture::FirstActiveFunction(node), names);
  }
  for (uint32_t task = 0; task < tasks_.size(); ++task) {
    const NodeIndex index = NodeOfTask(task);
    if (index == DependencyGraph::kNoNode) continue;
    const DependencyGraph::Node& node = graph_->nodes()[index];
    const LabelPair pair = {
        AddLabel(capture::ResolveFunction(node, capture::CoreType::kAic), names),
        AddLabel(capture::ResolveFunction(node, capture::CoreType::kAiv), names)};
    const auto [it, is_new] = numbers.try_emplace(pair, static_cast<uint32_t>(label_pairs_.size()));
    if (is_new) label_pairs_.push_back(pair);
    label_pair_of_task_[task] = it->second;
  }
}

uint32_t TaskIndex::AddLabel(int32_t func_id, const capture::NameMap* names) {
  const auto [it, is_new] =
      label_of_function_.try_emplace(func_id, static_cast<uint32_t>(labels_.size()));
  if (is_new) {
    std::string plain = capture::FunctionName(func_id, names);
    const std::string with_suffix = capture::TaskLabel(plain, "", /*spmd=*/true);
    std::string spmd = with_suffix.substr(0, with_suffix.size() - 2);  // without "()"
    labels_.push_back({func_id, std::move(plain), std::move(spmd)});
  }
  return it->second;
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
  std::array<uint32_t, 2> functions{};
  size_t groups = 0;
  const auto start = [&](uint32_t row) {
    return view == TaskView::kWorker ? rows_.receive(row) : rows_.dispatch(row);
  };
  const uint32_t first = tasks_[task].first_row;
  for (uint32_t row = first; row < first + tasks_[task].row_count; ++row) {
    const uint32_t function = LabelOf(task, rows_.type(row));
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
