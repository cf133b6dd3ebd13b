#include "analysis/overhead/head_tail.h"

#include <algorithm>

#include "analysis/overhead/cycle_sort.h"
#include "analysis/overhead/cycle_sum.h"

namespace simpler::overhead {

using capture::CycleSpan;
using capture::DeviceCycles;

std::optional<Distribution> Summarise(std::vector<DeviceCycles>& values) {
  if (values.empty()) return std::nullopt;
  SortCycles(values);
  const auto percentile = [&](size_t percent) {
    return values[std::min(values.size() * percent / 100, values.size() - 1)].value;
  };
  Distribution result;
  result.count = values.size();
  for (DeviceCycles value : values) result.total = AddSaturated(result.total, value.value);
  result.p10 = percentile(10);
  result.p25 = percentile(25);
  result.p50 = percentile(50);
  result.p75 = percentile(75);
  result.p90 = percentile(90);
  result.p95 = percentile(95);
  result.p99 = percentile(99);
  result.max = values.back().value;
  return result;
}

HeadTail MeasureHeadTail(const CoreRows& rows) {
  std::vector<DeviceCycles> heads;
  std::vector<DeviceCycles> tails;
  for (const CoreRows::Core& core : rows.cores()) {
    for (size_t i = 0; i < core.rows.size(); ++i) {
      const CoreRow& row = core.rows[i];
      if (!row.has_scheduler) continue;
      CycleSpan head = row.start - row.dispatch;
      if (i > 0) head = std::min(head, row.start - core.rows[i - 1].end);
      heads.push_back({std::max<CycleSpan>(head, 0)});
      tails.push_back({std::max<CycleSpan>(row.finish - row.end, 0)});
    }
  }
  return {Summarise(heads), Summarise(tails)};
}

}  // namespace simpler::overhead
