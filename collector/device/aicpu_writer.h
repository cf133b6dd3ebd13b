// The half of the protocol that one AICPU thread executes: it records, hands over full buffers and
// takes empty ones, for the cores it serves and for itself.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "collector/device/aicpu_launch.h"
#include "collector/device/back_pressure.h"
#include "collector/device/lane.h"
#include "collector/device/run_summary.h"
#include "collector/protocol/level.h"
#include "collector/protocol/records.h"
#include "collector/protocol/region.h"

namespace simpler::device {

// Belongs to one AICPU thread. Whatever it publishes goes through that thread's ready queue. Each
// function does nothing at levels that do not include it. Full buffers are published before a new
// one is taken, so that the host can always see and return one, however small the pools are.
//
// Every function may wait for the host as the launch's BackPressure says. A gate at which a wait
// was in vain does not wait again before it has opened once: a host that is gone costs one patience
// per lane, not one per record.
class AicpuWriter {
 public:
  // `launch` outlives the writer and has begun.
  AicpuWriter(AicpuLaunch* launch, uint32_t thread);

  // Level 1, immediately before the doorbell of a task on `core`. Changes the core's buffer when it
  // is full.
  void OnDispatch(uint32_t core, uint32_t token);

  // Level 1, on every event of `core` that matches a token in flight, ACK or FIN. Required: without
  // it a core's full buffers wait for the end of the run.
  void OnAck(uint32_t core, uint32_t token);

  // Level 2, on FIN, after OnAck.
  void CompleteTask(uint32_t core, uint32_t token, uint64_t dispatch_cycles,
                    uint64_t finish_cycles);

  // Level 3: one phase of this thread. `record.reserved` is ignored.
  void RecordSchedPhase(const protocol::SchedPhaseRecord& record);

  // Level 4: one submit. Only on the thread that orchestrates.
  void RecordSubmit(const protocol::OrchPhaseRecord& record);

  // At the thread's end, for the cores it serves then. Every one of them must have left its loop:
  // FIN alone does not prove that the last record was written.
  void FlushCores(std::span<const uint32_t> cores);
  void FlushSchedPhases();
  // At the end of orchestration.
  void FlushSubmits();

  const ThreadStalls& stalls() const { return stalls_; }
  // A thread without a queue has none.
  void AddTo(RunSummary* summary) const {
    if (queue_ != nullptr) summary->threads[thread_] = stalls_;
  }

 private:
  using Failure = std::optional<LossCause>;

  template <typename IsOpen>
  Failure WaitAt(Gate gate, const Lane& lane, bool* gave_up, IsOpen is_open);
  LossCause CauseOf(Gate gate) const;
  bool LeaseExpired() const;

  bool QueueHasRoom() const;
  Failure Publish(const Lane& lane, uint64_t buffer, uint32_t seq);
  Failure Take(Lane* lane, uint32_t seq);
  void Switch(Lane* lane);
  std::byte* SlotFor(Lane* lane);
  std::byte* SlotInNextBuffer(Lane* lane);
  void Flush(Lane* lane);

  void DispatchIntoNextBuffer(CoreLanes* core, uint32_t token);
  void OnAckWithStash(CoreLanes* core, uint32_t token);
  bool ChangeAicoreBuffer(CoreLanes* core, uint32_t gate);
  Failure PublishStash(CoreLanes* core);
  void FlushAicore(CoreLanes* core);

  AicpuLaunch* const launch_;
  const uint32_t thread_;
  protocol::ReadyEntry* queue_ = nullptr;  // null: nothing is collected
  const uint32_t* queue_head_ = nullptr;
  uint32_t* queue_tail_ = nullptr;
  uint32_t queue_size_ = 0;
  bool queue_gave_up_ = false;
  ThreadStalls stalls_;
};

// What happens with every record is inline; what happens once per buffer is not.

inline void AicpuWriter::OnDispatch(uint32_t core_id, uint32_t token) {
  if (queue_ == nullptr) return;
  CoreLanes& core = launch_->cores_[core_id];
  core.aicore_task.CountAttempt();
  core.last_token = token;
  core.has_unacknowledged = true;
  core.last_has_slot = core.aicore_task.HasRoom();
  if (core.last_has_slot) {
    ++core.aicore_task.used;
  } else {
    DispatchIntoNextBuffer(&core, token);
  }
}

inline void AicpuWriter::OnAck(uint32_t core_id, uint32_t token) {
  if (queue_ == nullptr) return;
  CoreLanes& core = launch_->cores_[core_id];
  if (token == core.last_token) core.has_unacknowledged = false;
  if (core.stash.buffer != 0) OnAckWithStash(&core, token);
}

// Null, and the record counted as lost, when there is no slot.
inline std::byte* AicpuWriter::SlotFor(Lane* lane) {
  lane->CountAttempt();
  return lane->HasRoom() ? lane->NextSlot() : SlotInNextBuffer(lane);
}

inline void AicpuWriter::CompleteTask(uint32_t core_id, uint32_t token, uint64_t dispatch_cycles,
                                      uint64_t finish_cycles) {
  if (queue_ == nullptr || launch_->level() < protocol::kLevelAicpuTiming) return;
  Lane& lane = launch_->cores_[core_id].aicpu_task;
  auto* record = reinterpret_cast<protocol::AicpuTaskRecord*>(SlotFor(&lane));
  if (record == nullptr) return;
  record->dispatch_time = dispatch_cycles;
  record->finish_time = finish_cycles;
  record->reg_task_id = token;
  // At once, so that a pool that ends here has nothing left to flush.
  if (lane.used == lane.capacity) Switch(&lane);
}

inline void AicpuWriter::RecordSchedPhase(const protocol::SchedPhaseRecord& record) {
  if (queue_ == nullptr || !launch_->has_phases_) return;
  auto* const slot =
      reinterpret_cast<protocol::SchedPhaseRecord*>(SlotFor(&launch_->sched_[thread_]));
  if (slot == nullptr) return;
  // Field by field: a copy in wide pieces would have to wait for the fields that the caller has
  // just written, which takes longer than everything else here.
  slot->start_time = record.start_time;
  slot->end_time = record.end_time;
  slot->loop_iter = record.loop_iter;
  slot->kind = record.kind;
  slot->tasks_processed = record.tasks_processed;
  slot->pop_hit_or_local_id = record.pop_hit_or_local_id;
  slot->pop_miss_or_ring_id = record.pop_miss_or_ring_id;
  slot->depths_at_start = record.depths_at_start;
  slot->depths_at_end = record.depths_at_end;
}

inline void AicpuWriter::RecordSubmit(const protocol::OrchPhaseRecord& record) {
  if (queue_ == nullptr || launch_->orch_.pool == nullptr) return;
  std::byte* const slot = SlotFor(&launch_->orch_);
  if (slot != nullptr) *reinterpret_cast<protocol::OrchPhaseRecord*>(slot) = record;
}

}  // namespace simpler::device
