#include "collector/device/aicpu_writer.h"

#include "collector/protocol/shared_word.h"

namespace simpler::device {

using protocol::LoadAcquire;
using protocol::LoadRelaxed;
using protocol::StoreRelaxed;
using protocol::StoreRelease;

AicpuWriter::AicpuWriter(AicpuLaunch* launch, uint32_t thread) : launch_(launch), thread_(thread) {
  if (launch->level() == 0 || thread >= launch->config_.architecture->max_threads) return;
  const LaunchConfig& config = launch->config_;
  const protocol::RegionLayout layout(*config.architecture, config.num_cores);
  queue_size_ = layout.ready_queue_size();
  queue_ = config.memory.FindAs<protocol::ReadyEntry>(
      config.region + layout.ReadyEntryAt(thread, 0), queue_size_);
  queue_head_ = launch->HeaderWord(layout.QueueHead(thread));
  queue_tail_ = launch->HeaderWord(layout.QueueTail(thread));
}

// ---------------------------------------------------------------------------- recording

void AicpuWriter::DispatchIntoNextBuffer(CoreLanes* core, uint32_t token) {
  core->last_has_slot = ChangeAicoreBuffer(core, token);
  if (core->last_has_slot) {
    ++core->aicore_task.used;
  } else {
    core->aicore_task.CountLost(1,
                                LeaseExpired() ? LossCause::kLeaseExpired : LossCause::kRotation);
  }
}

void AicpuWriter::OnAckWithStash(CoreLanes* core, uint32_t token) {
  core->stash.is_safe = core->stash.is_safe || token == core->stash.gate;
  // On failure it stays: the next acknowledgement tries again.
  if (core->stash.is_safe) (void)PublishStash(core);
}

std::byte* AicpuWriter::SlotInNextBuffer(Lane* lane) {
  if (lane->records != nullptr) Switch(lane);
  if (lane->records == nullptr) {
    if (const Failure failure = Take(lane, lane->ActiveSeq())) {
      lane->CountLost(1, *failure);
      return nullptr;
    }
  }
  return lane->NextSlot();
}

// ---------------------------------------------------------------------------- gates

bool AicpuWriter::LeaseExpired() const {
  const std::atomic<bool>* expired = launch_->config_.waiting.lease_expired;
  return expired != nullptr && expired->load(std::memory_order_relaxed);
}

LossCause AicpuWriter::CauseOf(Gate gate) const {
  if (LeaseExpired()) return LossCause::kLeaseExpired;
  const BackPressure& policy = launch_->config_.back_pressure;
  if (policy.blocks && policy.patience_cycles > 0) return LossCause::kBackstopTimeout;
  return gate == Gate::kReadyQueue ? LossCause::kQueueFull : LossCause::kNoFreeBuffer;
}

// Nothing when the gate is open; else why it was given up.
template <typename IsOpen>
AicpuWriter::Failure AicpuWriter::WaitAt(Gate gate, const Lane& lane, bool* gave_up,
                                         IsOpen is_open) {
  if (is_open()) {
    *gave_up = false;
    return std::nullopt;
  }
  const uint64_t patience = launch_->config_.back_pressure.patience_cycles;
  if (*gave_up || patience == 0 || LeaseExpired()) return CauseOf(gate);

  const WaitingRoom& room = launch_->config_.waiting;
  const uint64_t begin = room.now(room.context);
  uint64_t now = begin;
  bool open = false;
  while (!open && now - begin < patience && !LeaseExpired()) {
    if (room.relax != nullptr) room.relax(room.context);
    open = is_open();
    now = room.now(room.context);
  }
  stalls_.Add({.begin = begin,
               .end = now,
               .gate = static_cast<uint32_t>(gate),
               .kind = static_cast<uint32_t>(lane.kind),
               .instance = lane.instance,
               .gave_up = open ? 0U : 1U});
  *gave_up = !open;
  return open ? Failure() : CauseOf(gate);
}

bool AicpuWriter::QueueHasRoom() const {
  return (LoadRelaxed(*queue_tail_) + 1) % queue_size_ != LoadAcquire(*queue_head_);
}

// Hands a buffer to the host, whose count is set already. On failure it stays the caller's.
AicpuWriter::Failure AicpuWriter::Publish(const Lane& lane, uint64_t buffer, uint32_t seq) {
  const auto has_room = [this] { return QueueHasRoom(); };
  if (const Failure failure = WaitAt(Gate::kReadyQueue, lane, &queue_gave_up_, has_room)) {
    return failure;
  }
  const uint32_t tail = LoadRelaxed(*queue_tail_) % queue_size_;
  protocol::ReadyEntry& entry = queue_[tail];
  StoreRelaxed(entry.core_index, lane.instance);
  StoreRelaxed(entry.kind, static_cast<uint32_t>(lane.kind));
  StoreRelaxed(entry.buffer_ptr, buffer);
  StoreRelaxed(entry.buffer_seq, seq);
  StoreRelease(*queue_tail_, (tail + 1) % queue_size_);
  return std::nullopt;
}

// Makes the next empty buffer the active one.
AicpuWriter::Failure AicpuWriter::Take(Lane* lane, uint32_t seq) {
  const auto has_buffer = [lane] { return lane->HasFreeBuffer(); };
  if (const Failure failure = WaitAt(Gate::kFreeQueue, *lane, &lane->gave_up, has_buffer)) {
    return failure;
  }
  const LaunchConfig& config = launch_->config_;
  if (!lane->ClaimBuffer(seq, config.memory, config.capacities)) return LossCause::kNoFreeBuffer;
  return std::nullopt;
}

// ---------------------------------------------------------------------------- hand-over

void AicpuWriter::Switch(Lane* lane) {
  const uint32_t seq = lane->ActiveSeq();
  if (const Failure failure = Publish(*lane, lane->ActiveBuffer(), seq)) {
    lane->CountLost(lane->used, *failure);
    lane->SetUsed(0);
    return;
  }
  lane->records = nullptr;
  lane->used = 0;
  StoreRelaxed(lane->pool->head.current_buf_ptr, 0);
  StoreRelease(lane->pool->head.current_buf_seq, seq + 1);
  // Without one, the next record tries again.
  (void)Take(lane, seq + 1);
}

// True when the core has room for the task with token `gate`.
bool AicpuWriter::ChangeAicoreBuffer(CoreLanes* core, uint32_t gate) {
  Lane& lane = core->aicore_task;
  // A stash must never be overwritten. An earlier one is a whole buffer old, hence safe.
  if (core->stash.buffer != 0 && PublishStash(core)) return false;
  const uint64_t full = lane.records == nullptr ? 0 : lane.ActiveBuffer();
  const uint32_t seq = lane.ActiveSeq();
  std::byte* const full_records = lane.records;
  const uint32_t count = lane.used;
  if (Take(&lane, full == 0 ? seq : seq + 1)) return false;
  if (full != 0) {
    core->stash = {.buffer = full, .seq = seq, .count = count, .gate = gate};
    StoreRelaxed(*lane.CountWord(full_records), count);
  }
  return true;
}

AicpuWriter::Failure AicpuWriter::PublishStash(CoreLanes* core) {
  const Failure failure = Publish(core->aicore_task, core->stash.buffer, core->stash.seq);
  if (!failure) core->stash = {};
  return failure;
}

// ---------------------------------------------------------------------------- flush

void AicpuWriter::FlushCores(std::span<const uint32_t> cores) {
  if (queue_ == nullptr) return;
  for (const uint32_t core : cores) {
    Flush(&launch_->cores_[core].aicpu_task);
    FlushAicore(&launch_->cores_[core]);
  }
}

void AicpuWriter::FlushSchedPhases() {
  if (queue_ != nullptr && launch_->has_phases_) Flush(&launch_->sched_[thread_]);
}

void AicpuWriter::FlushSubmits() {
  if (queue_ != nullptr && launch_->orch_.pool != nullptr) Flush(&launch_->orch_);
}

// An empty buffer stays where it is: the host knows that there is nothing in it.
void AicpuWriter::Flush(Lane* lane) {
  if (lane->records == nullptr || lane->used == 0) return;
  if (const Failure failure = Publish(*lane, lane->ActiveBuffer(), lane->ActiveSeq())) {
    lane->CountLost(lane->used, *failure);
    lane->SetUsed(0);
  }
  lane->records = nullptr;
  lane->used = 0;
  StoreRelease(lane->pool->head.current_buf_ptr, 0);
}

void AicpuWriter::FlushAicore(CoreLanes* core) {
  Lane& lane = core->aicore_task;
  if (core->stash.buffer != 0) {
    if (const Failure failure = PublishStash(core)) {
      lane.CountLost(core->stash.count, *failure);
      core->stash = {};
    }
  }
  // The task that the core never took up has no record.
  if (core->has_unacknowledged && core->last_has_slot) {
    lane.CountLost(1, LossCause::kNotExecuted);
    --lane.used;
  }
  core->has_unacknowledged = false;
  if (lane.records != nullptr) lane.SetUsed(lane.used);
  Flush(&lane);
}

}  // namespace simpler::device
