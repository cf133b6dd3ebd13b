// What a producer does when the host is slow: how long it waits, and how it tells what happened.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>

#include "collector/protocol/architecture.h"

namespace simpler::device {

// Why records were lost on the device. The shared memory has one counter of lost records per pool;
// the causes stay here and travel with the run summary.
enum class LossCause : uint32_t {
  kQueueFull,        // the ready queue had no room within the patience
  kNoFreeBuffer,     // the host had not sent an empty buffer within the patience
  kBackstopTimeout,  // a producer that may block gave up
  kLeaseExpired,     // the host is gone
  kRotation,         // a core had no slot: its buffer was full and could not be changed
  kNotExecuted,      // dispatched, but the core never took it up
};
inline constexpr uint32_t kLossCauses = 6;

using LossCounts = std::array<uint32_t, kLossCauses>;

// How long a gate waits, in cycles of the injected clock.
struct BackPressure {
  uint64_t patience_cycles = 0;
  bool blocks = false;  // the patience is the backstop of a producer that may block

  // Never waits.
  static constexpr BackPressure Drop() { return {}; }
  static constexpr BackPressure WaitFor(uint64_t cycles) { return {.patience_cycles = cycles}; }
  // Waits as long as the host may take; gives up after 30 s.
  static constexpr BackPressure Block(const protocol::Architecture& architecture) {
    return {.patience_cycles = protocol::BackstopCycles(architecture), .blocks = true};
  }
};

// The clock, what to do on every turn of a wait, and whether waiting still makes sense.
struct WaitingRoom {
  // Cycles, monotonic. Called only while waiting.
  uint64_t (*now)(void* context) = nullptr;
  // Pauses a little; may be null.
  void (*relax)(void* context) = nullptr;
  void* context = nullptr;
  // Set once the host is known to be gone: all gates then give up at once. May be null.
  const std::atomic<bool>* lease_expired = nullptr;
};

enum class Gate : uint32_t { kReadyQueue, kFreeQueue };

// A time in which a producer waited for the host. Its thread polled no registers meanwhile, so the
// finish stamps of tasks in flight are late by up to this.
struct Stall {
  uint64_t begin = 0;  // cycles
  uint64_t end = 0;
  uint32_t gate = 0;      // Gate
  uint32_t kind = 0;      // protocol::BufferKind of the pool that waited
  uint32_t instance = 0;  // its core or thread
  uint32_t gave_up = 0;   // 1: in vain
};
static_assert(sizeof(Stall) == 32);

}  // namespace simpler::device
