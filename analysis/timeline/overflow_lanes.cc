#include "analysis/timeline/overflow_lanes.h"

#include <algorithm>

#include "fmt/format.h"

namespace simpler::timeline {

std::string OverflowLaneName(const std::string& lane, uint32_t level) {
  return level == 1 ? lane + " (overlap)" : fmt::format("{} (overlap {})", lane, level);
}

OverflowLanes::OverflowLanes(const Model& model) {
  for (uint32_t lane = 0; lane < model.lanes.lanes().size(); ++lane) {
    const Lane& origin = model.lanes.lanes()[lane];
    if (origin.kind == LaneKind::kSchedulerView) continue;
    std::vector<LaneSlice> slices = model.SlicesOf(origin);
    uint32_t level = 0;
    for (const std::vector<LaneSlice>& moved : SpreadOverLanes(TakeOutCrossing(slices))) {
      const auto extra = static_cast<uint32_t>(extras_.size());
      extras_.push_back(
          {lane, model.lanes.ExtraTid(extra), OverflowLaneName(origin.name, ++level)});
      for (const LaneSlice& slice : moved) moved_.push_back({KeyOf(lane, slice.index), extra});
    }
  }
  std::sort(moved_.begin(), moved_.end(),
            [](const Moved& a, const Moved& b) { return a.key < b.key; });
}

const OverflowLanes::Extra* OverflowLanes::Find(uint32_t lane, uint32_t index) const {
  if (moved_.empty()) return nullptr;
  const uint64_t key = KeyOf(lane, index);
  const auto it = std::lower_bound(moved_.begin(), moved_.end(), key,
                                   [](const Moved& moved, uint64_t k) { return moved.key < k; });
  return it != moved_.end() && it->key == key ? &extras_[it->extra] : nullptr;
}

}  // namespace simpler::timeline
