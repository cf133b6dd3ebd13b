#include "analysis/formats/records/block_writer.h"

namespace simpler::formats::records {
namespace {

template <typename... Columns>
void ReserveAll(size_t records, Columns&... columns) {
  (columns.reserve(records), ...);
}

}  // namespace

void Reserve(capture::AicoreTaskBlock& block, size_t records) {
  ReserveAll(records, block.core_id, block.task_id, block.reg_task_id, block.start, block.end,
             block.receive_to_start);
}

void Reserve(capture::SchedulerTaskBlock& block, size_t records) {
  ReserveAll(records, block.core_id, block.reg_task_id, block.dispatch, block.finish);
}

void Reserve(capture::SchedulerPhaseBlock& block, size_t records) {
  ReserveAll(records, block.start, block.end, block.kind, block.present, block.loop_iter,
             block.tasks_processed, block.task_id, block.pop_hit, block.pop_miss,
             block.depths_at_start, block.depths_at_end);
}

void Reserve(capture::OrchestratorPhaseBlock& block, size_t records) {
  ReserveAll(records, block.kind, block.present, block.submit_idx, block.task_id, block.start,
             block.end);
}

}  // namespace simpler::formats::records
