#include "analysis/overhead/critical_path.h"

#include <algorithm>
#include <charconv>
#include <string_view>
#include <utility>

#include "absl/status/status.h"

namespace simpler::overhead {
namespace {

using capture::CycleSpan;
using capture::DependencyGraph;
using capture::DeviceCycles;
using capture::JoinedRun;
using capture::Task;
using capture::TaskNodes;

constexpr uint32_t kNoTask = TaskNodes::kNoTask;

// Order of two ids as decimal text ("10" < "9"). Only reached when everything before is equal.
bool LessAsText(uint64_t a, uint64_t b) {
  char a_digits[20], b_digits[20];
  const auto text = [](char(&digits)[20], uint64_t id) {
    return std::string_view(digits, std::to_chars(digits, digits + 20, id).ptr - digits);
  };
  return text(a_digits, a) < text(b_digits, b);
}

// One execution on a core, with the index of its task.
struct Slice {
  DeviceCycles start;
  DeviceCycles end;
  uint32_t task;
};

// Index of the task of every row.
std::vector<uint32_t> TaskOfRow(const OverheadInputs& inputs) {
  std::vector<uint32_t> task_of_row(inputs.rows->size());
  for (uint32_t task = 0; task < inputs.tasks.size(); ++task) {
    const auto first = task_of_row.begin() + inputs.tasks[task].first_row;
    std::fill(first, first + inputs.tasks[task].row_count, task);
  }
  return task_of_row;
}

// The slices of one core in order of (start, end, id as text).
std::vector<Slice> SlicesOf(const CoreRows::Core& core, const std::vector<uint32_t>& task_of_row,
                            const std::vector<Task>& tasks) {
  std::vector<Slice> slices;
  slices.reserve(core.rows.size());
  for (const CoreRow& row : core.rows) {
    slices.push_back({row.start, row.end, task_of_row[row.row]});
  }
  const auto earlier = [&tasks](const Slice& a, const Slice& b) {
    if (a.start != b.start) return a.start < b.start;
    if (a.end != b.end) return a.end < b.end;
    return a.task != b.task && LessAsText(tasks[a.task].id, tasks[b.task].id);
  };
  if (!std::is_sorted(slices.begin(), slices.end(), earlier)) {
    std::sort(slices.begin(), slices.end(), earlier);
  }
  return slices;
}

// A predecessor that may have held a task up.
struct Candidate {
  DeviceCycles end;
  uint32_t task = kNoTask;
  StallCause cause = StallCause::kFrontGap;
};

// For every task, the previous occupant of the core it began on: the task that ends last among
// those that began earlier on that core, if it ended by the start. Of several cores the one freed
// last counts, the smallest core id among equals.
std::vector<Candidate> CorePredecessors(const OverheadInputs& inputs, CycleSpan tolerance) {
  const std::vector<Task>& tasks = inputs.tasks;
  const std::vector<uint32_t> task_of_row = TaskOfRow(inputs);
  std::vector<Candidate> predecessors(tasks.size());
  for (const CoreRows::Core& core : inputs.core_rows.cores()) {
    const std::vector<Slice> slices = SlicesOf(core, task_of_row, tasks);
    const Slice* last = nullptr;  // of the slices so far, the first that ended last
    for (const Slice& slice : slices) {
      Candidate& best = predecessors[slice.task];
      if (last != nullptr && last->task != slice.task && slice.start == tasks[slice.task].start &&
          last->end - slice.start <= tolerance && (best.task == kNoTask || last->end > best.end)) {
        best = {last->end, last->task, StallCause::kCoreWait};
      }
      if (last == nullptr || slice.end > last->end) last = &slice;
    }
  }
  return predecessors;
}

// Which of `candidates` (task indices, ascending, not empty) has the first row of the capture.
uint32_t FirstRecorded(const JoinedRun& rows, const std::vector<Task>& tasks,
                       const std::vector<uint32_t>& candidates) {
  if (candidates.size() == 1) return candidates.front();
  for (const auto& block : rows.run().aicore_tasks) {
    for (uint64_t id : block->task_id) {
      const auto it = std::lower_bound(
          candidates.begin(), candidates.end(), id,
          [&tasks](uint32_t candidate, uint64_t value) { return tasks[candidate].id < value; });
      if (it != candidates.end() && tasks[*it].id == id) return *it;
    }
  }
  return candidates.front();
}

class PathFinder {
 public:
  PathFinder(const OverheadInputs& inputs, CycleSpan tolerance)
      : inputs_(inputs),
        tasks_(inputs.tasks),
        graph_(*inputs.graph),
        nodes_(inputs.dependencies->nodes),
        tolerance_(tolerance) {}

