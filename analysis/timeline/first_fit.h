// Places intervals on lanes so that no lane holds two at once: each goes to the first lane that is
// free when it starts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace simpler::timeline {

class FirstFit {
 public:
  // The lane of [start, end]; a lane is free from the end of its last interval on, a new one from
  // `start`. Call in order of start. O(log lanes).
  uint32_t Place(int64_t start, int64_t end);
  uint32_t lane_count() const { return lane_count_; }

 private:
  void Grow();
  void Set(uint32_t lane, int64_t end);

  // A complete binary tree over the lanes: node i holds the earliest end below it; leaves follow
  // the inner nodes. Lanes that do not exist yet end never.
  std::vector<int64_t> earliest_end_{0, INT64_MAX};
  uint32_t capacity_ = 1;
  uint32_t lane_count_ = 0;
};

}  // namespace simpler::timeline
