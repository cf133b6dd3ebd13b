#include "analysis/timeline/flows.h"

#include <algorithm>
#include <tuple>

namespace simpler::timeline {

using capture::DependencyGraph;
using capture::DeviceCycles;
using capture::OrchestratorPhaseKind;
using capture::TaskNodes;

void ForEachDependency(const Model& model, TaskView view,
                       const std::function<void(const DependencyFlow&)>& visit) {
  const DependencyGraph* graph = model.tasks.graph();
  if (graph == nullptr) return;
  std::vector<bool> seen(graph->nodes().size());
  for (const DependencyGraph::Edge& first_edge : graph->edges()) {
    const auto producer = first_edge.pred;
    if (seen[producer]) continue;
    seen[producer] = true;
    if (!HasAnchor(model, producer, view)) continue;
    for (const auto consumer : graph->Successors(producer)) {
      ForEachAnchor(model, producer, view, [&](Anchor from) {
        ForEachAnchor(model, consumer, view, [&](Anchor to) {
          visit({producer, consumer, from, to});
        });
      });
    }
  }
}

uint64_t CountEdgesToAbsentTasks(const Model& model) {
  const DependencyGraph* graph = model.tasks.graph();
  if (graph == nullptr) return 0;
  std::vector<bool> present(graph->nodes().size());
  for (DependencyGraph::NodeIndex node = 0; node < present.size(); ++node) {
    present[node] = HasAnchor(model, node, TaskView::kWorker);
  }
  return static_cast<uint64_t>(std::count_if(graph->edges().begin(), graph->edges().end(),
                                             [&](const DependencyGraph::Edge& edge) {
                                               return !present[edge.pred] || !present[edge.succ];
                                             }));
}

Completions::Completions(const Model& model)
    : model_(model),
      threads_(RecordedThreads(model.capture().metadata, model.phases.streams().size())),
      finishes_(model.phases.streams().size()) {
  if (threads_.empty()) return;
  for (uint32_t stream = 0; stream < finishes_.size(); ++stream) {
    completes_.push_back(PhasesOfKind(model.phases, stream, capture::PhaseKind::kComplete));
    finishes_[stream].resize(model.phases.size(stream));
  }
  for (size_t row = 0; row < model.rows().size(); ++row) {
    const int thread = ThreadOf(row);
    if (thread == kNoThread || !model.rows().has_scheduler(row)) continue;
    const auto phase =
        completes_[static_cast<size_t>(thread)].CoveringOrNext(model.rows().finish(row));
    if (phase) ++finishes_[phase->stream][phase->record];
  }
}

int Completions::ThreadOf(size_t row) const {
  const capture::CoreId core = model_.rows().core(row);
  return core < threads_.size() ? threads_[core] : kNoThread;
}

std::optional<Completions::Completion> Completions::Of(size_t task) const {
  const capture::Task& t = model_.tasks.tasks()[task];
  if (completes_.empty() || !t.has_scheduler) return std::nullopt;
  const capture::JoinedRun& rows = model_.rows();
  uint32_t last = TaskIndex::kNoRow;
  for (uint32_t row = t.first_row; row < t.first_row + t.row_count; ++row) {
    if (!rows.has_scheduler(row)) continue;
    if (last == TaskIndex::kNoRow || rows.finish(row) > rows.finish(last)) last = row;
  }
  const int thread = ThreadOf(last);
  if (thread == kNoThread) return std::nullopt;
  const DeviceCycles finish = rows.finish(last);
  const auto phase = completes_[static_cast<size_t>(thread)].CoveringOrNext(finish);
  if (!phase) return std::nullopt;
  return Completion{*phase, std::max(finish, model_.phases.Start(*phase))};
}

std::optional<Completions::Dispatched> Completions::FirstDispatch(size_t task) const {
  const capture::Task& t = model_.tasks.tasks()[task];
  std::optional<Dispatched> first;
  for (uint32_t row = t.first_row; row < t.first_row + t.row_count; ++row) {
    const int thread = ThreadOf(row);
    if (thread == kNoThread || !model_.rows().has_scheduler(row)) continue;
    const DeviceCycles at = model_.rows().dispatch(row);
    if (!first || at < first->at) first = {at, thread};
  }
  return first;
}

void Completions::ForEachRelease(
    const std::function<void(PhaseId, uint32_t, DeviceCycles, int)>& visit) const {
  const DependencyGraph* graph = model_.tasks.graph();
  if (graph == nullptr || completes_.empty()) return;
  struct Completed {
    DeviceCycles end;
    PhaseId phase;
    uint32_t task;
  };
  std::vector<Completed> order;
  for (uint32_t task = 0; task < model_.tasks.tasks().size(); ++task) {
    if (const auto done = Of(task))
      order.push_back({model_.phases.End(done->phase), done->phase, task});
  }
  std::sort(order.begin(), order.end(), [](const Completed& a, const Completed& b) {
    return std::tuple(a.end, a.phase.stream, a.phase.record, a.task) <
           std::tuple(b.end, b.phase.stream, b.phase.record, b.task);
  });
  std::vector<uint32_t> missing(graph->nodes().size());
  for (DependencyGraph::NodeIndex node = 0; node < missing.size(); ++node) {
    missing[node] = static_cast<uint32_t>(graph->Predecessors(node).size());
  }
  for (const Completed& done : order) {
    const auto producer = model_.tasks.NodeOfTask(done.task);
    if (producer == DependencyGraph::kNoNode) continue;
    for (const auto consumer : graph->Successors(producer)) {
      if (--missing[consumer] > 0) continue;
      const uint32_t task = model_.tasks.TaskOfNode(consumer);
      if (task == TaskNodes::kNoTask) continue;
      const auto dispatch = FirstDispatch(task);
      if (dispatch && dispatch->at >= done.end) {
        visit(done.phase, task, dispatch->at, dispatch->thread);
      }
    }
  }
}

Dispatches::Dispatches(const Model& model) : model_(model) {
  const size_t streams = model.phases.streams().size();
  if (streams == 0) return;
  threads_ = model.capture().metadata.core_to_thread
                 ? RecordedThreads(model.capture().metadata, streams)
                 : VoteForThreads(model.tasks, model.phases);
}

std::optional<uint32_t> Dispatches::StreamOf(size_t row) const {
  const capture::CoreId core = model_.rows().core(row);
  if (!model_.rows().has_scheduler(row) || core >= threads_.size()) return std::nullopt;
  if (threads_[core] == kNoThread) return std::nullopt;
  return static_cast<uint32_t>(threads_[core]);
}

std::vector<std::optional<SubmitId>> SubmitsOfTasks(const Model& model) {
  if (model.orchestrator.on_host() || model.orchestrator.record_count() == 0) return {};
  std::vector<std::optional<SubmitId>> submits(model.tasks.tasks().size());
  for (const bool want_submit : {true, false}) {
    ForEachSubmit(model.orchestrator, [&](SubmitId id, const OrchestratorRecord& record) {
      const bool is_substitute = record.kind == OrchestratorPhaseKind::kFanin ||
                                 record.kind == OrchestratorPhaseKind::kParams;
      const bool wanted =
          want_submit ? record.kind == OrchestratorPhaseKind::kSubmit : is_substitute;
      if (!wanted || !record.task_id) return;
      const uint32_t task = model.tasks.FindTask(*record.task_id);
      if (task != TaskNodes::kNoTask && !submits[task]) submits[task] = id;
    });
  }
  return submits;
}

}  // namespace simpler::timeline
