// What a launch tells its host at the end beside the shared memory: a plain struct, sent as it is.
// The host takes it as a claim: it may only split counts that the shared memory has.
#pragma once

#include <array>
#include <cstdint>
#include <type_traits>

#include "collector/device/back_pressure.h"
#include "collector/protocol/architecture.h"

namespace simpler::device {

inline constexpr uint32_t kKeptStalls = 256;

// The stalls of one AICPU thread, in order of time. The first ones are kept, all are counted.
struct ThreadStalls {
  uint64_t cycles = 0;  // waited in all
  uint32_t count = 0;
  uint32_t kept = 0;  // valid entries below
  std::array<Stall, kKeptStalls> stalls{};

  void Add(const Stall& stall) {
    cycles += stall.end - stall.begin;
    ++count;
    if (kept < kKeptStalls) stalls[kept++] = stall;
  }
};

struct RunSummary {
  static constexpr uint32_t kVersion = 1;

  uint32_t version = kVersion;
  uint32_t num_cores = 0;
  // Per pool, by core or thread.
  std::array<LossCounts, protocol::kMaxCores> aicpu_task{};
  std::array<LossCounts, protocol::kMaxCores> aicore_task{};
  std::array<LossCounts, protocol::kMaxThreads> sched_phase{};
  LossCounts orch_phase{};
  std::array<ThreadStalls, protocol::kMaxThreads> threads{};
};
static_assert(std::is_trivially_copyable_v<RunSummary>);

}  // namespace simpler::device
