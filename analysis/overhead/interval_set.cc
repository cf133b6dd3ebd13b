#include "analysis/overhead/interval_set.h"

#include <algorithm>

namespace simpler::overhead {

using capture::CycleSpan;
using capture::DeviceCycles;

void IntervalSet::Append(DeviceCycles begin, DeviceCycles end) {
  if (end <= begin) return;
  if (!intervals_.empty() && intervals_.back().end == begin) {
    intervals_.back().end = end;
  } else {
    intervals_.push_back({begin, end});
    before_.push_back(total_);
  }
  total_ += end - begin;
}

bool IntervalSet::Contains(DeviceCycles at) const {
  const auto after =
      std::upper_bound(intervals_.begin(), intervals_.end(), at,
                       [](DeviceCycles x, const Interval& interval) { return x < interval.begin; });
  return after != intervals_.begin() && at < std::prev(after)->end;
}

CycleSpan IntervalSet::Before(DeviceCycles at) const {
  const auto after =
      std::upper_bound(intervals_.begin(), intervals_.end(), at,
                       [](DeviceCycles x, const Interval& interval) { return x < interval.begin; });
  if (after == intervals_.begin()) return 0;
  const size_t last = static_cast<size_t>(after - intervals_.begin()) - 1;
  return before_[last] + (std::min(at, intervals_[last].end) - intervals_[last].begin);
}

CycleSpan IntervalSet::Measure(DeviceCycles from, DeviceCycles to) const {
  return to <= from ? 0 : Before(to) - Before(from);
}

IntervalSet IntervalSet::Union(const IntervalSet& a, const IntervalSet& b) {
  IntervalSet result;
  std::vector<Interval> merged(a.intervals_.size() + b.intervals_.size());
  std::merge(a.intervals_.begin(), a.intervals_.end(), b.intervals_.begin(), b.intervals_.end(),
             merged.begin(),
             [](const Interval& x, const Interval& y) { return x.begin < y.begin; });
  DeviceCycles covered = merged.empty() ? DeviceCycles{} : merged.front().begin;
  for (const Interval& interval : merged) {
    result.Append(std::max(interval.begin, covered), interval.end);
    covered = std::max(covered, interval.end);
  }
  return result;
}

}  // namespace simpler::overhead
