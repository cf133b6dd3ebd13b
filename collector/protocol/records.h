// Records and the buffers they travel in. All integers are little-endian; a size or an offset that
// changes breaks every device that was built against it.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace simpler::protocol {

static_assert(std::endian::native == std::endian::little);

// What a buffer holds. The value travels in ready entries.
enum class BufferKind : uint32_t {
  kAicpuTask = 0,   // per core, written by the AICPU thread that owns the core
  kSchedPhase = 1,  // per AICPU thread
  kOrchPhase = 2,   // one, whichever thread orchestrates
  kAicoreTask = 3,  // per core, written by the core itself
};
inline constexpr uint32_t kBufferKinds = 4;

// The two stamps that the scheduler takes of one dispatch.
struct alignas(32) AicpuTaskRecord {
  uint64_t dispatch_time = 0;  // cycles: publication of the dispatch completed
  uint64_t finish_time = 0;    // cycles: processing of the completion began
  uint32_t reg_task_id = 0;    // dispatch token; with the core the key of the join
};
static_assert(sizeof(AicpuTaskRecord) == 32);
static_assert(offsetof(AicpuTaskRecord, finish_time) == 8);
static_assert(offsetof(AicpuTaskRecord, reg_task_id) == 16);

// One execution of a kernel, stamped by its core.
struct alignas(32) AicoreTaskRecord {
  uint64_t start_time = 0;               // cycles: just before the kernel body; 0: not written
  uint64_t end_time = 0;                 // cycles: just after the kernel body, before FIN
  uint64_t task_token_raw = 0;           // logical task; not unique on a core
  uint32_t reg_task_id = 0;              // dispatch token
  uint32_t receive_to_start_cycles = 0;  // start_time minus the time the core picked the task up
};
static_assert(sizeof(AicoreTaskRecord) == 32);
static_assert(offsetof(AicoreTaskRecord, end_time) == 8);
static_assert(offsetof(AicoreTaskRecord, task_token_raw) == 16);
static_assert(offsetof(AicoreTaskRecord, reg_task_id) == 24);
static_assert(offsetof(AicoreTaskRecord, receive_to_start_cycles) == 28);

enum class SchedPhaseKind : uint32_t {
  kComplete = 0,
  kDispatch = 1,
  kRelease = 2,
  // 3 was never used.
  kDummy = 4,
  kEarlyDispatch = 5,
  kResolve = 6,
  kDummyTask = 7,
  kDrain = 8,
  kDrainPrepare = 9,
  kDrainPublish = 10,
  kAsyncPoll = 11,
  kPredicatedSkip = 12,
  kGraphPrepare = 13,
  kResolveStandalone = 14,
};
inline constexpr uint32_t kSchedPhaseKinds = 15;

// Ready-queue depths in the order AIC, AIV, MIX.
using QueueDepths = std::array<int16_t, 3>;

// One phase of one scheduler loop iteration.
struct SchedPhaseRecord {
  uint64_t start_time = 0;
  uint64_t end_time = 0;
  uint32_t loop_iter = 0;
  uint32_t kind = 0;             // SchedPhaseKind
  uint32_t tasks_processed = 0;  // what is counted depends on the kind
  // dispatch: queue hits and misses since the previous dispatch record. dummy_task,
  // predicated_skip, graph_prepare: low and high half of the task id. Else 0. Two words, because
  // they are not aligned for one.
  uint32_t pop_hit_or_local_id = 0;
  uint32_t pop_miss_or_ring_id = 0;
  QueueDepths depths_at_start{};
  QueueDepths depths_at_end{};
  std::array<uint32_t, 4> reserved{};  // not initialised
};
static_assert(sizeof(SchedPhaseRecord) == 64);
static_assert(offsetof(SchedPhaseRecord, end_time) == 8);
static_assert(offsetof(SchedPhaseRecord, loop_iter) == 16);
static_assert(offsetof(SchedPhaseRecord, kind) == 20);
static_assert(offsetof(SchedPhaseRecord, tasks_processed) == 24);
static_assert(offsetof(SchedPhaseRecord, pop_hit_or_local_id) == 28);
static_assert(offsetof(SchedPhaseRecord, pop_miss_or_ring_id) == 32);
static_assert(offsetof(SchedPhaseRecord, depths_at_start) == 36);
static_assert(offsetof(SchedPhaseRecord, depths_at_end) == 42);
static_assert(offsetof(SchedPhaseRecord, reserved) == 48);

