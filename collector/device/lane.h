// One pool as its producer sees it: the shared state, and what the producer remembers about it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "collector/device/back_pressure.h"
#include "collector/device/device_memory.h"
#include "collector/protocol/records.h"
#include "collector/protocol/region.h"
#include "collector/protocol/shared_word.h"

namespace simpler::device {

// Used by one AICPU thread at a time. A core's lanes change hands when the core does; the runtime
// orders that.
struct Lane {
  protocol::PoolState* pool = nullptr;  // null: nothing is recorded
  protocol::BufferKind kind = protocol::BufferKind::kAicpuTask;
  uint32_t instance = 0;
  uint32_t capacity = 0;         // records per buffer
  std::byte* records = nullptr;  // of the active buffer; null: none
  uint32_t used = 0;             // slots of the active buffer that are taken
  bool gave_up = false;          // the last wait for an empty buffer was in vain
  LossCounts lost{};             // splits the pool's dropped_record_count

  uint64_t ActiveBuffer() const { return protocol::LoadRelaxed(pool->head.current_buf_ptr); }
  uint32_t ActiveSeq() const { return protocol::LoadRelaxed(pool->head.current_buf_seq); }

  void CountAttempt() { protocol::AddByOnlyWriter(pool->head.total_record_count, 1); }

  void CountLost(uint32_t count, LossCause cause) {
    protocol::AddByOnlyWriter(pool->head.dropped_record_count, count);
    lost[static_cast<uint32_t>(cause)] += count;
  }

  bool HasFreeBuffer() const {
    const protocol::FreeQueue& queue = pool->free_queue;
    return protocol::LoadRelaxed(queue.head) != protocol::LoadAcquire(queue.tail);
  }

  // Takes the oldest buffer out of the free queue, which has one, and makes it the active one with
  // sequence `seq`. False when the host sent an address that holds no buffer: the slot is used up.
  bool ClaimBuffer(uint32_t seq, const DeviceMemory& memory,
                   const protocol::BufferCapacities& capacities) {
    protocol::FreeQueue& queue = pool->free_queue;
    const uint32_t taken = protocol::LoadRelaxed(queue.head);
    const uint64_t buffer =
        protocol::LoadRelaxed(queue.buffer_ptrs[taken % protocol::kFreeQueueSlots]);
    // The host may overwrite the slot from here on.
    protocol::StoreRelease(queue.head, taken + 1);
    std::byte* const found = memory.Find(buffer, capacities.BufferSize(kind), 64);
    if (found == nullptr) return false;
    records = found;
    SetUsed(0);
    protocol::StoreRelaxed(pool->head.current_buf_ptr, buffer);
    // A core that sees the new sequence sees the new buffer.
    protocol::StoreRelease(pool->head.current_buf_seq, seq);
    return true;
  }

  bool HasRoom() const { return records != nullptr && used < capacity; }

  // The place of the next record of an active buffer with room, counted as used at once: nobody
  // reads it before the buffer is published.
  std::byte* NextSlot() {
    std::byte* const slot = records + uint64_t{used} * protocol::RecordSize(kind);
    SetUsed(used + 1);
    return slot;
  }

  // The active buffer's shared count, which only the AICPU writes.
  void SetUsed(uint32_t count) {
    used = count;
    protocol::StoreRelaxed(*CountWord(records), count);
  }

  uint32_t* CountWord(std::byte* buffer) const {
    return reinterpret_cast<uint32_t*>(buffer + uint64_t{capacity} * protocol::RecordSize(kind));
  }
};

// A full buffer of a core that may still be written to: it is published once the core has
// acknowledged `gate`, the first task that has its slot in the next buffer.
struct StashedBuffer {
  uint64_t buffer = 0;  // device address; 0: none
  uint32_t seq = 0;
  uint32_t count = 0;
  uint32_t gate = 0;
  bool is_safe = false;  // the gate was acknowledged
};

struct CoreLanes {
  Lane aicpu_task;
  Lane aicore_task;  // `used` counts dispatches into the active buffer; `records` is for its count
  StashedBuffer stash;
  uint32_t last_token = 0;
  bool has_unacknowledged = false;  // the core has not taken up the task of last_token
  bool last_has_slot = false;       // that task counts among `used`
};

}  // namespace simpler::device
