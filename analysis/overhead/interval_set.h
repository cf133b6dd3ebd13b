#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "analysis/capture/clock.h"

namespace simpler::overhead {

// Half-open: [begin, end).
struct Interval {
  capture::DeviceCycles begin;
  capture::DeviceCycles end;
  friend bool operator==(const Interval&, const Interval&) = default;
};

// A set of instants as sorted, disjoint, non-empty intervals, with the length of any part of it in
// O(log n).
class IntervalSet {
 public:
  // Adds [begin, end). `begin` must not lie before the end of the last interval; an interval that
  // touches it is merged with it, an empty one is ignored.
  void Append(capture::DeviceCycles begin, capture::DeviceCycles end);

  bool Contains(capture::DeviceCycles at) const;
  // Cycles of the set inside [from, to); 0 when to <= from.
  capture::CycleSpan Measure(capture::DeviceCycles from, capture::DeviceCycles to) const;
  capture::CycleSpan total() const { return total_; }
  std::span<const Interval> intervals() const { return intervals_; }

  // Instants that lie in at least one of the two sets. O(n + m).
  static IntervalSet Union(const IntervalSet& a, const IntervalSet& b);

 private:
  // Cycles of the set before `at`.
  capture::CycleSpan Before(capture::DeviceCycles at) const;

  std::vector<Interval> intervals_;
  std::vector<capture::CycleSpan> before_;  // length of all earlier intervals
  capture::CycleSpan total_ = 0;
};

}  // namespace simpler::overhead
