// Rows by core, and the lane of every row in the Scheduler View, where the windows from dispatch to
// finish of one core overlap because a core has more than one slot.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "analysis/capture/joined_run.h"
#include "analysis/timeline/task_index.h"

namespace simpler::timeline {

// What shares a lane in the Scheduler View.
enum class SubLanes : uint8_t {
  kPerRow,   // every row is on the first lane of its core that is free at its dispatch
  kPerTask,  // as before, then all rows of one task on one core move to the lane of the last of
             // them, so that bars may overlap: what viewers of existing JSON traces are used to
};

class RowLanes {
 public:
  RowLanes(const TaskIndex& tasks, SubLanes sub_lanes);

  // Cores that ran a row, ascending.
  std::span<const capture::CoreId> cores() const { return cores_; }
  // Rows of the n-th of them, ascending (not by time).
  std::span<const uint32_t> RowsOf(size_t core_index) const {
    return std::span(rows_).subspan(begin_[core_index],
                                    begin_[core_index + 1] - begin_[core_index]);
  }

  bool has_scheduler_view() const { return !sub_lane_.empty(); }
  // Lane among those of the core; only for rows with scheduler stamps.
  uint32_t SubLaneOf(size_t row) const { return sub_lane_[row]; }
  // The last row of the same task on the same core: with kPerTask the one that arrows of existing
  // JSON traces name, else the row itself.
  uint32_t LastOfTask(uint32_t row) const;
  // Lanes of the n-th core; 0 when none of its rows has scheduler stamps.
  uint32_t SubLaneCount(size_t core_index) const { return sub_lane_count_[core_index]; }

 private:
  void GroupByCore(const capture::JoinedRun& rows);
  void AssignSubLanes(const capture::JoinedRun& rows, size_t core_index);
  void JoinRowsOfTasks(const TaskIndex& tasks, size_t core_index);
  void JoinSubLanes(const capture::JoinedRun& rows, std::span<const uint32_t> same_task);

  struct Repeat {
    uint32_t row;
    uint32_t last;
  };

  std::vector<capture::CoreId> cores_;
  std::vector<size_t> begin_;   // into rows_, one more than cores
  std::vector<uint32_t> rows_;  // grouped by core
  std::vector<uint32_t> sub_lane_;
  std::vector<uint32_t> sub_lane_count_;
  std::vector<Repeat> repeats_;  // by row: those that are not the last of their task on their core
};

}  // namespace simpler::timeline
