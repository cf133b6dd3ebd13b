// Parts 3 and 4: what a row pays before its kernel starts and after it ended.
#pragma once

#include <optional>
#include <vector>

#include "analysis/overhead/core_rows.h"
#include "analysis/overhead/overhead_report.h"

namespace simpler::overhead {

// Absent without values. Reorders `values`.
std::optional<Distribution> Summarise(std::vector<capture::DeviceCycles>& values);

struct HeadTail {
  std::optional<Distribution> head;  // absent: no row has scheduler stamps
  std::optional<Distribution> tail;
};

// One value per row with scheduler stamps, never below 0.
// head = start - dispatch, but at most start - end of the core's previous row in order of start;
// tail = finish - end.
HeadTail MeasureHeadTail(const CoreRows& rows);

}  // namespace simpler::overhead
