#pragma once

#include <vector>

#include "analysis/capture/clock.h"

namespace simpler::overhead {

// Sorts ascending. Stamps of one run differ in few bits, so a byte-wise radix sort over the bits
// that do differ beats a comparison sort by far. O(n) passes over n; O(n) scratch.
void SortCycles(std::vector<capture::DeviceCycles>& stamps);

}  // namespace simpler::overhead
