#include "analysis/timeline/slice_flows.h"

#include <algorithm>

namespace simpler::timeline {

using capture::DependencyGraph;
using capture::DeviceCycles;

namespace {

FlowKind DependenciesIn(TaskView view) {
  return view == TaskView::kWorker ? FlowKind::kDependencyWorker : FlowKind::kDependencyScheduler;
}

}  // namespace

SliceFlows::SliceFlows(const Model& model, const TimelineOptions& options, const NanoWindow& window,
                       TraceCounts* counts)
    : model_(model),
      options_(options),
      window_(window),
      counts_(*counts),
      keeps_everything_(window.is_everything() && options.lanes.empty()) {
  for (const TaskView view : {TaskView::kWorker, TaskView::kScheduler}) {
    if (model.tasks.graph() == nullptr || !Wants(DependenciesIn(view))) continue;
    node_bars_[static_cast<size_t>(view)] =
        NodeBars(model, view, [&](Anchor anchor) { return KeepsAnchor(anchor, view); });
  }
  const bool wants_dispatches = Wants(FlowKind::kDispatchWorker) ||
                                Wants(FlowKind::kDispatchScheduler) ||
                                Wants(FlowKind::kSubmitDispatch);
  if (wants_dispatches || Wants(FlowKind::kCompleteReady)) {
    for (uint32_t stream = 0; stream < model.phases.streams().size(); ++stream) {
      bars_.push_back(OuterBars(model.phases, stream));
    }
  }
  ReserveTable();
  CollectCompletions();
  if (wants_dispatches) CollectDispatches();
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

SliceFlows::End SliceFlows::AtAnchor(Anchor anchor, TaskView view) const {
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

// Tasks have about one anchor per row and view. Memory that is reserved and not used costs nothing.
void SliceFlows::ReserveTable() {
  size_t kinds = 0;
  for (const FlowKind kind :
       {FlowKind::kCompleteWorker, FlowKind::kCompleteScheduler, FlowKind::kCompleteReady,
        FlowKind::kDispatchWorker, FlowKind::kDispatchScheduler, FlowKind::kSubmitDispatch}) {
    if (Wants(kind)) ++kinds;
  }
  table_.Reserve(kinds * model_.rows().size());
}

void SliceFlows::CollectCompletions() {
  const bool wants_worker = Wants(FlowKind::kCompleteWorker);
  const bool wants_scheduler = Wants(FlowKind::kCompleteScheduler);
  const bool wants_releases = Wants(FlowKind::kCompleteReady);
  if (!wants_worker && !wants_scheduler && !wants_releases) return;
  const Completions completions(model_);
  const auto collect = [&](uint32_t task, TaskView view, FlowKind kind, PhaseId phase) {
    model_.tasks.ForEachAnchor(task, view, [&](uint32_t row) {
      Collect(kind, AtAnchor({false, row}, view), AtPhase(phase));
    });
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
    } else {
      ++counts_.summary().left_out.flows_without_slice;
    }
  });
}

void SliceFlows::CollectDispatches() {
  std::vector<std::optional<SubmitId>> submits;
  if (Wants(FlowKind::kSubmitDispatch)) submits = SubmitsOfTasks(model_);
  Dispatches(model_).ForEachRow([&](size_t row, uint32_t stream) {
    const std::optional<PhaseId> bar = BarAt(stream, model_.rows().dispatch(row));
    CollectDispatch(static_cast<uint32_t>(row), bar);
    if (!submits.empty()) CollectSubmit(submits[model_.tasks.TaskOfRow(row)], bar);
  });
}

void SliceFlows::CollectDispatch(uint32_t row, const std::optional<PhaseId>& bar) {
  const bool wants_worker = Wants(FlowKind::kDispatchWorker);
  const bool wants_scheduler = Wants(FlowKind::kDispatchScheduler);
  if (!wants_worker && !wants_scheduler) return;
  if (!bar) {
    ++counts_.summary().left_out.flows_without_slice;
    return;
  }
  const End from = AtPhase(*bar);
  if (wants_worker) {
    Collect(FlowKind::kDispatchWorker, from, AtAnchor({false, row}, TaskView::kWorker));
  }
  if (wants_scheduler) {
    Collect(FlowKind::kDispatchScheduler, from, AtAnchor({false, row}, TaskView::kScheduler));
  }
}

void SliceFlows::CollectSubmit(const std::optional<SubmitId>& submit,
                               const std::optional<PhaseId>& bar) {
  if (!submit) return;
  if (!bar) {
    ++counts_.summary().left_out.flows_without_slice;
    return;
  }
  const End from{model_.numbers.Submit(model_.orchestrator.Ordinal(*submit)),
                 model_.orchestrator.At(*submit).start, KeepsSubmit(*submit)};
  Collect(FlowKind::kSubmitDispatch, from, AtPhase(*bar));
}

// --- Arrows of one slice.

void SliceFlows::FindOfSlice(uint32_t number) {
  violations_ = 0;
  outgoing_.clear();
  incoming_.clear();
  for (uint32_t to : table_.From(number)) outgoing_.push_back(FlowTable::IdOf(number, to));
  for (uint32_t from : table_.Into(number)) incoming_.push_back(FlowTable::IdOf(from, number));
}

void SliceFlows::FindOfAnchor(Anchor anchor, TaskView view) {
  FindOfSlice(NumberOf(model_, anchor, view));
  if (Wants(DependenciesIn(view))) FindDependencies(anchor, view);
}

void SliceFlows::PrefetchLists(uint32_t row, TaskView view) const {
  table_.PrefetchPlaces(NumberOf(model_, {false, row}, view));
  if (!Wants(DependenciesIn(view))) return;
  const auto node = NodeOf({false, row});
  if (node == DependencyGraph::kNoNode) return;
  const DependencyGraph& graph = *model_.tasks.graph();
  __builtin_prefetch(graph.Successors(node).data());
  __builtin_prefetch(graph.Predecessors(node).data());
}

void SliceFlows::PrefetchNeighbours(uint32_t row, TaskView view) const {
  table_.PrefetchLists(NumberOf(model_, {false, row}, view));
  if (!Wants(DependenciesIn(view))) return;
  const auto node = NodeOf({false, row});
  if (node == DependencyGraph::kNoNode) return;
  const DependencyGraph& graph = *model_.tasks.graph();
  for (const auto consumer : graph.Successors(node)) BarsIn(view).Prefetch(consumer);
  for (const auto producer : graph.Predecessors(node)) BarsIn(view).Prefetch(producer);
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

void SliceFlows::FindDependencies(Anchor anchor, TaskView view) {
  if (!anchor.is_marker && !model_.tasks.IsAnchor(anchor.index, view)) return;
  const auto node = NodeOf(anchor);
  if (node == DependencyGraph::kNoNode) return;
  const DependencyGraph& graph = *model_.tasks.graph();
  const NodeBars& bars = BarsIn(view);
  const End here{NumberOf(model_, anchor, view), StartOf(model_, anchor, view), true};
  for (const auto consumer : graph.Successors(node)) {
    if (const NodeBars::Bar* bar = bars.Find(consumer)) {
      AddConsumer(DependenciesIn(view), here, AtBar(*bar));
      continue;
    }
    ForEachAnchor(model_, consumer, view,
                  [&](Anchor to) { AddConsumer(DependenciesIn(view), here, AtAnchor(to, view)); });
  }
  for (const auto producer : graph.Predecessors(node)) {
    if (const NodeBars::Bar* bar = bars.Find(producer)) {
      const Instant end = Instant::Device(DeviceCycles{bar->end()});
      AddProducer(AtBar(*bar), here, StartsEarlier(here.start, end));
      continue;
    }
    ForEachAnchor(model_, producer, view, [&](Anchor from) {
      AddProducer(AtAnchor(from, view), here, Violates(model_, from, anchor, view));
    });
  }
  counts_.summary().violations += violations_;
}

void SliceFlows::AddConsumer(FlowKind kind, const End& from, const End& to) {
  TraceSummary& summary = counts_.summary();
  if (to.number == from.number) {
    ++summary.left_out.flows_to_self;
  } else if (!to.kept) {
    counts_.CountCutFlow(true, false);
  } else if (StartsEarlier(to.start, from.start)) {
    ++summary.left_out.flows_backwards;
  } else {
    counts_.CountFlow(kind);
    outgoing_.push_back(FlowTable::IdOf(from.number, to.number));
  }
}

void SliceFlows::AddProducer(const End& from, const End& to, bool violates) {
  if (from.number == to.number) return;
  if (!from.kept) {
    counts_.CountCutFlow(false, true);
    return;
  }
  if (violates) ++violations_;
  if (!StartsEarlier(to.start, from.start)) {
    incoming_.push_back(FlowTable::IdOf(from.number, to.number));
  }
}

}  // namespace simpler::timeline
