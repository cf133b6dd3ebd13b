// Appends rows to a list of column blocks of bounded size.
#pragma once

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace simpler::support {

template <typename Block>
class BlockList {
 public:
  static constexpr size_t kRowsPerBlock = size_t{1} << 16;

  // The block that takes the next row.
  Block& open() {
    if (blocks_.empty() || blocks_.back()->size() == kRowsPerBlock) {
      blocks_.push_back(std::make_shared<Block>());
    }
    return *blocks_.back();
  }

  const std::vector<std::shared_ptr<Block>>& blocks() const { return blocks_; }

  // Hands the blocks over, appended to `list`.
  void MoveTo(std::vector<std::shared_ptr<const Block>>& list) {
    for (auto& block : blocks_) list.push_back(std::move(block));
    blocks_.clear();
  }

 private:
  std::vector<std::shared_ptr<Block>> blocks_;
};

}  // namespace simpler::support
