// The shared region: one header, then one pool state of 192 bytes per lane. Record buffers are not
// in it; they are reached through device addresses.
//
//   0                      Header
//   H                      AicpuTask pools    [num_cores]
//   H + 192 num_cores      AicoreTask pools   [num_cores]
//   H + 384 num_cores      SchedPhase pools   [max_threads], however many threads a run has
//   ... + 192 max_threads  OrchPhase pools    [max_threads], of which only the first is used
#pragma once

#include <cstddef>
#include <cstdint>

#include "collector/protocol/architecture.h"
#include "collector/protocol/records.h"

namespace simpler::protocol {

// A full buffer on its way to the host. The producer writes the entry, then the tail.
struct alignas(32) ReadyEntry {
  uint32_t core_index =
      0;              // core of a task kind; thread of a SchedPhase buffer; 0 of an OrchPhase one
  uint32_t kind = 0;  // BufferKind
  uint64_t buffer_ptr = 0;  // device address, never 0
  uint32_t buffer_seq = 0;  // 0, 1, 2, … within the pool
  uint32_t reserved = 0;
};
static_assert(sizeof(ReadyEntry) == 32);
static_assert(offsetof(ReadyEntry, kind) == 4);
static_assert(offsetof(ReadyEntry, buffer_ptr) == 8);
static_assert(offsetof(ReadyEntry, buffer_seq) == 16);

// What a pool's producer writes into, and its accounts: one cache line, which AICores poll.
struct alignas(64) ActiveHead {
  uint64_t current_buf_ptr;       // device address; 0: none
  uint32_t current_buf_seq;       // of the active buffer, or of the next one when there is none
  uint32_t total_record_count;    // records attempted
  uint32_t dropped_record_count;  // records known to be lost on the device
};
static_assert(sizeof(ActiveHead) == 64);
static_assert(offsetof(ActiveHead, current_buf_seq) == 8);
static_assert(offsetof(ActiveHead, total_record_count) == 12);
static_assert(offsetof(ActiveHead, dropped_record_count) == 16);

inline constexpr uint32_t kFreeQueueSlots = 4;

// Empty buffers on their way to the device. Both counters run freely: slot = counter mod 4, and
// wrapping around 2^32 is harmless. Empty: head == tail; full: tail - head == 4.
struct alignas(64) FreeQueue {
  uint64_t buffer_ptrs[kFreeQueueSlots];  // device addresses, written by the host
  uint32_t head;                          // taken, written by the device
  uint32_t tail;                          // given, written by the host after the slot
  uint32_t reserved[22];
};
static_assert(sizeof(FreeQueue) == 128);
static_assert(offsetof(FreeQueue, head) == 32);
static_assert(offsetof(FreeQueue, tail) == 36);

// The same for all kinds. The address of `head` of every AicoreTask pool is published to its core.
struct alignas(64) PoolState {
  ActiveHead head;
  FreeQueue free_queue;
};
static_assert(sizeof(PoolState) == 192);
static_assert(offsetof(PoolState, free_queue) == 64);

// Ready-queue indices wrap at ready_queue_size. Empty: head == tail; full: tail + 1 == head.
template <const Architecture& kArchitecture>
struct alignas(64) Header {
  ReadyEntry queues[kArchitecture.max_threads][kArchitecture.ready_queue_size];
  uint32_t queue_heads[kArchitecture.max_threads];  // written by the host
  uint32_t queue_tails[kArchitecture.max_threads];  // each written by its AICPU thread
  uint32_t num_cores;                               // written by the host before the run
  uint32_t chip_swimlane_level;                     // written by the host before the run
  uint32_t num_sched_phase_threads;                 // written by the AICPU; 0 before that
  uint32_t num_orch_phase_threads;                  // written by the AICPU; 0 before that
  uint32_t num_phase_cores;                         // valid entries below; 0: not known yet
  int8_t core_to_thread[kArchitecture.max_cores];   // -1: unassigned
  // Of an earlier form of back-pressure that froze all lanes. Reserved and zero: every form of the
  // protocol has the same offsets.
  uint32_t rq_freeze_active;
  uint32_t rq_contended;
  uint32_t fq_freeze_active;
  uint32_t fq_contended;
};

// Offsets within the region, in bytes, for code that serves every architecture.
class RegionLayout {
 public:
  constexpr RegionLayout(const Architecture& architecture, uint32_t num_cores)
      : max_threads_(architecture.max_threads),
        max_cores_(architecture.max_cores),
        ready_queue_size_(architecture.ready_queue_size),
        num_cores_(num_cores) {}

  constexpr uint64_t ReadyEntryAt(uint32_t queue, uint32_t slot) const {
    return (uint64_t{queue} * ready_queue_size_ + slot) * sizeof(ReadyEntry);
  }
  constexpr uint64_t QueueHead(uint32_t queue) const {
    return ReadyEntryAt(max_threads_, 0) + uint64_t{queue} * 4;
  }
  constexpr uint64_t QueueTail(uint32_t queue) const { return QueueHead(max_threads_ + queue); }
  constexpr uint64_t NumCores() const { return QueueTail(max_threads_); }
  constexpr uint64_t Level() const { return NumCores() + 4; }
  constexpr uint64_t NumSchedPhaseThreads() const { return NumCores() + 8; }
  constexpr uint64_t NumOrchPhaseThreads() const { return NumCores() + 12; }
  constexpr uint64_t NumPhaseCores() const { return NumCores() + 16; }
  constexpr uint64_t CoreToThread(uint32_t core) const { return NumCores() + 20 + core; }
  constexpr uint64_t FreezeWords() const { return (CoreToThread(max_cores_) + 3) / 4 * 4; }
  constexpr uint64_t HeaderSize() const { return (FreezeWords() + 16 + 63) / 64 * 64; }

