// What a core and its AICPU thread tell each other: dispatch tokens, task ids, the COND register.
#pragma once

#include <cstdint>

namespace simpler::protocol {

// Values that a dispatch register holds instead of a token.
inline constexpr uint32_t kFirstReservedToken = 0x7FFFFFF0;
inline constexpr uint32_t kExitRequest = 0x7FFFFFF0;
inline constexpr uint32_t kIdleOnAicpu = 0x7FFFFFFD;
inline constexpr uint32_t kExited = 0x7FFFFFFE;
inline constexpr uint32_t kIdleOnAicore = 0x7FFFFFFF;

inline constexpr uint32_t kTokenMask = 0x7FFFFFFF;

// The token (reg_task_id) of the dispatch after the one with token `last`, per core; 0 before the
// first. Skips the 16 reserved values, so that 0 follows the largest token.
constexpr uint32_t NextToken(uint32_t last) {
  const uint32_t next = (last + 1) & kTokenMask;
  return next >= kFirstReservedToken ? (next + 16) & kTokenMask : next;
}

// COND: bit 31 tells FIN (1) from ACK (0), the rest is the token.
inline constexpr uint32_t kCondFinished = 1U << 31;
constexpr uint32_t AckOf(uint32_t token) { return token & kTokenMask; }
constexpr uint32_t FinOf(uint32_t token) { return (token & kTokenMask) | kCondFinished; }
constexpr bool IsFin(uint32_t cond) { return (cond & kCondFinished) != 0; }
constexpr uint32_t TokenOf(uint32_t cond) { return cond & kTokenMask; }

inline constexpr uint64_t kNoTask = ~uint64_t{0};
constexpr uint64_t TaskId(uint32_t ring, uint32_t local) { return uint64_t{ring} << 32 | local; }
constexpr uint32_t RingOf(uint64_t task_id) { return static_cast<uint32_t>(task_id >> 32); }
constexpr uint32_t LocalOf(uint64_t task_id) { return static_cast<uint32_t>(task_id); }

// Core types as they appear in tables; exported as "aic" and "aiv".
inline constexpr int32_t kAic = 0;
inline constexpr int32_t kAiv = 1;

// Cores are numbered in blocks: the first third are AIC, the rest AIV. `num_cores` is a multiple of
// kCoresPerBlock.
constexpr int32_t CoreType(uint32_t core, uint32_t num_cores) {
  return core < num_cores / 3 ? kAic : kAiv;
}
// The cluster that a core belongs to: {c, N/3 + 2c, N/3 + 2c + 1} of N cores.
constexpr uint32_t ClusterOf(uint32_t core, uint32_t num_cores) {
  return core < num_cores / 3 ? core : (core - num_cores / 3) / 2;
}

}  // namespace simpler::protocol
