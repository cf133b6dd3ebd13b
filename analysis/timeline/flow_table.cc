#include "analysis/timeline/flow_table.h"

#include <algorithm>
#include <numeric>

namespace simpler::timeline {
namespace {

// Turns the counts of groups, each kept one place behind its group, into where the groups begin, in
// the same places. Filling a group advances its place to the begin of the group behind it, which is
// what belongs there.
void AccumulateCounts(std::vector<uint32_t>& counts) {
  std::exclusive_scan(counts.begin(), counts.end(), counts.begin(), uint32_t{0});
}

}  // namespace

uint64_t FlowTable::Seal() {
  if (added_.empty()) return 0;
  GroupByStart();
  added_ = {};
  const uint64_t repeated = TakeOutRepeated();
  GroupByEnd();
  return repeated;
}

void FlowTable::GroupByStart() {
  uint32_t largest = 0;
  for (const Arrow& arrow : added_) largest = std::max({largest, arrow.from, arrow.to});
  forward_.begins.resize(size_t{largest} + 2);
  forward_.ends.resize(added_.size());
  uint32_t* next = forward_.begins.data() + 1;
  for (const Arrow& arrow : added_) ++next[arrow.from];
  AccumulateCounts(forward_.begins);
  for (const Arrow& arrow : added_) forward_.ends[next[arrow.from]++] = arrow.to;
}

uint64_t FlowTable::TakeOutRepeated() {
  uint32_t* const data = forward_.ends.data();
  uint32_t* kept = data;
  uint32_t begin = 0;
  for (size_t group = 1; group < forward_.begins.size(); ++group) {
    const uint32_t end = forward_.begins[group];
    std::sort(data + begin, data + end);
    uint32_t* const unique_end = std::unique(data + begin, data + end);
    kept = std::copy(data + begin, unique_end, kept);
    begin = end;
    forward_.begins[group] = static_cast<uint32_t>(kept - data);
  }
  const auto count = static_cast<size_t>(kept - data);
  const uint64_t repeated = forward_.ends.size() - count;
  forward_.ends.resize(count);
  return repeated;
}

// Starts come in ascending order, so that every group is ascending.
void FlowTable::GroupByEnd() {
  backward_.begins.resize(forward_.begins.size());
  backward_.ends.resize(forward_.ends.size());
  uint32_t* next = backward_.begins.data() + 1;
  for (uint32_t to : forward_.ends) ++next[to];
  AccumulateCounts(backward_.begins);
  for (uint32_t from = 0; from + 1 < forward_.begins.size(); ++from) {
    for (uint32_t to : forward_.Of(from)) backward_.ends[next[to]++] = from;
  }
}

}  // namespace simpler::timeline
