// Cuts a growing list of records into column blocks.
#pragma once

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "analysis/capture/blocks.h"

namespace simpler::formats::records {

// Every block but a stream's last holds exactly this many records unless StartBlock cut it short,
// so record i of a stream that was never cut is in block i / kRecordsPerBlock.
inline constexpr size_t kRecordsPerBlock = size_t{1} << 16;

void Reserve(capture::AicoreTaskBlock& block, size_t records);
void Reserve(capture::SchedulerTaskBlock& block, size_t records);
void Reserve(capture::SchedulerPhaseBlock& block, size_t records);
void Reserve(capture::OrchestratorPhaseBlock& block, size_t records);

template <typename Block>
class BlockWriter {
 public:
  bool empty() const { return blocks_.empty(); }

  // The block that takes the next record. The first block of a stream grows as needed, because most
  // streams of small captures hold few records; later ones get their memory at once.
  Block& Next() {
    if (blocks_.empty()) StartBlock();
    if (blocks_.back()->size() == kRecordsPerBlock) {
      StartBlock();
      Reserve(*blocks_.back(), kRecordsPerBlock);
    }
    return *blocks_.back();
  }

  // Makes the next record the first of a block.
  void StartBlock() { blocks_.push_back(std::make_shared<Block>()); }

  Block& block(size_t i) { return *blocks_[i]; }
  size_t block_count() const { return blocks_.size(); }

  // Ends writing; the blocks never change again.
  std::vector<std::shared_ptr<const Block>> Take() && {
    return {std::make_move_iterator(blocks_.begin()), std::make_move_iterator(blocks_.end())};
  }

 private:
  std::vector<std::shared_ptr<Block>> blocks_;
};

}  // namespace simpler::formats::records
