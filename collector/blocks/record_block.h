// The records of one drained buffer as columns. Padding and reserved bytes of the wire format are
// not kept, so a block is at most as large as its buffer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "collector/blocks/slab_pool.h"
#include "collector/protocol/records.h"

namespace simpler::blocks {

// Columns in the order in which they lie in a block: wide ones first, so that all are aligned.
namespace column {

enum AicpuTask : uint32_t { kDispatch, kFinish, kAicpuToken };
enum AicoreTask : uint32_t { kStart, kEnd, kTask, kToken, kReceiveToStart };
enum SchedPhase : uint32_t {
  kPhaseStart,
  kPhaseEnd,
  kLoopIter,
  kKind,
  kTasksProcessed,
  kPopHitOrLocalId,
  kPopMissOrRingId,
  kDepthsAtStart,  // protocol::QueueDepths
  kDepthsAtEnd,    // protocol::QueueDepths
};
enum OrchPhase : uint32_t { kSubmitStart, kSubmitEnd, kSubmitTask, kSubmitIdx };

}  // namespace column

// Bytes of one value of each column of a kind, in order.
std::span<const uint8_t> ColumnWidths(protocol::BufferKind kind);

// Bytes that a block with `records` records takes, a multiple of 64.
uint64_t BlockBytes(protocol::BufferKind kind, uint32_t records);

// Immutable; copies share the memory. May be read from any thread.
class RecordBlock {
 public:
  protocol::BufferKind kind() const { return kind_; }
  uint32_t instance() const { return instance_; }  // core or thread
  uint32_t seq() const { return seq_; }            // of the buffer within its pool
  uint32_t size() const { return size_; }          // records

  // `index` is one of column::… of this kind, T the type of its values.
  template <typename T>
  std::span<const T> Column(uint32_t index) const {
    return {reinterpret_cast<const T*>(data_ + ColumnOffset(index)), size_};
  }

 private:
  friend class BlockWriter;

  uint64_t ColumnOffset(uint32_t index) const;

  protocol::BufferKind kind_ = protocol::BufferKind::kAicpuTask;
  uint32_t instance_ = 0;
  uint32_t seq_ = 0;
  uint32_t size_ = 0;
  uint32_t capacity_ = 0;  // records that the columns have room for
  const std::byte* data_ = nullptr;
  std::shared_ptr<const Slab> slab_;
};

}  // namespace simpler::blocks
