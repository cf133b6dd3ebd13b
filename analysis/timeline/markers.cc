#include "analysis/timeline/markers.h"

#include <algorithm>
#include <utility>

#include "fmt/format.h"

namespace simpler::timeline {

using capture::DependencyGraph;
using capture::PhaseKind;
using capture::SchedulerPhaseBlock;

Markers::Markers(const TaskIndex& tasks, const SchedulerIndex& phases,
                 const OrchestratorIndex& orchestrator) {
  CollectScheduled(phases);
  CollectAllocations(tasks, orchestrator);
  IndexByNode(tasks, phases, orchestrator);
}

void Markers::CollectScheduled(const SchedulerIndex& phases) {
  for (uint32_t stream = 0; stream < phases.streams().size(); ++stream) {
    for (uint32_t record = 0; record < phases.size(stream); ++record) {
      const PhaseId id{stream, record};
      if (phases.Role(id) != PhaseRole::kMarker) continue;
      const auto [block, row] = phases.At(id);
      const bool is_dummy = block->kind[row] == PhaseKind::kDummyTask;
      markers_.push_back({stream, record, is_dummy ? Kind::kDummy : Kind::kPredicatedSkip});
      if (block->Has(row, SchedulerPhaseBlock::kTaskId)) {
        (is_dummy ? dummy_ids_ : skip_ids_).push_back(block->task_id[row]);
      }
    }
  }
  std::sort(dummy_ids_.begin(), dummy_ids_.end());
  std::sort(skip_ids_.begin(), skip_ids_.end());
}

bool Markers::HasMarker(const std::vector<uint64_t>& ids, uint64_t task_id) const {
  return std::binary_search(ids.begin(), ids.end(), task_id);
}

// A submit is an allocation when its task is neither a kernel, nor a dummy, nor a skipped task.
void Markers::CollectAllocations(const TaskIndex& tasks, const OrchestratorIndex& orchestrator) {
  const DependencyGraph* graph = tasks.graph();
  std::vector<uint64_t> silent_dummies;
  ForEachSubmit(orchestrator, [&](SubmitId id, const OrchestratorRecord& record) {
    if (record.kind != capture::OrchestratorPhaseKind::kSubmit || !record.task_id) return;
    const uint64_t task_id = *record.task_id;
    const auto node = graph != nullptr ? graph->Find(task_id) : DependencyGraph::kNoNode;
    const bool has_kernels = node != DependencyGraph::kNoNode && graph->nodes()[node].has_kernels;
    if (has_kernels) {
      if (graph->nodes()[node].IsDummy() && !HasMarker(dummy_ids_, task_id)) {
        silent_dummies.push_back(task_id);
      }
      return;
    }
    const bool retired_otherwise = tasks.FindTask(task_id) != capture::TaskNodes::kNoTask ||
                                   HasMarker(dummy_ids_, task_id) || HasMarker(skip_ids_, task_id);
    if (!retired_otherwise) markers_.push_back({id.lane, id.record, Kind::kAlloc});
  });

  std::sort(silent_dummies.begin(), silent_dummies.end());
  silent_dummies.erase(std::unique(silent_dummies.begin(), silent_dummies.end()),
                       silent_dummies.end());
  for (uint64_t task_id : silent_dummies) {
    warnings_.push_back(
        {"dummy_without_record",
         fmt::format("dummy({}) has no dummy_task scheduler record; its Worker View bar cannot be "
                     "rendered.",
                     tasks.Display(task_id))});
  }
}

void Markers::IndexByNode(const TaskIndex& tasks, const SchedulerIndex& phases,
                          const OrchestratorIndex& orchestrator) {
  const DependencyGraph* graph = tasks.graph();
  if (graph == nullptr) return;
  std::vector<std::pair<DependencyGraph::NodeIndex, uint32_t>> entries;
  for (uint32_t i = 0; i < markers_.size(); ++i) {
    std::optional<uint64_t> task_id;
    if (markers_[i].kind == Kind::kAlloc) {
      task_id = orchestrator.At(markers_[i].submit()).task_id;
    } else {
      const auto [block, row] = phases.At(markers_[i].phase());
      if (block->Has(row, SchedulerPhaseBlock::kTaskId)) task_id = block->task_id[row];
    }
    if (!task_id) continue;
    const auto node = graph->Find(*task_id);
    if (node != DependencyGraph::kNoNode) entries.emplace_back(node, i);
  }
  std::sort(entries.begin(), entries.end());
  for (const auto& [node, marker] : entries) {
    marked_nodes_.push_back(node);
    marker_of_entry_.push_back(marker);
  }
}

std::span<const uint32_t> Markers::OfNode(DependencyGraph::NodeIndex node) const {
  const auto [first, last] = std::equal_range(marked_nodes_.begin(), marked_nodes_.end(), node);
  return {marker_of_entry_.data() + (first - marked_nodes_.begin()),
          static_cast<size_t>(last - first)};
}

}  // namespace simpler::timeline
