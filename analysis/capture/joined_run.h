// AICore rows of one run joined with their scheduler stamps. Holds index columns only; every value
// is read from the capture's blocks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "analysis/capture/capture.h"

namespace simpler::capture {

// What the join could not match. Worst cores first, at most three.
struct JoinReport {
  struct CoreCount {
    CoreId core;
    uint64_t count;
  };
  uint64_t scheduler_rows_without_aicore = 0;
  std::vector<CoreCount> worst_scheduler_cores;
  // Always 0 at level 1, where no scheduler stamps are expected.
  uint64_t aicore_rows_without_scheduler = 0;
  std::vector<CoreCount> worst_aicore_cores;
};

// Rows are ordered by task id; within a task by position in the scheduler stream, rows without
// scheduler stamps last, in file order. Safe for concurrent readers. The capture must outlive it.
class JoinedRun {
 public:
  // Joins on (core_id, reg_task_id). InvalidArgument when a key occurs twice in one stream (the
  // message names core, token and stream). O(n) for streams in the same order, else O(n log n).
  static absl::StatusOr<JoinedRun> Join(const Capture& capture, size_t run_index);

  const Capture& capture() const { return *capture_; }
  const Run& run() const { return *run_; }
  size_t run_index() const { return run_index_; }
  const JoinReport& report() const { return report_; }

  size_t size() const { return rows_.size(); }
  bool empty() const { return rows_.empty(); }

  CoreId core(size_t i) const { return aicore(i).core_id[rows_[i].aicore.row]; }
  CoreType type(size_t i) const { return capture_->metadata.TypeOf(core(i)); }
  uint64_t task_id(size_t i) const { return aicore(i).task_id[rows_[i].aicore.row]; }
  uint32_t reg_task_id(size_t i) const { return aicore(i).reg_task_id[rows_[i].aicore.row]; }
  DeviceCycles start(size_t i) const { return aicore(i).start[rows_[i].aicore.row]; }
  DeviceCycles end(size_t i) const { return aicore(i).end[rows_[i].aicore.row]; }

  bool has_receive(size_t i) const { return aicore(i).has_receive; }
  // When the core received the task; start(i) when the writer did not record it.
  DeviceCycles receive(size_t i) const {
    const AicoreTaskBlock& block = aicore(i);
    const uint32_t row = rows_[i].aicore.row;
    return block.has_receive ? block.start[row] - CycleSpan{block.receive_to_start[row]}
                             : block.start[row];
  }

  bool has_scheduler(size_t i) const { return rows_[i].scheduler.block != kNone; }
  // Scheduler stamps; only valid when has_scheduler(i).
  DeviceCycles dispatch(size_t i) const { return scheduler(i).dispatch[rows_[i].scheduler.row]; }
  DeviceCycles finish(size_t i) const { return scheduler(i).finish[rows_[i].scheduler.row]; }

 private:
  static constexpr uint32_t kNone = UINT32_MAX;
  struct RowRef {
    uint32_t block = kNone;
    uint32_t row = 0;
  };
  struct Row {
    RowRef aicore;
    RowRef scheduler;
  };
  friend class Joiner;

  const AicoreTaskBlock& aicore(size_t i) const {
    return *run_->aicore_tasks[rows_[i].aicore.block];
  }
  const SchedulerTaskBlock& scheduler(size_t i) const {
    return *run_->scheduler_tasks[rows_[i].scheduler.block];
  }

  const Capture* capture_ = nullptr;
  const Run* run_ = nullptr;
  size_t run_index_ = 0;
  std::vector<Row> rows_;
  JoinReport report_;
};

}  // namespace simpler::capture
