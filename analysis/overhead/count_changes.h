// Counts over time as sorted instants of change, and the walk over the pieces between them.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "analysis/capture/clock.h"
#include "analysis/capture/task_table.h"
#include "analysis/overhead/interval_set.h"

namespace simpler::overhead {

// A count that starts at 0, grows by one at every instant in `up` and shrinks at every one in
// `down`. Both sorted; changes of one instant take effect together.
struct CountChanges {
  std::vector<capture::DeviceCycles> up;
  std::vector<capture::DeviceCycles> down;

  // Counts one more during [begin, end). Empty intervals are ignored. Call Sort afterwards.
  void Add(capture::DeviceCycles begin, capture::DeviceCycles end) {
    if (end <= begin) return;
    up.push_back(begin);
    down.push_back(end);
  }
  void Sort();
  // When the count is above zero.
  IntervalSet Positive() const;
};

// The sorted halves of some CountChanges; not owned.
struct CountView {
  std::span<const capture::DeviceCycles> up;
  std::span<const capture::DeviceCycles> down;
};

// Cuts the window at every change of any of the N counts and calls
// `visit(begin, end, const std::array<int64_t, N>& counts)` for each piece in order of time.
// O(changes * N).
template <size_t N, typename Visitor>
void ForEachPiece(const std::array<CountView, N>& changes, const capture::Window& window,
                  Visitor&& visit) {
  std::array<size_t, N> next_up{};
  std::array<size_t, N> next_down{};
  std::array<int64_t, N> counts{};
  capture::DeviceCycles at = window.begin;
  const auto pass = [&at](std::span<const capture::DeviceCycles> stamps, size_t& next,
                          capture::DeviceCycles& horizon) {
    const size_t first = next;
    while (next < stamps.size() && stamps[next] <= at) ++next;
    if (next < stamps.size()) horizon = std::min(horizon, stamps[next]);
    return static_cast<int64_t>(next - first);
  };
  while (at < window.end) {
    capture::DeviceCycles horizon = window.end;
    for (size_t i = 0; i < N; ++i) {
      counts[i] += pass(changes[i].up, next_up[i], horizon);
      counts[i] -= pass(changes[i].down, next_down[i], horizon);
    }
    visit(at, horizon, counts);
    at = horizon;
  }
}

}  // namespace simpler::overhead
