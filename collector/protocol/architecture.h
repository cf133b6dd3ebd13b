// The two chip generations that the protocol exists for, as values: everything whose size depends
// on the generation follows from these.
#pragma once

#include <cstdint>

namespace simpler::protocol {

struct Architecture {
  const char* name;     // as exported: "a2a3", "a5"
  uint32_t max_blocks;  // clusters of one AIC and two AIV cores
  uint32_t max_cores;
  uint32_t max_threads;           // AICPU threads that have queues and pools
  uint32_t default_threads;       // of a run with an orchestrator: it and the schedulers
  uint32_t max_launched_threads;  // AICPU threads that a launch starts; the surplus has no queues
  uint32_t ready_queue_size;      // slots per ready queue; one stays empty
  uint64_t clock_hz;              // of the system counter that stamps records
};

inline constexpr uint32_t kCoresPerBlock = 3;

// Part of the layout: what a ready queue has room for per thread. Not derived from the depths of
// pools, so that these can be tuned without moving the header.
inline constexpr uint32_t kReadyQueueBuffersPerThread = 16;

// Every buffer of every task pool, and two kinds of phase buffers per thread.
constexpr uint32_t ReadyQueueSize(uint32_t max_cores, uint32_t max_threads) {
  return max_cores * 8 + 2 * max_threads * kReadyQueueBuffersPerThread + max_cores * 4;
}

inline constexpr Architecture kA2a3{.name = "a2a3",
                                    .max_blocks = 24,
                                    .max_cores = 24 * kCoresPerBlock,
                                    .max_threads = 4,
                                    .default_threads = 4,
                                    .max_launched_threads = 6,
                                    .ready_queue_size = ReadyQueueSize(24 * kCoresPerBlock, 4),
                                    .clock_hz = 50'000'000};

inline constexpr Architecture kA5{.name = "a5",
                                  .max_blocks = 36,
                                  .max_cores = 36 * kCoresPerBlock,
                                  .max_threads = 5,
                                  .default_threads = 5,
                                  .max_launched_threads = 14,
                                  .ready_queue_size = ReadyQueueSize(36 * kCoresPerBlock, 5),
                                  .clock_hz = 1'000'000'000};

static_assert(kA2a3.max_cores == 72 && kA2a3.ready_queue_size == 992);
static_assert(kA5.max_cores == 108 && kA5.ready_queue_size == 1456);

// The most of anything, for arrays that serve both.
inline constexpr uint32_t kMaxCores = kA5.max_cores;
inline constexpr uint32_t kMaxThreads = kA5.max_threads;

// How long a producer that may block waits before it gives up: 30 s.
constexpr uint64_t BackstopCycles(const Architecture& architecture) {
  return 30 * architecture.clock_hz;
}

}  // namespace simpler::protocol
