// Orchestrator records of a run, from the device or from the host, behind one interface.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "analysis/capture/capture.h"
#include "analysis/timeline/record_index.h"
#include "analysis/timeline/time_axis.h"

namespace simpler::timeline {

struct OrchestratorRecord {
  capture::OrchestratorPhaseKind kind = capture::OrchestratorPhaseKind::kSubmit;
  std::optional<uint32_t> submit_idx;
  std::optional<uint64_t> task_id;
  Instant start;
  Instant end;
};

// An orchestrator record: its lane and its position in it.
struct SubmitId {
  uint32_t lane = 0;
  uint32_t record = 0;
  friend bool operator==(const SubmitId&, const SubmitId&) = default;
};

class OrchestratorIndex {
 public:
  explicit OrchestratorIndex(const capture::Capture& capture, const capture::Run& run);

  bool on_host() const { return on_host_; }
  size_t lane_count() const { return first_ordinal_.size(); }
  size_t size(size_t lane) const {
    return on_host_ ? run_->host_submit_lanes[lane].size() : device_[lane].size();
  }
  OrchestratorRecord At(SubmitId id) const;

  // Number of a record among all records of the run, for identities.
  uint64_t Ordinal(SubmitId id) const { return first_ordinal_[id.lane] + id.record; }
  uint64_t record_count() const { return record_count_; }

 private:
  const capture::Run* run_;
  bool on_host_;
  std::vector<RecordIndex<capture::OrchestratorPhaseBlock>> device_;
  std::vector<uint64_t> first_ordinal_;  // by lane
  uint64_t record_count_ = 0;
};

// Calls `visit(SubmitId, const OrchestratorRecord&)` for every record, lane by lane.
template <typename Visitor>
void ForEachSubmit(const OrchestratorIndex& index, Visitor&& visit) {
  for (uint32_t lane = 0; lane < index.lane_count(); ++lane) {
    for (uint32_t record = 0; record < index.size(lane); ++record) {
      const SubmitId id{lane, record};
      visit(id, index.At(id));
    }
  }
}

}  // namespace simpler::timeline
