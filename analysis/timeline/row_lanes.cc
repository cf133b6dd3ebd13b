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
  if (!any_stamps) return;
  sub_lane_.resize(rows.size());
  for (size_t core = 0; core < cores_.size(); ++core) {
    AssignSubLanes(rows, core);
    if (sub_lanes == SubLanes::kPerTask) JoinSubLanesOfTasks(tasks, core);
  }
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

void RowLanes::JoinSubLanesOfTasks(const TaskIndex& tasks, size_t core_index) {
  const JoinedRun& rows = tasks.rows();
  const std::span<const uint32_t> all = RowsOf(core_index);
  for (size_t first = 0, end = 0; first < all.size(); first = end) {
    const uint32_t task = tasks.TaskOfRow(all[first]);
    uint32_t last = TaskIndex::kNoRow;
    for (end = first; end < all.size() && tasks.TaskOfRow(all[end]) == task; ++end) {
      if (!rows.has_scheduler(all[end])) continue;
      if (last == TaskIndex::kNoRow || rows.dispatch(all[end]) >= rows.dispatch(last)) {
        last = all[end];
      }
    }
    if (last == TaskIndex::kNoRow) continue;
    for (size_t i = first; i < end; ++i) sub_lane_[all[i]] = sub_lane_[last];
  }
}

}  // namespace simpler::timeline