  // Pool state of a lane: `instance` is a core, a thread, or 0 for the orchestrator.
  constexpr uint64_t Pool(BufferKind kind, uint32_t instance) const {
    return HeaderSize() + (FirstPool(kind) + instance) * sizeof(PoolState);
  }
  // Lanes of a kind.
  constexpr uint32_t Pools(BufferKind kind) const {
    const bool is_task = kind == BufferKind::kAicpuTask || kind == BufferKind::kAicoreTask;
    return is_task ? num_cores_ : max_threads_;
  }
  constexpr uint64_t size() const { return Pool(BufferKind::kOrchPhase, max_threads_); }

  constexpr uint32_t num_cores() const { return num_cores_; }
  constexpr uint32_t max_cores() const { return max_cores_; }
  constexpr uint32_t max_threads() const { return max_threads_; }
  constexpr uint32_t ready_queue_size() const { return ready_queue_size_; }

 private:
  constexpr uint64_t FirstPool(BufferKind kind) const {
    const uint64_t cores = num_cores_;
    switch (kind) {
      case BufferKind::kAicpuTask:
        return 0;
      case BufferKind::kAicoreTask:
        return cores;
      case BufferKind::kSchedPhase:
        return 2 * cores;
      case BufferKind::kOrchPhase:
        return 2 * cores + max_threads_;
    }
    return 0;
  }

  uint32_t max_threads_;
  uint32_t max_cores_;
  uint32_t ready_queue_size_;
  uint32_t num_cores_;
};

// The two descriptions of the header agree.
template <const Architecture& kArchitecture>
constexpr bool HeaderMatchesLayout() {
  using H = Header<kArchitecture>;
  constexpr RegionLayout kLayout(kArchitecture, kArchitecture.max_cores);
  return offsetof(H, queue_heads) == kLayout.QueueHead(0) &&
         offsetof(H, queue_tails) == kLayout.QueueTail(0) &&
         offsetof(H, num_cores) == kLayout.NumCores() &&
         offsetof(H, chip_swimlane_level) == kLayout.Level() &&
         offsetof(H, num_sched_phase_threads) == kLayout.NumSchedPhaseThreads() &&
         offsetof(H, num_orch_phase_threads) == kLayout.NumOrchPhaseThreads() &&
         offsetof(H, num_phase_cores) == kLayout.NumPhaseCores() &&
         offsetof(H, core_to_thread) == kLayout.CoreToThread(0) &&
         offsetof(H, rq_freeze_active) == kLayout.FreezeWords() &&
         sizeof(H) == kLayout.HeaderSize();
}
static_assert(HeaderMatchesLayout<kA2a3>() && HeaderMatchesLayout<kA5>());

static_assert(offsetof(Header<kA2a3>, queue_heads) == 126'976);
static_assert(offsetof(Header<kA2a3>, queue_tails) == 126'992);
static_assert(offsetof(Header<kA2a3>, num_cores) == 127'008);
static_assert(offsetof(Header<kA2a3>, chip_swimlane_level) == 127'012);
static_assert(offsetof(Header<kA2a3>, num_sched_phase_threads) == 127'016);
static_assert(offsetof(Header<kA2a3>, num_orch_phase_threads) == 127'020);
static_assert(offsetof(Header<kA2a3>, num_phase_cores) == 127'024);
static_assert(offsetof(Header<kA2a3>, core_to_thread) == 127'028);
static_assert(offsetof(Header<kA2a3>, rq_freeze_active) == 127'100);
static_assert(offsetof(Header<kA2a3>, rq_contended) == 127'104);
static_assert(offsetof(Header<kA2a3>, fq_freeze_active) == 127'108);
static_assert(offsetof(Header<kA2a3>, fq_contended) == 127'112);
static_assert(sizeof(Header<kA2a3>) == 127'168);

static_assert(offsetof(Header<kA5>, queue_heads) == 232'960);
static_assert(offsetof(Header<kA5>, queue_tails) == 232'980);
static_assert(offsetof(Header<kA5>, num_cores) == 233'000);
static_assert(offsetof(Header<kA5>, chip_swimlane_level) == 233'004);
static_assert(offsetof(Header<kA5>, num_sched_phase_threads) == 233'008);
static_assert(offsetof(Header<kA5>, num_orch_phase_threads) == 233'012);
static_assert(offsetof(Header<kA5>, num_phase_cores) == 233'016);
static_assert(offsetof(Header<kA5>, core_to_thread) == 233'020);
static_assert(offsetof(Header<kA5>, rq_freeze_active) == 233'128);
static_assert(offsetof(Header<kA5>, rq_contended) == 233'132);
static_assert(offsetof(Header<kA5>, fq_freeze_active) == 233'136);
static_assert(offsetof(Header<kA5>, fq_contended) == 233'140);
static_assert(sizeof(Header<kA5>) == 233'152);

static_assert(RegionLayout(kA2a3, 24).size() == 137'920);
static_assert(RegionLayout(kA2a3, 72).size() == 156'352);
static_assert(RegionLayout(kA5, 24).size() == 244'288);
static_assert(RegionLayout(kA5, 108).size() == 276'544);

}  // namespace simpler::protocol
