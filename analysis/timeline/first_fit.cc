#include "analysis/timeline/first_fit.h"

#include <algorithm>

namespace simpler::timeline {

uint32_t FirstFit::Place(int64_t start, int64_t end) {
  uint32_t lane = lane_count_;
  if (earliest_end_[1] <= start) {
    size_t node = 1;
    while (node < capacity_) node = earliest_end_[2 * node] <= start ? 2 * node : 2 * node + 1;
    lane = static_cast<uint32_t>(node - capacity_);
  } else {
    if (lane_count_ == capacity_) Grow();
    ++lane_count_;
  }
  Set(lane, end);
  return lane;
}

void FirstFit::Grow() {
  const std::vector<int64_t> ends(earliest_end_.begin() + capacity_, earliest_end_.end());
  capacity_ *= 2;
  earliest_end_.assign(2 * size_t{capacity_}, INT64_MAX);
  for (uint32_t lane = 0; lane < ends.size(); ++lane) Set(lane, ends[lane]);
}

void FirstFit::Set(uint32_t lane, int64_t end) {
  size_t node = size_t{capacity_} + lane;
  earliest_end_[node] = end;
  for (node /= 2; node > 0; node /= 2) {
    earliest_end_[node] = std::min(earliest_end_[2 * node], earliest_end_[2 * node + 1]);
  }
}

}  // namespace simpler::timeline
