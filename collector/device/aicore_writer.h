// The half of the protocol that a core executes: one record per task, into a slot that is reserved
// before the task is acknowledged and written after it has finished.
#pragma once

#include <cstdint>

#include "collector/device/device_memory.h"
#include "collector/protocol/records.h"
#include "collector/protocol/region.h"
#include "collector/protocol/shared_word.h"

namespace simpler::device {

// Belongs to one core's thread. Per task, in this order:
//
//   slot = Reserve();  ACK;  run;  FIN;  Commit(slot, record);
//
// ACK lets the AICPU dispatch the next task and change the buffer, so the slot must be known before
// it. FIN does not prove that the record is there; the ACK of the next task does, because both
// registers are stored with release order. Hence a buffer is published only after an ACK of a task
// that has its slot in a later one.
class AicoreWriter {
 public:
  // A core that records nothing. Also what a launch without collection must install: the state of
  // an earlier launch names buffers that are not the core's any more.
  AicoreWriter() = default;

  // `rotation_table` is the device address of a table with one entry per core, filled by
  // AicpuLaunch. Call it after the core's register window has opened, not earlier: that is what
  // orders the table. An address of 0 or outside of `memory`, or an empty entry, records nothing.
  AicoreWriter(const DeviceMemory& memory, uint64_t rotation_table, uint32_t core,
               uint32_t records_per_buffer = protocol::kAicoreTaskRecords)
      : memory_(memory), capacity_(records_per_buffer) {
    const auto* entry = memory.FindAs<uint64_t>(rotation_table + uint64_t{core} * 8);
    if (rotation_table == 0 || entry == nullptr) return;
    head_ = memory.FindAs<protocol::ActiveHead>(protocol::LoadAcquire(*entry));
  }

  // The slot of the task that was just picked up; null when there is none, which costs its record
  // and nothing else. Valid until it is committed, whatever happens to the active buffer.
  protocol::AicoreTaskRecord* Reserve() {
    if (head_ == nullptr) return nullptr;
    const uint32_t generation = protocol::LoadAcquire(head_->current_buf_seq);
    if (generation != generation_ || records_ == nullptr) LoadBuffer(generation);
    if (records_ == nullptr || next_slot_ >= capacity_) return nullptr;
    protocol::AicoreTaskRecord* slot = &records_[next_slot_++];
    // Buffers are not cleared when they come back. Without this a task that never finishes would
    // leave the record of another one.
    slot->start_time = 0;
    return slot;
  }

  // Writes the record into its slot; null does nothing.
  static void Commit(protocol::AicoreTaskRecord* slot, const protocol::AicoreTaskRecord& record) {
    if (slot != nullptr) *slot = record;
  }

 private:
  void LoadBuffer(uint32_t generation) {
    generation_ = generation;
    next_slot_ = 0;
    records_ = memory_.FindAs<protocol::AicoreTaskRecord>(
        protocol::LoadAcquire(head_->current_buf_ptr), capacity_);
  }

  DeviceMemory memory_;
  const protocol::ActiveHead* head_ = nullptr;
  protocol::AicoreTaskRecord* records_ = nullptr;
  // No generation, so that the first one is a change.
  uint32_t generation_ = 0xFFFFFFFF;
  uint32_t next_slot_ = 0;
  uint32_t capacity_ = protocol::kAicoreTaskRecords;
};

}  // namespace simpler::device
