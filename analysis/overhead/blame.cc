#include "analysis/overhead/blame.h"

#include <algorithm>
#include <map>
#include <optional>

#include "absl/status/status.h"
#include "analysis/capture/labels.h"
#include "analysis/overhead/interval_set.h"
#include "fmt/format.h"

namespace simpler::overhead {
namespace {

using capture::CoreId;
using capture::CoreType;
using capture::CycleSpan;
using capture::DependencyGraph;
using capture::DeviceCycles;
using capture::Task;
using capture::TaskNodes;

// When a core executed anything.
IntervalSet Executing(const CoreRows::Core& core) {
  IntervalSet executing;
  DeviceCycles covered = core.rows.front().start;
  for (const CoreRow& row : core.rows) {
    executing.Append(std::max(row.start, covered), row.end);
    covered = std::max(covered, row.end);
  }
  return executing;
}

class Blamer {
 public:
  explicit Blamer(const OverheadInputs& inputs)
      : inputs_(inputs),
        either_full_(IntervalSet::Union(inputs.occupancy.Full(CoreType::kAic),
                                        inputs.occupancy.Full(CoreType::kAiv))) {}

  // Blame of every cycle in [begin, end), the gap that ends with the start of `task`.
  BlameSpans BlameGap(uint32_t task, DeviceCycles begin, DeviceCycles end) {
    BlameSpans spans{};
    if (begin == end) return spans;
    const Readiness& refined = inputs_.dependencies->refined;
    const bool waits_for_data = refined.from_producers[task];
    const DeviceCycles dispatch = std::clamp(inputs_.tasks[task].dispatch, begin, end);
    const DeviceCycles ready =
        waits_for_data ? std::clamp(refined.ready[task], begin, end) : dispatch;
    Add(waits_for_data ? BlameClass::kDataWait : BlameClass::kFront, ready - begin, spans);
    if (ready < dispatch) BlameScheduling(task, ready, dispatch, spans);
    BlamePickup(task, std::max(ready, dispatch), end, spans);
    return spans;
  }

 private:
  static void Add(BlameClass blame, CycleSpan span, BlameSpans& spans) {
    spans[static_cast<size_t>(blame)] += span;
  }

  // [ready, dispatch): the task could be dispatched and is not.
  void BlameScheduling(uint32_t task, DeviceCycles ready, DeviceCycles dispatch,
                       BlameSpans& spans) const {
    const IntervalSet& full = NoFreeCore(inputs_.tasks[task]);
    const DeviceCycles detected = std::clamp(LastProducerFinish(task), ready, dispatch);
    const auto free = [&full](DeviceCycles from, DeviceCycles to) {
      return (to - from) - full.Measure(from, to);
    };
    Add(BlameClass::kCoreWait, full.Measure(ready, dispatch), spans);
    Add(BlameClass::kDetection, free(ready, detected), spans);
    Add(BlameClass::kDispatchLatency, free(detected, dispatch), spans);
  }

  // [begin, end): dispatched and not yet started.
  void BlamePickup(uint32_t task, DeviceCycles begin, DeviceCycles end, BlameSpans& spans) {
    const CycleSpan busy = ExecutingOn(FirstCore(task)).Measure(begin, end);
    Add(BlameClass::kCoreWait, busy, spans);
    Add(BlameClass::kPickup, (end - begin) - busy, spans);
  }

  // When some engine of the task had no free core.
  const IntervalSet& NoFreeCore(const Task& task) const {
    if (task.RunsOn(CoreType::kAic) && task.RunsOn(CoreType::kAiv)) return either_full_;
    if (task.RunsOn(CoreType::kAic)) return inputs_.occupancy.Full(CoreType::kAic);
    if (task.RunsOn(CoreType::kAiv)) return inputs_.occupancy.Full(CoreType::kAiv);
    return never_;
  }

