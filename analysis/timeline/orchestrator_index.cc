#include "analysis/timeline/orchestrator_index.h"

namespace simpler::timeline {

using capture::OrchestratorPhaseBlock;

OrchestratorIndex::OrchestratorIndex(const capture::Capture& capture, const capture::Run& run)
    : run_(&run), on_host_(capture::IsHostOrchestrated(capture, run)) {
  for (const capture::OrchestratorLane& lane : run.orchestrator_lanes) {
    if (!on_host_) device_.emplace_back(lane);
  }
  const size_t lanes = on_host_ ? run.host_submit_lanes.size() : device_.size();
  first_ordinal_.resize(lanes);
  for (size_t lane = 0; lane < lanes; ++lane) {
    first_ordinal_[lane] = record_count_;
    record_count_ += size(lane);
  }
}

OrchestratorRecord OrchestratorIndex::At(SubmitId id) const {
  OrchestratorRecord record;
  if (on_host_) {
    const capture::HostSubmit& submit = run_->host_submit_lanes[id.lane][id.record];
    record.submit_idx = submit.submit_idx;
    record.task_id = submit.task_id;
    record.start = Instant::Host(submit.start);
    record.end = Instant::Host(submit.end);
    return record;
  }
  const auto [block, row] = device_[id.lane].At(id.record);
  record.kind = block->kind[row];
  if (block->Has(row, OrchestratorPhaseBlock::kSubmitIdx)) {
    record.submit_idx = block->submit_idx[row];
  }
  if (block->Has(row, OrchestratorPhaseBlock::kTaskId)) record.task_id = block->task_id[row];
  record.start = Instant::Device(block->start[row]);
  record.end = Instant::Device(block->end[row]);
  return record;
}

}  // namespace simpler::timeline