  CriticalPath Find() {
    CriticalPath path;
    if (tasks_.empty()) return path;
    FindStatic(path);
    path.observed = Tile(WalkBack());
    return path;
  }

 private:
  // Calls `visit(task)` for every producer of `task` whose edge the timing confirms.
  template <typename Visitor>
  void ForEachKeptProducer(uint32_t task, Visitor&& visit) const {
    const DependencyGraph::NodeIndex node = nodes_.node_of_task[task];
    if (node == DependencyGraph::kNoNode) return;
    for (DependencyGraph::NodeIndex pred : graph_.Predecessors(node)) {
      const uint32_t producer = nodes_.task_of_node[pred];
      if (producer == kNoTask) continue;
      const bool confirmed = tasks_[producer].end - tasks_[task].start <= tolerance_ &&
                             tasks_[producer].start < tasks_[task].start;
      if (confirmed) visit(producer);
    }
  }

  // Kept edges run from an earlier to a later start, so the order of starts is topological.
  std::vector<uint32_t> TasksByStart() const {
    std::vector<std::pair<DeviceCycles, uint32_t>> starts;  // beside the task: sorts in the cache
    starts.reserve(tasks_.size());
    for (uint32_t task = 0; task < tasks_.size(); ++task) {
      starts.emplace_back(tasks_[task].start, task);
    }
    std::sort(starts.begin(), starts.end());
    std::vector<uint32_t> order;
    order.reserve(starts.size());
    for (const auto& [start, task] : starts) order.push_back(task);
    return order;
  }

  void FindStatic(CriticalPath& path) const {
    std::vector<CycleSpan> length(tasks_.size());  // of the longest chain that ends with the task
    std::vector<uint32_t> previous(tasks_.size(), kNoTask);
    for (uint32_t task : TasksByStart()) {
      CycleSpan before = 0;
      ForEachKeptProducer(task, [&](uint32_t producer) {
        ++path.kept_edges;
        if (length[producer] <= before) return;
        before = length[producer];
        previous[task] = producer;
      });
      length[task] = before + (tasks_[task].end - tasks_[task].start);
    }
    const uint32_t last = FirstRecorded(*inputs_.rows, tasks_, AllMaximal(length));
    path.static_path.length = length[last];
    for (uint32_t task = last; task != kNoTask; task = previous[task]) {
      const CycleSpan duration = tasks_[task].end - tasks_[task].start;
      path.static_path.tasks.push_back(Describe(task, duration, 0, std::nullopt));
    }
    std::reverse(path.static_path.tasks.begin(), path.static_path.tasks.end());
  }

  template <typename Value>
  static std::vector<uint32_t> AllMaximal(const std::vector<Value>& values) {
    const Value maximum = *std::max_element(values.begin(), values.end());
    std::vector<uint32_t> indices;
    for (uint32_t i = 0; i < values.size(); ++i) {
      if (values[i] == maximum) indices.push_back(i);
    }
    return indices;
  }

  // A step of the observed path: a task and what the gap before it waits for.
  struct Step {
    uint32_t task;
    StallCause cause;
  };

