#include "analysis/overhead/stamp_health.h"

#include <algorithm>

namespace simpler::overhead {
namespace {

using capture::DependencyGraph;
using capture::TaskNodes;

void CheckRows(const CoreRows& rows, StampHealth& health) {
  for (const CoreRows::Core& core : rows.cores()) {
    capture::DeviceCycles busy_until = core.rows.front().start;
    for (const CoreRow& row : core.rows) {
      ++health.rows;
      health.overlapping_rows += row.start < busy_until;
      busy_until = std::max(busy_until, row.end);
      if (!row.has_scheduler) continue;
      ++health.rows_with_scheduler;
      health.dispatch_after_start += row.dispatch > row.start;
      health.finish_before_end += row.finish < row.end;
    }
  }
}

}  // namespace

StampHealth MeasureHealth(const OverheadInputs& inputs) {
  StampHealth health;
  CheckRows(inputs.core_rows, health);
  if (!inputs.dependencies) return health;
  const std::vector<uint32_t>& task_of_node = inputs.dependencies->nodes.task_of_node;
  for (const DependencyGraph::Edge& edge : inputs.graph->edges()) {
    const uint32_t producer = task_of_node[edge.pred];
    const uint32_t consumer = task_of_node[edge.succ];
    if (edge.pred == edge.succ) continue;
    if (producer == TaskNodes::kNoTask || consumer == TaskNodes::kNoTask) continue;
    ++health.edges_checked;
    health.edges_violated += inputs.tasks[consumer].start < inputs.tasks[producer].end;
  }
  return health;
}

}  // namespace simpler::overhead
