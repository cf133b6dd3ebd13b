// Collection levels. Each includes the ones below it.
#pragma once

#include <cstdint>

namespace simpler::protocol {

inline constexpr uint32_t kLevelDisabled = 0;
inline constexpr uint32_t kLevelAicoreTiming = 1;  // one AICore record per task
inline constexpr uint32_t kLevelAicpuTiming = 2;   // + the scheduler's stamps of each dispatch
inline constexpr uint32_t kLevelSchedPhases = 3;   // + phases of the scheduler threads
inline constexpr uint32_t kLevelOrchPhases = 4;    // + submits of a device-side orchestrator
inline constexpr uint32_t kMaxLevel = kLevelOrchPhases;

// The launch's enable word is a set of features; the level itself is in the region's header.
inline constexpr uint32_t kEnableArgsDump = 1U << 0;
inline constexpr uint32_t kEnableSwimlane = 1U << 1;
inline constexpr uint32_t kEnablePmu = 1U << 2;
inline constexpr uint32_t kEnableDepGen = 1U << 3;
inline constexpr uint32_t kEnableScopeStats = 1U << 4;

}  // namespace simpler::protocol