  // From the last task to end back to the head of the path; in order of time. Ends because every
  // predecessor starts strictly earlier.
  std::vector<Step> WalkBack() const {
    const std::vector<Candidate> core_predecessors = CorePredecessors(inputs_, tolerance_);
    std::vector<Step> steps;
    for (uint32_t task = LastToEnd(); task != kNoTask;) {
      const Candidate binding = BindingPredecessor(task, core_predecessors[task]);
      steps.push_back({task, binding.cause});
      task = binding.task;
    }
    std::reverse(steps.begin(), steps.end());
    return steps;
  }

  uint32_t LastToEnd() const {
    std::vector<DeviceCycles> ends;
    ends.reserve(tasks_.size());
    for (const Task& task : tasks_) ends.push_back(task.end);
    return FirstRecorded(*inputs_.rows, tasks_, AllMaximal(ends));
  }

  // The predecessor that ended last; kFrontGap without task when there is none.
  Candidate BindingPredecessor(uint32_t task, const Candidate& core_predecessor) const {
    Candidate best;
    const auto offer = [&](const Candidate& candidate) {
      if (best.task == kNoTask || Precedes(best, candidate)) best = candidate;
    };
    if (core_predecessor.task != kNoTask &&
        tasks_[core_predecessor.task].start < tasks_[task].start) {
      offer(core_predecessor);
    }
    ForEachKeptProducer(task, [&](uint32_t producer) {
      offer({tasks_[producer].end, producer, StallCause::kDataWait});
    });
    return best;
  }

  bool Precedes(const Candidate& a, const Candidate& b) const {
    if (a.end != b.end) return a.end < b.end;
    if (a.task != b.task) return LessAsText(tasks_[a.task].id, tasks_[b.task].id);
    return a.cause == StallCause::kCoreWait && b.cause == StallCause::kDataWait;
  }

  // Divides the makespan among the steps: whatever no step computes in is stall before the next.
  ObservedPath Tile(const std::vector<Step>& steps) const {
    const capture::Window window = *inputs_.window;
    ObservedPath path;
    path.makespan = window.length();
    DeviceCycles frontier = window.begin;
    for (const Step& step : steps) {
      const Task& task = tasks_[step.task];
      const CycleSpan stall = std::max<CycleSpan>(0, task.start - frontier);
      const CycleSpan compute = std::max<CycleSpan>(0, task.end - std::max(task.start, frontier));
      path.tasks.push_back(Describe(step.task, compute, stall, step.cause));
      path.compute += compute;
      path.stall += stall;
      path.by_cause[static_cast<size_t>(step.cause)] += stall;
      frontier = std::max(frontier, task.end);
    }
    return path;
  }

  PathTask Describe(uint32_t task, CycleSpan compute, CycleSpan stall,
                    std::optional<StallCause> cause) const {
    return {task, tasks_[task].id, tasks_[task].start, tasks_[task].end, compute, stall, cause};
  }

  const OverheadInputs& inputs_;
  const std::vector<Task>& tasks_;
  const DependencyGraph& graph_;
  const TaskNodes& nodes_;
  const CycleSpan tolerance_;
};

}  // namespace

const char* StallCauseName(StallCause cause) {
  switch (cause) {
    case StallCause::kDataWait:
      return "data_wait";
    case StallCause::kCoreWait:
      return "core_wait";
    case StallCause::kFrontGap:
      return "front_gap";
  }
  return "unknown";
}

absl::StatusOr<CriticalPath> FindCriticalPath(const OverheadInputs& inputs,
                                              const CriticalPathOptions& options) {
  if (!inputs.dependencies) {
    return absl::FailedPreconditionError(
        "a critical path needs the dependency graph; give the deps.json of this case");
  }
  return PathFinder(inputs, options.tolerance).Find();
}

std::vector<bool> OnPath(const std::vector<PathTask>& path, size_t task_count) {
  std::vector<bool> on_path(task_count);
  for (const PathTask& step : path) on_path[step.task] = true;
  return on_path;
}

}  // namespace simpler::overhead
