// Keeps a TraceSummary up to date while a trace is written.
#pragma once

#include <cstdint>
#include <vector>

#include "analysis/timeline/model.h"
#include "analysis/timeline/selection.h"
#include "analysis/timeline/trace.h"

namespace simpler::timeline {

class TraceCounts {
 public:
  explicit TraceCounts(const Model& model)
      : model_(model), slices_of_lane_(model.lanes.lanes().size()) {}

  // Decides whether a slice is in the trace and counts it either way.
  bool Admit(uint32_t lane, int64_t start_ns, int64_t end_ns, const NanoWindow& window) {
    if (!model_.lanes.lanes()[lane].kept) {
      ++summary_.left_out.slices_in_filtered_lanes;
      return false;
    }
    if (!window.HoldsSlice(start_ns, end_ns)) {
      ++summary_.left_out.slices_outside_window;
      return false;
    }
    ++slices_of_lane_[lane];
    return true;
  }

  void CountFlow(FlowKind kind) { ++summary_.flows[static_cast<size_t>(kind)]; }

  // A flow that is not drawn because one or both of its ends are left out.
  void CountCutFlow(bool keeps_start, bool keeps_end) {
    if (keeps_start) ++summary_.left_out.flows_leaving;
    if (keeps_end) ++summary_.left_out.flows_entering;
  }

  TraceSummary& summary() { return summary_; }

  // Everything that can be said once the trace is written.
  TraceSummary Finish(uint64_t bytes);

 private:
  const Model& model_;
  std::vector<uint64_t> slices_of_lane_;
  TraceSummary summary_;
};

}  // namespace simpler::timeline
