#include "analysis/overhead/resolve_nesting.h"

#include <algorithm>

#include "analysis/overhead/interval_set.h"

namespace simpler::overhead {
namespace {

using capture::DeviceCycles;
using capture::PhaseKind;
using capture::SchedulerPhaseBlock;
using capture::SchedulerStream;

std::vector<Interval> Parents(const SchedulerStream& stream) {
  std::vector<Interval> parents;
  ForEachPhase(stream, [&](const SchedulerPhaseBlock& block, size_t row) {
    if (block.kind[row] == PhaseKind::kComplete || block.kind[row] == PhaseKind::kDummy) {
      parents.push_back({block.start[row], block.end[row]});
    }
  });
  std::stable_sort(parents.begin(), parents.end(),
                   [](const Interval& a, const Interval& b) { return a.begin < b.begin; });
  return parents;
}

bool Contained(const std::vector<Interval>& parents, const Interval& resolve) {
  const auto after =
      std::upper_bound(parents.begin(), parents.end(), resolve.begin,
                       [](DeviceCycles at, const Interval& parent) { return at < parent.begin; });
  return after != parents.begin() && resolve.end < std::prev(after)->end;
}

}  // namespace

bool MarksStandaloneResolves(const capture::Run& run) {
  for (const SchedulerStream& stream : run.scheduler_streams) {
    for (const auto& block : stream.blocks) {
      const auto& kinds = block->kind;
      if (std::find(kinds.begin(), kinds.end(), PhaseKind::kResolveStandalone) != kinds.end()) {
        return true;
      }
    }
  }
  return false;
}

std::vector<bool> NestedResolves(const SchedulerStream& stream, bool marked) {
  std::vector<bool> nested(stream.size());
  if (stream.producer == capture::Producer::kAicore) return nested;
  const std::vector<Interval> parents = marked ? std::vector<Interval>() : Parents(stream);
  size_t index = 0;
  ForEachPhase(stream, [&](const SchedulerPhaseBlock& block, size_t row) {
    if (block.kind[row] == PhaseKind::kResolve) {
      nested[index] = marked || Contained(parents, {block.start[row], block.end[row]});
    }
    ++index;
  });
  return nested;
}

}  // namespace simpler::overhead