  // When the scheduler saw the end of the producer that ended last; that end itself where there was
  // nothing to see.
  DeviceCycles LastProducerFinish(uint32_t task) const {
    const TaskNodes& nodes = inputs_.dependencies->nodes;
    const DependencyGraph::NodeIndex node = nodes.node_of_task[task];
    DependencyGraph::NodeIndex last = DependencyGraph::kNoNode;
    DeviceCycles last_end;
    for (DependencyGraph::NodeIndex producer : inputs_.graph->Predecessors(node)) {
      const std::optional<DeviceCycles> end = producer == node ? std::nullopt : EndOf(producer);
      if (!end) continue;
      const bool later = last == DependencyGraph::kNoNode || last_end < *end ||
                         (last_end == *end && last < producer);  // nodes are in order of ids
      if (!later) continue;
      last = producer;
      last_end = *end;
    }
    const uint32_t producer_task = nodes.task_of_node[last];
    const bool stamped =
        producer_task != TaskNodes::kNoTask && inputs_.tasks[producer_task].has_scheduler;
    return stamped ? inputs_.tasks[producer_task].finish : last_end;
  }

  std::optional<DeviceCycles> EndOf(DependencyGraph::NodeIndex producer) const {
    const uint32_t task = inputs_.dependencies->nodes.task_of_node[producer];
    return task == TaskNodes::kNoTask ? inputs_.dependencies->markers.EndOf(producer)
                                      : std::optional(inputs_.tasks[task].end);
  }

  CoreId FirstCore(uint32_t task) const {
    const capture::JoinedRun& rows = *inputs_.rows;
    uint32_t first = inputs_.tasks[task].first_row;
    const uint32_t row_end = first + inputs_.tasks[task].row_count;
    for (uint32_t row = first + 1; row < row_end; ++row) {
      if (rows.start(row) < rows.start(first)) first = row;
    }
    return rows.core(first);
  }

  const IntervalSet& ExecutingOn(CoreId core) {
    const auto [it, inserted] = executing_.try_emplace(core);
    if (inserted) {
      const auto cores = inputs_.core_rows.cores();
      it->second = Executing(*std::lower_bound(
          cores.begin(), cores.end(), core,
          [](const CoreRows::Core& candidate, CoreId id) { return candidate.id < id; }));
    }
    return it->second;
  }

  const OverheadInputs& inputs_;
  const IntervalSet either_full_;
  const IntervalSet never_;
  std::map<CoreId, IntervalSet> executing_;  // of the cores asked for so far
};

absl::Status CheckDispatchStamps(const OverheadInputs& inputs, const ObservedPath& path) {
  for (const PathTask& step : path.tasks) {
    if (inputs.tasks[step.task].has_scheduler) continue;
    return absl::FailedPreconditionError(fmt::format(
        "task {} ({}) of the observed critical path has no dispatch stamp, so its delay cannot be "
        "explained; record at level 2 or higher",
        capture::TaskDisplay(step.id), step.id));
  }
  return absl::OkStatus();
}

}  // namespace

const char* BlameClassName(BlameClass blame) {
  switch (blame) {
    case BlameClass::kFront:
      return "front";
    case BlameClass::kDataWait:
      return "data_wait";
    case BlameClass::kCoreWait:
      return "core_wait";
    case BlameClass::kPickup:
      return "pickup";
    case BlameClass::kDetection:
      return "detection";
    case BlameClass::kDispatchLatency:
      return "dispatch_latency";
  }
  return "unknown";
}

absl::StatusOr<Blame> BlameObservedPath(const OverheadInputs& inputs, const ObservedPath& path) {
  if (!inputs.dependencies) {
    return absl::FailedPreconditionError(
        "blame needs the dependency graph; give the deps.json of this case");
  }
  if (absl::Status status = CheckDispatchStamps(inputs, path); !status.ok()) return status;
  Blamer blamer(inputs);
  Blame blame;
  blame.compute = path.compute;
  blame.by_task.reserve(path.tasks.size());
  for (const PathTask& step : path.tasks) {
    const BlameSpans spans = blamer.BlameGap(step.task, step.start - step.stall, step.start);
    for (size_t i = 0; i < kBlameClassCount; ++i) blame.classes[i] += spans[i];
    blame.by_task.push_back(spans);
  }
  return blame;
}

}  // namespace simpler::overhead
