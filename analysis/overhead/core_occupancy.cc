#include "analysis/overhead/core_occupancy.h"

#include <algorithm>

#include "analysis/overhead/cycle_sort.h"

namespace simpler::overhead {
namespace {

using capture::CoreType;
using capture::DeviceCycles;

// What one core's rows occupy, overlaps merged.
std::vector<Interval> OccupiedIntervals(std::span<const CoreRow> rows) {
  std::vector<Interval> taken;
  taken.reserve(rows.size());
  for (const CoreRow& row : rows) {
    if (row.occupied_from() < row.end) taken.push_back({row.occupied_from(), row.end});
  }
  const auto earlier = [](const Interval& a, const Interval& b) { return a.begin < b.begin; };
  if (!std::is_sorted(taken.begin(), taken.end(), earlier)) {
    std::sort(taken.begin(), taken.end(), earlier);
  }
  size_t kept = 0;
  for (const Interval& interval : taken) {
    if (kept > 0 && interval.begin <= taken[kept - 1].end) {
      taken[kept - 1].end = std::max(taken[kept - 1].end, interval.end);
    } else {
      taken[kept++] = interval;
    }
  }
  taken.resize(kept);
  return taken;
}

IntervalSet FullIntervals(int cores, std::span<const DeviceCycles> taken,
                          std::span<const DeviceCycles> freed) {
  IntervalSet full;
  int free = cores;
  DeviceCycles full_since;
  size_t next_taken = 0;
  size_t next_freed = 0;
  while (next_freed < freed.size()) {
    const bool frees = next_taken == taken.size() || freed[next_freed] <= taken[next_taken];
    const DeviceCycles at = frees ? freed[next_freed++] : taken[next_taken++];
    if (frees && free++ == 0) full.Append(full_since, at);
    if (!frees && --free == 0) full_since = at;
  }
  return full;
}

}  // namespace

CoreOccupancy::CoreOccupancy(const CoreRows& rows) {
  for (const CoreRows::Core& core : rows.cores()) {
    if (core.type == CoreType::kNone) continue;
    Engine& engine = engines_[static_cast<size_t>(core.type)];
    ++engine.cores;
    for (const Interval& interval : OccupiedIntervals(core.rows)) {
      engine.taken.push_back(interval.begin);
      engine.freed.push_back(interval.end);
    }
  }
  for (Engine& engine : engines_) {
    SortCycles(engine.taken);
    SortCycles(engine.freed);
    engine.full = FullIntervals(engine.cores, engine.taken, engine.freed);
  }
}

int CoreOccupancy::FreeAt(CoreType type, DeviceCycles at) const {
  const auto passed = [at](const std::vector<DeviceCycles>& sorted) {
    return std::upper_bound(sorted.begin(), sorted.end(), at) - sorted.begin();
  };
  const Engine& e = engine(type);
  return e.cores - static_cast<int>(passed(e.taken) - passed(e.freed));
}

}  // namespace simpler::overhead
