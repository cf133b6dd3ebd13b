// Slices that would cross another one on their lane, and the extra lanes they are moved to: viewers
// show crossing slices wrongly or refuse them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "analysis/timeline/model.h"

namespace simpler::timeline {

// "<lane> (overlap)", "<lane> (overlap 2)", … for level 1, 2, …
std::string OverflowLaneName(const std::string& lane, uint32_t level);

class OverflowLanes {
 public:
  struct Extra {
    uint32_t lane;  // index of the lane that the slices come from
    int32_t tid;
    std::string name;
  };

  // Examines every lane but those of the Scheduler View.
  explicit OverflowLanes(const Model& model);

  const std::vector<Extra>& extras() const { return extras_; }
  // The extra lane of a slice (LaneSlice::index) of a lane, or nullptr: it stays.
  const Extra* Find(uint32_t lane, uint32_t index) const;

 private:
  struct Moved {
    uint64_t key;  // lane and index
    uint32_t extra;
  };
  static uint64_t KeyOf(uint32_t lane, uint32_t index) { return uint64_t{lane} << 32 | index; }

  std::vector<Extra> extras_;
  std::vector<Moved> moved_;  // by key
};

}  // namespace simpler::timeline
