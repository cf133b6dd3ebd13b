// The clock of benchmarks: what a thread used of the processor, because the machine may be shared.
#pragma once

#include <time.h>

namespace simpler {

// Nanoseconds of processor time that the calling thread has used.
inline double ThreadNanos() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e9 + static_cast<double>(now.tv_nsec);
}

}  // namespace simpler
