// Rows and tasks of a run as a trace shows them: which function a row runs, how it is called, which
// of a task's rows its arrows are tied to.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "analysis/capture/dependency_graph.h"
#include "analysis/capture/joined_run.h"
#include "analysis/capture/labels.h"
#include "analysis/capture/task_table.h"

namespace simpler::timeline {

// The two views that show every task.
enum class TaskView : uint8_t { kWorker = 0, kScheduler = 1 };

// How bars of one function are called in front of "(<task>)".
struct FunctionLabel {
  int32_t func_id = -1;
  std::string plain;  // "qk"
  std::string spmd;   // "qk_spmd"; equal to `plain` when that says spmd already

  const std::string& Text(bool is_spmd) const { return is_spmd ? spmd : plain; }
};

class TaskIndex {
 public:
  using NodeIndex = capture::DependencyGraph::NodeIndex;
  static constexpr uint32_t kNoRow = UINT32_MAX;

  // `graph` and `nodes` are both given or both null, `names` may be null. All are borrowed.
  TaskIndex(const capture::JoinedRun& rows, const std::vector<capture::Task>& tasks,
            const capture::DependencyGraph* graph, const capture::TaskNodes* nodes,
            const capture::NameMap* names);

  const capture::JoinedRun& rows() const { return rows_; }
  const std::vector<capture::Task>& tasks() const { return tasks_; }
  const capture::DependencyGraph* graph() const { return graph_; }

  uint32_t TaskOfRow(size_t row) const { return task_of_row_[row]; }
  // Lanes visit rows in order of time, and with them tasks all over the run, so that most of what
  // is known of a task has to come from memory. A loop over a lane asks for it some slices ahead:
  // first for the row, later for its task.
  void PrefetchRow(size_t row) const { __builtin_prefetch(&task_of_row_[row]); }
  void PrefetchTask(size_t row) const {
    const uint32_t task = task_of_row_[row];
    __builtin_prefetch(&tasks_[task]);
    __builtin_prefetch(&label_pair_of_task_[task]);
    if (nodes_ != nullptr) __builtin_prefetch(&nodes_->node_of_task[task]);
  }
  // No row of the run was received longer before its start than this.
  capture::CycleSpan longest_setup() const { return longest_setup_; }
  // kNoNode without a graph, or when the graph does not know the task.
  NodeIndex NodeOfTask(size_t task) const {
    return nodes_ != nullptr ? nodes_->node_of_task[task] : capture::DependencyGraph::kNoNode;
  }
  // kNoTask when no row belongs to the node.
  uint32_t TaskOfNode(NodeIndex node) const { return nodes_->task_of_node[node]; }
  // Index of the task with this id, or kNoTask. O(log n).
  uint32_t FindTask(uint64_t id) const;

  std::string Display(uint64_t task_id) const { return capture::TaskDisplay(task_id, layout_); }
  capture::IdLayout layout() const { return layout_; }

  // capture::SpmdTasks; without a graph by rows alone.
  bool IsSpmd(size_t task) const { return spmd_[task]; }
  bool IsSpmdNode(NodeIndex node) const;
  // Blocks of the logical task for arrows: 1 unless SPMD.
  uint32_t BlockCount(NodeIndex node) const;

  // Labels of all functions that occur; the first is that of tasks whose function is unknown.
  const std::vector<FunctionLabel>& labels() const { return labels_; }
  // The label of a task's rows on one engine: a position in `labels()`.
  uint32_t LabelOf(size_t task, capture::CoreType type) const {
    const LabelPair& pair = label_pairs_[label_pair_of_task_[task]];
    return type == capture::CoreType::kAic ? pair.aic : pair.other;
  }
  uint32_t LabelOfFunction(int32_t func_id) const { return label_of_function_.at(func_id); }

  // Rows that arrows of a task are tied to in a view: of an SPMD task the earliest visible row of
  // each function (equal starts: the smaller core), of any other task every row. Rows without
  // scheduler stamps have no bar in the Scheduler View and are passed over there.
  template <typename Visitor>
  void ForEachAnchor(size_t task, TaskView view, Visitor&& visit) const {
    if (spmd_[task]) {
      for (uint32_t row : SpmdAnchorsOf(task, view)) {
        if (row != kNoRow) visit(row);
      }
      return;
    }
    const capture::Task& t = tasks_[task];
    for (uint32_t row = t.first_row; row < t.first_row + t.row_count; ++row) {
      if (view == TaskView::kWorker || rows_.has_scheduler(row)) visit(row);
    }
  }
  bool IsAnchor(size_t row, TaskView view) const;

 private:
  // Rows of one task run at most two functions: its AIC kernel and its AIV kernel.
  using Anchors = std::array<uint32_t, 2>;
  struct SpmdAnchors {
    uint32_t task;
    std::array<Anchors, 2> by_view;
  };

  // Tasks with the same kernels share a pair.
  struct LabelPair {
    uint32_t aic;
    uint32_t other;
    friend auto operator<=>(const LabelPair&, const LabelPair&) = default;
  };

  void CollectLabels(const capture::NameMap* names);
  uint32_t AddLabel(int32_t func_id, const capture::NameMap* names);
  Anchors ChooseAnchors(size_t task, TaskView view) const;
  const Anchors& SpmdAnchorsOf(size_t task, TaskView view) const;

  const capture::JoinedRun& rows_;
  const std::vector<capture::Task>& tasks_;
  const capture::DependencyGraph* graph_;
  const capture::TaskNodes* nodes_;
  capture::IdLayout layout_;
  capture::CycleSpan longest_setup_ = 0;
  std::vector<uint32_t> task_of_row_;
  std::vector<bool> spmd_;
  std::vector<SpmdAnchors> spmd_anchors_;  // by ascending task
  std::unordered_map<int32_t, uint32_t> label_of_function_;
  std::vector<FunctionLabel> labels_;
  std::vector<LabelPair> label_pairs_;
  std::vector<uint32_t> label_pair_of_task_;
};

}  // namespace simpler::timeline
