// AICore rows regrouped by core, in execution order: the view every per-core figure starts from.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "analysis/capture/joined_run.h"

namespace simpler::overhead {

// Stamps of one row, copied out of the blocks because per-core passes touch all of them in order.
struct CoreRow {
  capture::DeviceCycles start;
  capture::DeviceCycles end;
  capture::DeviceCycles dispatch;  // valid when has_scheduler
  capture::DeviceCycles finish;    // valid when has_scheduler
  uint32_t row = 0;                // index in the JoinedRun
  bool has_scheduler = false;

  // From when the core is taken by this row: its dispatch, or its start when the dispatch is
  // unknown or (clock skew) stamped later than the start.
  capture::DeviceCycles occupied_from() const {
    return has_scheduler && dispatch < start ? dispatch : start;
  }
};

class CoreRows {
 public:
  struct Core {
    capture::CoreId id = 0;
    capture::CoreType type = capture::CoreType::kNone;
    std::span<const CoreRow> rows;  // by start; rows with equal start in JoinedRun order
  };

  explicit CoreRows(const capture::JoinedRun& run);
  CoreRows(CoreRows&&) = default;
  CoreRows& operator=(CoreRows&&) = default;

  // Cores that ran at least one row, ascending id.
  std::span<const Core> cores() const { return cores_; }
  // k_T: how many of them belong to an engine. `type` is kAic or kAiv.
  int CountOf(capture::CoreType type) const { return counts_[static_cast<size_t>(type)]; }

 private:
  std::vector<CoreRow> rows_;  // grouped by core; cores_ points into it
  std::vector<Core> cores_;
  std::array<int, capture::kEngineCount> counts_{};
};

}  // namespace simpler::overhead
