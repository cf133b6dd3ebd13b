#include "collector/blocks/block_writer.h"

#include <array>
#include <cstring>
#include <utility>

#include "collector/protocol/shared_word.h"

namespace simpler::blocks {

using protocol::BufferKind;
using protocol::LoadRelaxed;

namespace {

uint64_t Wide(const std::byte* record, uint32_t offset) {
  return LoadRelaxed(*reinterpret_cast<const uint64_t*>(record + offset));
}
uint32_t Word(const std::byte* record, uint32_t offset) {
  return LoadRelaxed(*reinterpret_cast<const uint32_t*>(record + offset));
}

}  // namespace

bool BlockWriter::Begin(BufferKind kind, uint32_t instance, uint32_t seq, uint32_t records) {
  data_ = nullptr;
  const uint64_t bytes = BlockBytes(kind, records);
  if (slab_ == nullptr || bytes > slab_->size() - slab_used_) {
    if (bytes > pool_->slab_bytes()) return false;
    std::shared_ptr<Slab> next = pool_->Take();
    if (next == nullptr) return false;
    slab_ = std::move(next);
    slab_used_ = 0;
  }
  data_ = slab_->data() + slab_used_;
  block_.kind_ = kind;
  block_.instance_ = instance;
  block_.seq_ = seq;
  block_.size_ = 0;
  block_.capacity_ = records;
  block_.data_ = data_;
  return true;
}

uint32_t BlockWriter::Add(const std::byte* records, uint32_t count) {
  uint32_t kept = count;
  switch (block_.kind_) {
    case BufferKind::kAicpuTask:
      AddAicpuTasks(records, count);
      break;
    case BufferKind::kAicoreTask:
      kept = AddAicoreTasks(records, count);
      break;
    case BufferKind::kSchedPhase:
      AddSchedPhases(records, count);
      break;
    case BufferKind::kOrchPhase:
      AddOrchPhases(records, count);
      break;
  }
  block_.size_ += kept;
  return count - kept;
}

template <typename T>
T* BlockWriter::NextIn(uint32_t column) const {
  return reinterpret_cast<T*>(data_ + block_.ColumnOffset(column)) + block_.size_;
}

void BlockWriter::AddAicpuTasks(const std::byte* record, uint32_t count) {
  auto* const dispatch = NextIn<uint64_t>(column::kDispatch);
  auto* const finish = NextIn<uint64_t>(column::kFinish);
  auto* const token = NextIn<uint32_t>(column::kAicpuToken);
  for (uint32_t i = 0; i < count; ++i, record += sizeof(protocol::AicpuTaskRecord)) {
    dispatch[i] = Wide(record, 0);
    finish[i] = Wide(record, 8);
    token[i] = Word(record, 16);
  }
}

uint32_t BlockWriter::AddAicoreTasks(const std::byte* record, uint32_t count) {
  auto* const start = NextIn<uint64_t>(column::kStart);
  auto* const end = NextIn<uint64_t>(column::kEnd);
  auto* const task = NextIn<uint64_t>(column::kTask);
  auto* const token = NextIn<uint32_t>(column::kToken);
  auto* const receive = NextIn<uint32_t>(column::kReceiveToStart);
  uint32_t kept = 0;
  for (uint32_t i = 0; i < count; ++i, record += sizeof(protocol::AicoreTaskRecord)) {
    const uint64_t started = Wide(record, 0);
    start[kept] = started;
    end[kept] = Wide(record, 8);
    task[kept] = Wide(record, 16);
    token[kept] = Word(record, 24);
    receive[kept] = Word(record, 28);
    // A record that was never written is overwritten by the next one.
    kept += started != 0 ? 1 : 0;
  }
  return kept;
}

void BlockWriter::AddSchedPhases(const std::byte* record, uint32_t count) {
  auto* const start = NextIn<uint64_t>(column::kPhaseStart);
  auto* const end = NextIn<uint64_t>(column::kPhaseEnd);
  auto* const loop = NextIn<uint32_t>(column::kLoopIter);
  auto* const kind = NextIn<uint32_t>(column::kKind);
  auto* const tasks = NextIn<uint32_t>(column::kTasksProcessed);
  auto* const low = NextIn<uint32_t>(column::kPopHitOrLocalId);
  auto* const high = NextIn<uint32_t>(column::kPopMissOrRingId);
  auto* const depths_at_start = NextIn<protocol::QueueDepths>(column::kDepthsAtStart);
  auto* const depths_at_end = NextIn<protocol::QueueDepths>(column::kDepthsAtEnd);
  for (uint32_t i = 0; i < count; ++i, record += sizeof(protocol::SchedPhaseRecord)) {
    start[i] = Wide(record, 0);
    end[i] = Wide(record, 8);
    loop[i] = Word(record, 16);
    kind[i] = Word(record, 20);
    tasks[i] = Word(record, 24);
    low[i] = Word(record, 28);
    high[i] = Word(record, 32);
    // Three words hold both sets of three depths.
    const std::array<uint32_t, 3> depths = {Word(record, 36), Word(record, 40), Word(record, 44)};
    const auto* const bytes = reinterpret_cast<const std::byte*>(depths.data());
    std::memcpy(&depths_at_start[i], bytes, sizeof(protocol::QueueDepths));
    std::memcpy(&depths_at_end[i], bytes + sizeof(protocol::QueueDepths),
                sizeof(protocol::QueueDepths));
  }
}

void BlockWriter::AddOrchPhases(const std::byte* record, uint32_t count) {
  auto* const start = NextIn<uint64_t>(column::kSubmitStart);
  auto* const end = NextIn<uint64_t>(column::kSubmitEnd);
  auto* const task = NextIn<uint64_t>(column::kSubmitTask);
  auto* const submit = NextIn<uint32_t>(column::kSubmitIdx);
  for (uint32_t i = 0; i < count; ++i, record += sizeof(protocol::OrchPhaseRecord)) {
    start[i] = Wide(record, 0);
    end[i] = Wide(record, 8);
    task[i] = Wide(record, 16);
    submit[i] = Word(record, 24);
  }
}

std::optional<RecordBlock> BlockWriter::End() {
  if (data_ == nullptr || block_.size_ == 0) return std::nullopt;
  slab_used_ += BlockBytes(block_.kind_, block_.capacity_);
  data_ = nullptr;
  RecordBlock block = block_;
  block.slab_ = slab_;
  return block;
}

}  // namespace simpler::blocks
