#include "analysis/timeline/flow_table.h"

#include <algorithm>

namespace simpler::timeline {

uint64_t FlowTable::Seal() {
  std::sort(forward_.begin(), forward_.end());
  const auto repeated = std::unique(forward_.begin(), forward_.end());
  const auto count = static_cast<uint64_t>(forward_.end() - repeated);
  forward_.erase(repeated, forward_.end());
  backward_.reserve(forward_.size());
  for (uint64_t id : forward_) backward_.push_back(id << 32 | id >> 32);
  std::sort(backward_.begin(), backward_.end());
  return count;
}

void FlowTable::AppendTo(uint32_t slice, std::vector<uint64_t>* ids) const {
  for (uint64_t id : Range(backward_, slice)) ids->push_back(id << 32 | id >> 32);
}

std::span<const uint64_t> FlowTable::Range(const std::vector<uint64_t>& ids, uint32_t slice) {
  const auto first = std::lower_bound(ids.begin(), ids.end(), uint64_t{slice} << 32);
  const auto last = std::find_if(first, ids.end(), [&](uint64_t id) { return id >> 32 != slice; });
  return {ids.data() + (first - ids.begin()), static_cast<size_t>(last - first)};
}

}  // namespace simpler::timeline
