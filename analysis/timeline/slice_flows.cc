#include "analysis/timeline/slice_flows.h"

#include <algorithm>

namespace simpler::timeline {

using capture::DependencyGraph;
using capture::DeviceCycles;

SliceFlows::SliceFlows(const Model& model, const TimelineOptions& options, const NanoWindow& window,
                       TraceCounts* counts)
    : model_(model),
      options_(options),
      window_(window),
      counts_(*counts),
      keeps_everything_(window.is_everything() && options.lanes.empty()) {
  const bool wants_dispatches =
      Wants(FlowKind::kDispatchWorker) || Wants(FlowKind::kDispatchScheduler);
  if (wants_dispatches || Wants(FlowKind::kCompleteReady) || Wants(FlowKind::kSubmitDispatch)) {
    for (uint32_t stream = 0; stream < model.phases.streams().size(); ++stream) {
      bars_.push_back(OuterBars(model.phases, stream));
    }
  }
  CollectCompletions();
  if (wants_dispatches) CollectDispatches();
  if (Wants(FlowKind::kSubmitDispatch)) CollectSubmits();
  counts_.summary().left_out.flows_repeated += table_.Seal();
}

bool SliceFlows::StartsEarlier(Instant a, Instant b) const {
  return a.on_host == b.on_host ? a.value < b.value : model_.axis.Nanos(a) < model_.axis.Nanos(b);
}

bool SliceFlows::KeepsPhase(PhaseId id) const {
  if (keeps_everything_) return true;
  return model_.lanes.lanes()[model_.LaneOf(id)].kept &&
         window_.HoldsSlice(model_.axis.Nanos(model_.phases.Start(id)),
                            model_.axis.Nanos(model_.phases.End(id)));
}

bool SliceFlows::KeepsSubmit(SubmitId id) const {
  if (keeps_everything_) return true;
  const OrchestratorRecord record = model_.orchestrator.At(id);
  return model_.lanes.lanes()[model_.lanes.Orchestrator(id.lane)].kept &&
         window_.HoldsSlice(model_.axis.Nanos(record.start), model_.axis.Nanos(record.end));
}

// --- Arrows that are collected.

SliceFlows::End SliceFlows::AtAnchor(uint32_t row, TaskView view) const {
  const Anchor anchor{false, row};
  return {NumberOf(model_, anchor, view), StartOf(model_, anchor, view), KeepsAnchor(anchor, view)};
}

SliceFlows::End SliceFlows::AtPhase(PhaseId id) const {
  return {model_.numbers.Phase(model_.phases.Ordinal(id)), Instant::Device(model_.phases.Start(id)),
          KeepsPhase(id)};
}

void SliceFlows::Collect(FlowKind kind, const End& from, const End& to) {
  TraceSummary& summary = counts_.summary();
  if (!from.kept || !to.kept) {
    counts_.CountCutFlow(from.kept, to.kept);
  } else if (from.number == to.number) {
    ++summary.left_out.flows_to_self;
  } else if (StartsEarlier(to.start, from.start)) {
    ++summary.left_out.flows_backwards;
  } else {
    counts_.CountFlow(kind);
    table_.Add(from.number, to.number);
  }
}

void SliceFlows::CollectCompletions() {
  const bool wants_worker = Wants(FlowKind::kCompleteWorker);
  const bool wants_scheduler = Wants(FlowKind::kCompleteScheduler);
  const bool wants_releases = Wants(FlowKind::kCompleteReady);
  if (!wants_worker && !wants_scheduler && !wants_releases) return;
  const Completions completions(model_);
  const auto collect = [&](uint32_t task, TaskView view, FlowKind kind, PhaseId phase) {
    model_.tasks.ForEachAnchor(
        task, view, [&](uint32_t row) { Collect(kind, AtAnchor(row, view), AtPhase(phase)); });
  };
  for (uint32_t task = 0; task < model_.tasks.tasks().size(); ++task) {
    const auto completion = completions.Of(task);
    if (!completion) continue;
    if (wants_worker)
      collect(task, TaskView::kWorker, FlowKind::kCompleteWorker, completion->phase);
    if (wants_scheduler) {
      collect(task, TaskView::kScheduler, FlowKind::kCompleteScheduler, completion->phase);
    }
  }
  if (!wants_releases) return;
  completions.ForEachRelease([&](PhaseId phase, uint32_t, DeviceCycles dispatch, int thread) {
    if (const auto bar = BarAt(static_cast<uint32_t>(thread), dispatch)) {
      Collect(FlowKind::kCompleteReady, AtPhase(phase), AtPhase(*bar));
    }
  });
}

std::optional<PhaseId> SliceFlows::BarAt(uint32_t stream, DeviceCycles at) {
  const std::optional<PhaseId> bar = bars_[stream].Covering(at);
  if (!bar) ++counts_.summary().left_out.flows_without_slice;
  return bar;
}

void SliceFlows::CollectDispatches() {
  Dispatches(model_).ForEachRow([&](size_t row, uint32_t stream) {
    const auto bar = BarAt(stream, model_.rows().dispatch(row));
    if (!bar) return;
    const End from = AtPhase(*bar);
    const auto index = static_cast<uint32_t>(row);
    if (Wants(FlowKind::kDispatchWorker)) {
      Collect(FlowKind::kDispatchWorker, from, AtAnchor(index, TaskView::kWorker));
    }
    if (Wants(FlowKind::kDispatchScheduler)) {
      Collect(FlowKind::kDispatchScheduler, from, AtAnchor(index, TaskView::kScheduler));
    }
  });
}

void SliceFlows::CollectSubmits() {
  const std::vector<std::optional<SubmitId>> submits = SubmitsOfTasks(model_);
  if (submits.empty()) return;
  Dispatches(model_).ForEachRow([&](size_t row, uint32_t stream) {
    const std::optional<SubmitId>& submit = submits[model_.tasks.TaskOfRow(row)];
    if (!submit) return;
    if (const auto bar = BarAt(stream, model_.rows().dispatch(row))) {
      const End from{model_.numbers.Submit(model_.orchestrator.Ordinal(*submit)),
                     model_.orchestrator.At(*submit).start, KeepsSubmit(*submit)};
      Collect(FlowKind::kSubmitDispatch, from, AtPhase(*bar));
    }
  });
}

// --- Arrows of one slice.

void SliceFlows::FindOfSlice(uint32_t number) {
  violations_ = 0;
  incoming_.clear();
  const std::span<const uint64_t> from = table_.From(number);
  outgoing_.assign(from.begin(), from.end());
  table_.AppendTo(number, &incoming_);
}

void SliceFlows::FindOfAnchor(Anchor anchor, TaskView view) {
  FindOfSlice(NumberOf(model_, anchor, view));
  const FlowKind kind =
      view == TaskView::kWorker ? FlowKind::kDependencyWorker : FlowKind::kDependencyScheduler;
  if (Wants(kind)) FindDependencies(anchor, view, kind);
}

DependencyGraph::NodeIndex SliceFlows::NodeOf(Anchor anchor) const {
  const DependencyGraph* graph = model_.tasks.graph();
  if (graph == nullptr) return DependencyGraph::kNoNode;
  if (!anchor.is_marker) return model_.tasks.NodeOfTask(model_.tasks.TaskOfRow(anchor.index));
  const auto task_id = model_.TaskOf(model_.markers.all()[anchor.index]);
  if (!task_id) return DependencyGraph::kNoNode;
  const auto node = graph->Find(*task_id);
  // A task with rows is tied to them, not to what its scheduler noted besides.
  const bool has_rows = node != DependencyGraph::kNoNode &&
                        model_.tasks.TaskOfNode(node) != capture::TaskNodes::kNoTask;
  return has_rows ? DependencyGraph::kNoNode : node;
}

bool SliceFlows::EndedBefore(DependencyGraph::NodeIndex node, Instant at, TaskView view) const {
  const uint32_t task = model_.tasks.TaskOfNode(node);
  if (task == capture::TaskNodes::kNoTask || at.on_host) return false;
  const capture::Task& t = model_.tasks.tasks()[task];
  if (view == TaskView::kWorker) return t.end.value <= at.value;
  return t.has_scheduler && t.finish.value <= at.value;
}

bool SliceFlows::StartedAfter(DependencyGraph::NodeIndex node, Instant at, TaskView view) const {
  const uint32_t task = model_.tasks.TaskOfNode(node);
  if (task == capture::TaskNodes::kNoTask || at.on_host) return false;
  const capture::Task& t = model_.tasks.tasks()[task];
  if (view == TaskView::kWorker) return (t.start - model_.tasks.longest_setup()).value >= at.value;
  return t.has_scheduler && t.dispatch.value >= at.value;
}

void SliceFlows::FindDependencies(Anchor anchor, TaskView view, FlowKind kind) {
  if (!anchor.is_marker && !model_.tasks.IsAnchor(anchor.index, view)) return;
  const auto node = NodeOf(anchor);
  if (node == DependencyGraph::kNoNode) return;
  const DependencyGraph& graph = *model_.tasks.graph();
  const uint32_t number = NumberOf(model_, anchor, view);
  const Instant start = StartOf(model_, anchor, view);
  TraceSummary& summary = counts_.summary();
  for (const auto consumer : graph.Successors(node)) model_.tasks.PrefetchNode(consumer);
  for (const auto producer : graph.Predecessors(node)) model_.tasks.PrefetchNode(producer);

  for (const auto consumer : graph.Successors(node)) {
    const bool is_later = StartedAfter(consumer, start, view);
    ForEachAnchor(model_, consumer, view, [&](Anchor to) {
      const uint32_t other = NumberOf(model_, to, view);
      if (other == number) {
        ++summary.left_out.flows_to_self;
      } else if (!KeepsAnchor(to, view)) {
        counts_.CountCutFlow(true, false);
      } else if (!is_later && StartsEarlier(StartOf(model_, to, view), start)) {
        ++summary.left_out.flows_backwards;
      } else {
        counts_.CountFlow(kind);
        outgoing_.push_back(FlowTable::IdOf(number, other));
      }
    });
  }
  for (const auto producer : graph.Predecessors(node)) {
    const bool is_over = EndedBefore(producer, start, view);
    ForEachAnchor(model_, producer, view, [&](Anchor from) {
      const uint32_t other = NumberOf(model_, from, view);
      if (other == number) return;
      if (!KeepsAnchor(from, view)) {
        counts_.CountCutFlow(false, true);
        return;
      }
      if (!is_over && Violates(model_, from, anchor, view)) ++violations_;
      if (is_over || !StartsEarlier(start, StartOf(model_, from, view))) {
        incoming_.push_back(FlowTable::IdOf(other, number));
      }
    });
  }
  summary.violations += violations_;
}

}  // namespace simpler::timeline
