// Synthetic captures of any size, for benchmarks and property tests. A pure function of its
// options: the same options give the same capture on every machine.
//
// A list scheduler places tasks in submit order on clusters of one AIC and two AIV cores with two
// dispatch slots each (one running, one waiting), so pre-dispatched pickups occur as on a device.
// Some tasks are SPMD (several blocks), some MIX (one AIC and two AIV halves); dummies, skipped
// tasks and allocations have no rows, only markers.
#pragma once

#include <cstdint>

#include "analysis/capture/bundle.h"

namespace simpler::support {

struct GeneratorOptions {
  // Who runs the scheduler, and with which phases.
  enum class Profile : uint8_t {
    kRingbuffer,  // AICPU threads; resolve nested in complete
    kHostGraph,   // AICPU threads that detect and dispatch, and one that resolves (P thread)
    kAicore,      // one AICore scheduler per cluster, and AICPU lifecycle records
  };
  uint64_t tasks = 1000;
  uint64_t seed = 1;
  int level = 4;
  Profile profile = Profile::kRingbuffer;
  int clusters = 16;  // cores = 3 * clusters
  int threads = 3;    // AICPU scheduler threads
  int64_t frequency_hz = 50'000'000;
  // Shares of all tasks.
  double spmd = 0.06;
  double mix = 0.06;
  double dummy = 0.01;
  double skip = 0.005;
  double alloc = 0.01;
  double roots = 0.02;  // tasks without producers
};

// Capture, graph and function names. About 150 bytes per row of memory at the peak.
capture::CaptureBundle GenerateCapture(const GeneratorOptions& options);

}  // namespace simpler::support
