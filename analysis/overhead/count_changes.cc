#include "analysis/overhead/count_changes.h"

#include "analysis/overhead/cycle_sort.h"

namespace simpler::overhead {

using capture::DeviceCycles;

void CountChanges::Sort() {
  SortCycles(up);
  SortCycles(down);
}

IntervalSet CountChanges::Positive() const {
  IntervalSet positive;
  size_t open = 0;
  size_t next_up = 0;
  DeviceCycles since;
  for (DeviceCycles end : down) {
    while (next_up < up.size() && up[next_up] < end) {
      if (open++ == 0) since = up[next_up];
      ++next_up;
    }
    if (--open == 0) positive.Append(since, end);
  }
  return positive;
}

}  // namespace simpler::overhead
