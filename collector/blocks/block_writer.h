// Turns the records of a buffer into a block.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

#include "collector/blocks/record_block.h"
#include "collector/blocks/slab_pool.h"
#include "collector/protocol/records.h"

namespace simpler::blocks {

// Belongs to one thread, and packs its blocks one behind the other into slabs of the pool, which
// outlives it. Allocates nothing but slabs.
class BlockWriter {
 public:
  explicit BlockWriter(SlabPool* pool) : pool_(pool) {}

  // Begins a block with room for `records` records, 1 at least. False when the store is full.
  // A block that was begun before and not ended is given up.
  bool Begin(protocol::BufferKind kind, uint32_t instance, uint32_t seq, uint32_t records);

  // Adds `count` records in the wire format, of the begun kind and within the room that is left.
  // They may lie in memory that another process writes: every word is read once. Returns how many
  // were left out because they were never written (AicoreTask only).
  uint32_t Add(const std::byte* records, uint32_t count);

  // The block; nothing when no record was added. Room that was not used goes to the next block only
  // if the block is empty.
  std::optional<RecordBlock> End();

 private:
  // Where the next row of a column goes.
  template <typename T>
  T* NextIn(uint32_t column) const;
  void AddAicpuTasks(const std::byte* record, uint32_t count);
  uint32_t AddAicoreTasks(const std::byte* record, uint32_t count);  // how many were kept
  void AddSchedPhases(const std::byte* record, uint32_t count);
  void AddOrchPhases(const std::byte* record, uint32_t count);

  SlabPool* const pool_;
  std::shared_ptr<Slab> slab_;
  uint64_t slab_used_ = 0;
  RecordBlock block_;
  std::byte* data_ = nullptr;  // of the begun block
};

}  // namespace simpler::blocks
