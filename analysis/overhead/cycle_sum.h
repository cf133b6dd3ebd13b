#pragma once

#include <limits>

#include "analysis/capture/clock.h"

namespace simpler::overhead {

// a + b, held at the largest span. Spans of damaged captures may each come close to 2^63; a sum of
// many of them must stay defined. Both arguments are >= 0.
inline capture::CycleSpan AddSaturated(capture::CycleSpan a, capture::CycleSpan b) {
  capture::CycleSpan sum = 0;
  return __builtin_add_overflow(a, b, &sum) ? std::numeric_limits<capture::CycleSpan>::max() : sum;
}

}  // namespace simpler::overhead
