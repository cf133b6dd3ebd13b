#include "analysis/overhead/retirement_markers.h"

#include <algorithm>
#include <tuple>

#include "analysis/overhead/neighbour_search.h"

namespace simpler::overhead {

using capture::DependencyGraph;
using capture::DeviceCycles;
using capture::OrchestratorPhaseBlock;
using capture::OrchestratorPhaseKind;
using capture::PhaseKind;
using capture::SchedulerPhaseBlock;
using capture::TaskNodes;

void RetirementMarkers::Normalise(std::vector<Marker>& markers) {
  // Latest end first within a node, so that unique() keeps it.
  std::sort(markers.begin(), markers.end(), [](const Marker& a, const Marker& b) {
    return std::tie(a.node, b.end) < std::tie(b.node, a.end);
  });
  const auto same = [](const Marker& a, const Marker& b) { return a.node == b.node; };
  markers.erase(std::unique(markers.begin(), markers.end(), same), markers.end());
}

RetirementMarkers RetirementMarkers::Collect(const capture::Run& run, const DependencyGraph& graph,
                                             const TaskNodes& nodes) {
  RetirementMarkers result;
  NeighbourSearch search(graph.nodes());
  const auto add = [&](std::vector<Marker>& list, uint64_t task_id, DeviceCycles end) {
    const std::optional<size_t> node = search.Find(task_id);
    if (!node || nodes.task_of_node[*node] != TaskNodes::kNoTask) return;
    list.push_back({static_cast<DependencyGraph::NodeIndex>(*node), end});
  };

  for (const capture::SchedulerStream& stream : run.scheduler_streams) {
    ForEachPhase(stream, [&](const SchedulerPhaseBlock& block, size_t row) {
      const bool retires =
          block.kind[row] == PhaseKind::kDummyTask || block.kind[row] == PhaseKind::kPredicatedSkip;
      if (retires && block.Has(row, SchedulerPhaseBlock::kTaskId)) {
        add(result.markers_, block.task_id[row], block.end[row]);
      }
    });
  }
  Normalise(result.markers_);

  std::vector<Marker> submits;
  for (const capture::OrchestratorLane& lane : run.orchestrator_lanes) {
    ForEachPhase(lane, [&](const OrchestratorPhaseBlock& block, size_t row) {
      const bool submit = block.kind[row] == OrchestratorPhaseKind::kSubmit;
      if (submit && block.Has(row, OrchestratorPhaseBlock::kTaskId)) {
        add(submits, block.task_id[row], block.end[row]);
      }
    });
  }
  std::erase_if(submits, [&](const Marker& marker) {
    return graph.nodes()[marker.node].has_kernels || result.EndOf(marker.node).has_value();
  });
  result.markers_.insert(result.markers_.end(), submits.begin(), submits.end());
  Normalise(result.markers_);
  return result;
}

std::optional<DeviceCycles> RetirementMarkers::EndOf(DependencyGraph::NodeIndex node) const {
  const auto it = std::lower_bound(
      markers_.begin(), markers_.end(), node,
      [](const Marker& marker, DependencyGraph::NodeIndex key) { return marker.node < key; });
  if (it == markers_.end() || it->node != node) return std::nullopt;
  return it->end;
}

}  // namespace simpler::overhead
