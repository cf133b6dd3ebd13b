#include "analysis/timeline/row_lanes.h"

#include <algorithm>

#include "analysis/timeline/first_fit.h"

namespace simpler::timeline {

using capture::CoreId;
using capture::JoinedRun;

RowLanes::RowLanes(const TaskIndex& tasks, SubLanes sub_lanes) {
  const JoinedRun& rows = tasks.rows();
  GroupByCore(rows);
  sub_lane_count_.resize(cores_.size());
  const bool any_stamps = std::any_of(tasks.tasks().begin(), tasks.tasks().end(),
                                      [](const capture::Task& task) { return task.has_scheduler; });
  if (any_stamps) sub_lane_.resize(rows.size());
  for (size_t core = 0; core < cores_.size(); ++core) {
    if (any_stamps) AssignSubLanes(rows, core);
    if (sub_lanes == SubLanes::kPerTask) JoinRowsOfTasks(tasks, core);
  }
  std::sort(repeats_.begin(), repeats_.end(),
            [](const Repeat& a, const Repeat& b) { return a.row < b.row; });
}

uint32_t RowLanes::LastOfTask(uint32_t row) const {
  const auto it =
      std::lower_bound(repeats_.begin(), repeats_.end(), row,
                       [](const Repeat& repeat, uint32_t key) { return repeat.row < key; });
  return it != repeats_.end() && it->row == row ? it->last : row;
}

void RowLanes::GroupByCore(const JoinedRun& rows) {
  std::vector<size_t> next(size_t{UINT16_MAX} + 1);
  for (size_t row = 0; row < rows.size(); ++row) ++next[rows.core(row)];
  size_t begin = 0;
  for (size_t core = 0; core < next.size(); ++core) {
    if (next[core] == 0) continue;
    cores_.push_back(static_cast<CoreId>(core));
    begin_.push_back(begin);
    begin += std::exchange(next[core], begin);
  }
  begin_.push_back(begin);
  rows_.resize(rows.size());
  for (uint32_t row = 0; row < rows.size(); ++row) rows_[next[rows.core(row)]++] = row;
}

void RowLanes::AssignSubLanes(const JoinedRun& rows, size_t core_index) {
  std::vector<uint32_t> by_dispatch;
  for (uint32_t row : RowsOf(core_index)) {
    if (rows.has_scheduler(row)) by_dispatch.push_back(row);
  }
  std::stable_sort(by_dispatch.begin(), by_dispatch.end(),
                   [&](uint32_t a, uint32_t b) { return rows.dispatch(a) < rows.dispatch(b); });
  FirstFit lanes;
  for (uint32_t row : by_dispatch) {
    sub_lane_[row] = lanes.Place(rows.dispatch(row).value, rows.finish(row).value);
  }
  sub_lane_count_[core_index] = lanes.lane_count();
}

void RowLanes::JoinRowsOfTasks(const TaskIndex& tasks, size_t core_index) {
  const std::span<const uint32_t> all = RowsOf(core_index);
  for (size_t first = 0, end = 0; first < all.size(); first = end) {
    end = first + 1;
    while (end < all.size() && tasks.TaskOfRow(all[end]) == tasks.TaskOfRow(all[first])) ++end;
    if (end == first + 1) continue;
    for (size_t i = first; i + 1 < end; ++i) repeats_.push_back({all[i], all[end - 1]});
    if (has_scheduler_view()) JoinSubLanes(tasks.rows(), all.subspan(first, end - first));
  }
}

void RowLanes::JoinSubLanes(const JoinedRun& rows, std::span<const uint32_t> same_task) {
  uint32_t last = TaskIndex::kNoRow;
  for (uint32_t row : same_task) {
    if (!rows.has_scheduler(row)) continue;
    if (last == TaskIndex::kNoRow || rows.dispatch(row) >= rows.dispatch(last)) last = row;
  }
  if (last == TaskIndex::kNoRow) return;
  for (uint32_t row : same_task) sub_lane_[row] = sub_lane_[last];
}

}  // namespace simpler::timeline
