#include "analysis/timeline/chrome_flows.h"

#include <optional>
#include <vector>

namespace simpler::timeline {

using capture::DeviceCycles;
using capture::OrchestratorPhaseKind;

namespace {

// Arrows leave a bar this much before its end, so that viewers find the bar and not the next one.
constexpr double kInsideBarMicros = 0.01;

}  // namespace

bool ChromeFlows::Wants(FlowKind kind) const {
  return options_.flows.test(static_cast<size_t>(kind));
}

bool ChromeFlows::AdmitFlow(FlowKind kind, bool from_is_kept, bool to_is_kept) {
  if (!events_.status().ok()) return false;
  if (from_is_kept && to_is_kept) {
    counts_.CountFlow(kind);
    return true;
  }
  counts_.CountCutFlow(from_is_kept, to_is_kept);
  return false;
}

bool ChromeFlows::KeepsAnchor(Anchor anchor, TaskView view) const {
  return Keeps(model_, window_, anchor, view);
}

bool ChromeFlows::KeepsPoint(uint32_t lane, DeviceCycles at) const {
  return LaneAt(lane).kept && window_.HoldsInstant(model_.axis.Nanos(at));
}

uint64_t ChromeFlows::BoundBarId(uint32_t row, TaskView view) const {
  const uint32_t bound = model_.row_lanes.LastOfTask(row);
  return view == TaskView::kWorker ? bound : SchedulerViewId(bound);
}

ChromePoint ChromeFlows::OnBar(Anchor anchor, TaskView view, double ts) const {
  const uint32_t lane = LaneOf(model_, anchor, view);
  const uint64_t id = anchor.is_marker ? MarkerId(anchor.index) : BoundBarId(anchor.index, view);
  return {LaneAt(lane).process, TidOf(lane, anchor.index), ts, id};
}

ChromePoint ChromeFlows::OnScheduler(uint32_t stream, double ts) const {
  return {Process::kScheduler, LaneAt(model_.lanes.Scheduler(stream)).tid, ts};
}

void ChromeFlows::WriteFlows() {
  if (Wants(FlowKind::kDependencyWorker)) WriteDependencies(TaskView::kWorker);
  if (Wants(FlowKind::kDependencyScheduler)) WriteDependencies(TaskView::kScheduler);
  for (uint32_t task = 0; task < model_.tasks.tasks().size(); ++task) WriteCompletions(task);
  if (Wants(FlowKind::kCompleteReady)) WriteReleases();
  dispatches_.ForEachRow([&](size_t row, uint32_t stream) { WriteDispatch(row, stream); });
  if (Wants(FlowKind::kSubmitDispatch)) WriteSubmitDispatches();
}

void ChromeFlows::WriteDependencies(TaskView view) {
  const FlowKind kind =
      view == TaskView::kWorker ? FlowKind::kDependencyWorker : FlowKind::kDependencyScheduler;
  ForEachDependency(model_, view, [&](const DependencyFlow& flow) {
    if (!AdmitFlow(kind, KeepsAnchor(flow.producer, view), KeepsAnchor(flow.consumer, view))) {
      return;
    }
    const bool violates = Violates(model_, flow.producer, flow.consumer, view);
    if (violates) ++counts_.summary().violations;
    values_.Clear();
    values_.Raw(R"("input_task_count":)").Number(model_.tasks.BlockCount(flow.consumer_node));
    values_.Raw(R"(,"output_task_count":)").Number(model_.tasks.BlockCount(flow.producer_node));
    values_.Raw(",");
    events_.Flow(violates ? "hb_violation" : "dependency",
                 OnBar(flow.producer, view, Micros(StartOf(model_, flow.producer, view))),
                 OnBar(flow.consumer, view, Micros(StartOf(model_, flow.consumer, view))),
                 values_.view());
  });
}

void ChromeFlows::WriteCompletions(uint32_t task) {
  const bool wants_worker = Wants(FlowKind::kCompleteWorker);
  const bool wants_scheduler = Wants(FlowKind::kCompleteScheduler);
  if (!wants_worker && !wants_scheduler) return;
  const auto completion = completions_.Of(task);
  if (!completion) return;
  if (wants_worker) WriteCompletion(task, *completion, TaskView::kWorker);
  if (wants_scheduler) WriteCompletion(task, *completion, TaskView::kScheduler);
}

void ChromeFlows::WriteCompletion(uint32_t task, const Completions::Completion& completion,
                                  TaskView view) {
  const FlowKind kind =
      view == TaskView::kWorker ? FlowKind::kCompleteWorker : FlowKind::kCompleteScheduler;
  const bool to_is_kept =
      KeepsPoint(model_.lanes.Scheduler(completion.phase.stream), completion.at);
  model_.tasks.ForEachAnchor(task, view, [&](uint32_t row) {
    const Anchor anchor{false, row};
    if (!AdmitFlow(kind, KeepsAnchor(anchor, view), to_is_kept)) return;
    events_.Flow("complete",
                 OnBar(anchor, view, Micros(EndOf(model_, anchor, view)) - kInsideBarMicros),
                 OnScheduler(completion.phase.stream, Micros(completion.at)));
  });
}

void ChromeFlows::WriteReleases() {
  completions_.ForEachRelease([&](PhaseId phase, uint32_t, DeviceCycles dispatch, int thread) {
    const DeviceCycles end = model_.phases.End(phase);
    const auto consumer = static_cast<uint32_t>(thread);
    if (!AdmitFlow(FlowKind::kCompleteReady, KeepsPoint(model_.lanes.Scheduler(phase.stream), end),
                   KeepsPoint(model_.lanes.Scheduler(consumer), dispatch))) {
      return;
    }
    events_.Flow("complete→ready", OnScheduler(phase.stream, Micros(end) - kInsideBarMicros),
                 OnScheduler(consumer, Micros(dispatch)));
  });
}

void ChromeFlows::WriteDispatch(size_t row, uint32_t stream) {
  const Anchor anchor{false, static_cast<uint32_t>(row)};
  const DeviceCycles dispatch = model_.rows().dispatch(row);
  const bool from_is_kept = KeepsPoint(model_.lanes.Scheduler(stream), dispatch);
  const ChromePoint from = OnScheduler(stream, Micros(dispatch));
  if (Wants(FlowKind::kDispatchWorker) &&
      AdmitFlow(FlowKind::kDispatchWorker, from_is_kept, KeepsAnchor(anchor, TaskView::kWorker))) {
    ChromePoint to = OnBar(anchor, TaskView::kWorker, Micros(model_.rows().start(row)));
    to.bind_id.reset();  // the arrow points at the kernel's start, inside the bar
    events_.Flow("dispatch", from, to);
  }
  if (Wants(FlowKind::kDispatchScheduler) && AdmitFlow(FlowKind::kDispatchScheduler, from_is_kept,
                                                       KeepsAnchor(anchor, TaskView::kScheduler))) {
    events_.Flow("dispatch", from, OnBar(anchor, TaskView::kScheduler, Micros(dispatch)));
  }
}

void ChromeFlows::WriteSubmitDispatches() {
  const std::vector<std::optional<SubmitId>> submits = SubmitsOfTasks(model_);
  if (submits.empty()) return;
  dispatches_.ForEachRow([&](size_t row, uint32_t stream) {
    const std::optional<SubmitId>& submit = submits[model_.tasks.TaskOfRow(row)];
    if (submit) WriteSubmitDispatch(*submit, row, stream);
  });
}

void ChromeFlows::WriteSubmitDispatch(SubmitId submit, size_t row, uint32_t stream) {
  const OrchestratorRecord record = model_.orchestrator.At(submit);
  const DeviceCycles dispatch = model_.rows().dispatch(row);
  const uint32_t lane = model_.lanes.Orchestrator(submit.lane);
  if (!AdmitFlow(FlowKind::kSubmitDispatch,
                 LaneAt(lane).kept && window_.HoldsSlice(Nanos(record.start), Nanos(record.end)),
                 KeepsPoint(model_.lanes.Scheduler(stream), dispatch))) {
    return;
  }
  const char* name = record.kind == OrchestratorPhaseKind::kSubmit  ? "submit→dispatch"
                     : record.kind == OrchestratorPhaseKind::kFanin ? "fanin→dispatch"
                                                                    : "params→dispatch";
  events_.Flow(name, {Process::kOrchestrator, TidOf(lane, submit.record), Micros(record.end)},
               OnScheduler(stream, Micros(dispatch)));
}

}  // namespace simpler::timeline