// One submit of the orchestrator.
struct OrchPhaseRecord {
  uint64_t start_time = 0;
  uint64_t end_time = 0;
  uint64_t task_id = 0;
  uint32_t submit_idx = 0;
};
static_assert(sizeof(OrchPhaseRecord) == 32);
static_assert(offsetof(OrchPhaseRecord, end_time) == 8);
static_assert(offsetof(OrchPhaseRecord, task_id) == 16);
static_assert(offsetof(OrchPhaseRecord, submit_idx) == 24);

constexpr uint32_t RecordSize(BufferKind kind) {
  return kind == BufferKind::kSchedPhase ? sizeof(SchedPhaseRecord) : 32;
}

// Records per buffer.
inline constexpr uint32_t kAicpuTaskRecords = 1000;
inline constexpr uint32_t kPhaseRecords = 16384;
inline constexpr uint32_t kAicoreTaskRecords = 1024;
static_assert(std::has_single_bit(kAicoreTaskRecords));

// Records, then how many of them are valid, then nothing up to a multiple of 64 bytes. Only the
// AICPU writes `count`, for every kind.
template <typename Record, uint32_t kRecords>
struct alignas(64) RecordBuffer {
  Record records[kRecords];
  uint32_t count;
};
using AicpuTaskBuffer = RecordBuffer<AicpuTaskRecord, kAicpuTaskRecords>;
using SchedPhaseBuffer = RecordBuffer<SchedPhaseRecord, kPhaseRecords>;
using OrchPhaseBuffer = RecordBuffer<OrchPhaseRecord, kPhaseRecords>;
using AicoreTaskBuffer = RecordBuffer<AicoreTaskRecord, kAicoreTaskRecords>;
static_assert(sizeof(AicpuTaskBuffer) == 32'064 && offsetof(AicpuTaskBuffer, count) == 32'000);
static_assert(sizeof(SchedPhaseBuffer) == 1'048'640 &&
              offsetof(SchedPhaseBuffer, count) == 1'048'576);
static_assert(sizeof(OrchPhaseBuffer) == 524'352 && offsetof(OrchPhaseBuffer, count) == 524'288);
static_assert(sizeof(AicoreTaskBuffer) == 32'832 && offsetof(AicoreTaskBuffer, count) == 32'768);

// How many records a buffer of each kind holds. A device and its host agree on it; only tests use
// other values than the default.
struct BufferCapacities {
  std::array<uint32_t, kBufferKinds> records = {kAicpuTaskRecords, kPhaseRecords, kPhaseRecords,
                                                kAicoreTaskRecords};

  constexpr uint32_t Records(BufferKind kind) const { return records[static_cast<uint32_t>(kind)]; }
  constexpr uint64_t CountOffset(BufferKind kind) const {
    return uint64_t{Records(kind)} * RecordSize(kind);
  }
  // Bytes of a buffer, a multiple of 64.
  constexpr uint64_t BufferSize(BufferKind kind) const {
    return (CountOffset(kind) + sizeof(uint32_t) + 63) / 64 * 64;
  }
};
static_assert(BufferCapacities().BufferSize(BufferKind::kAicpuTask) == sizeof(AicpuTaskBuffer));
static_assert(BufferCapacities().BufferSize(BufferKind::kSchedPhase) == sizeof(SchedPhaseBuffer));
static_assert(BufferCapacities().BufferSize(BufferKind::kOrchPhase) == sizeof(OrchPhaseBuffer));
static_assert(BufferCapacities().BufferSize(BufferKind::kAicoreTask) == sizeof(AicoreTaskBuffer));

}  // namespace simpler::protocol
