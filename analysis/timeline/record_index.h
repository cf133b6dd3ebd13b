// Random access by position into a stream that is a list of blocks.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace simpler::timeline {

template <typename Block>
class RecordIndex {
 public:
  struct Ref {
    const Block* block;
    size_t row;
  };

  RecordIndex() = default;
  explicit RecordIndex(std::span<const std::shared_ptr<const Block>> blocks) : blocks_(blocks) {
    begins_.reserve(blocks.size());
    for (const auto& block : blocks) {
      begins_.push_back(size_);
      size_ += block->size();
    }
  }

  size_t size() const { return size_; }

  // O(1) for a stream of one block, else O(log blocks).
  Ref At(size_t record) const {
    if (blocks_.size() == 1) return {blocks_[0].get(), record};
    const auto after = std::upper_bound(begins_.begin(), begins_.end(), record);
    const auto index = static_cast<size_t>(after - begins_.begin()) - 1;
    return {blocks_[index].get(), record - begins_[index]};
  }

 private:
  std::span<const std::shared_ptr<const Block>> blocks_;
  std::vector<size_t> begins_;
  size_t size_ = 0;
};

}  // namespace simpler::timeline
