#include "analysis/overhead/submissions.h"

#include <algorithm>

#include "analysis/overhead/neighbour_search.h"

namespace simpler::overhead {

using capture::DeviceCycles;
using capture::OrchestratorPhaseBlock;
using capture::OrchestratorPhaseKind;
using capture::Task;

std::optional<std::vector<DeviceCycles>> SubmissionEnds(const capture::Run& run,
                                                        const std::vector<Task>& tasks) {
  std::vector<DeviceCycles> ends(tasks.size());
  std::vector<bool> seen(tasks.size());
  bool any = false;
  NeighbourSearch<Task> search(tasks);
  for (const capture::OrchestratorLane& lane : run.orchestrator_lanes) {
    ForEachPhase(lane, [&](const OrchestratorPhaseBlock& block, size_t row) {
      if (block.kind[row] != OrchestratorPhaseKind::kSubmit) return;
      if (!block.Has(row, OrchestratorPhaseBlock::kTaskId)) return;
      const std::optional<size_t> task = search.Find(block.task_id[row]);
      if (!task) return;
      ends[*task] = seen[*task] ? std::min(ends[*task], block.end[row]) : block.end[row];
      seen[*task] = true;
      any = true;
    });
  }
  if (!any) return std::nullopt;
  return ends;
}

}  // namespace simpler::overhead
