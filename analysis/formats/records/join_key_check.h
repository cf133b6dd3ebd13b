// Proves that no (core_id, reg_task_id) occurs twice in a section of one run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "analysis/capture/blocks.h"

namespace simpler::formats::records {

// Writers emit tokens in ascending order per core, which holds no duplicate and is checked while
// reading. Only when a file breaks that order are its keys sorted.
class JoinKeyCheck {
 public:
  void Add(capture::CoreId core, uint32_t reg_task_id) {
    if (core >= last_token_.size() && !Grow(core)) return;
    ascending_ = ascending_ && last_token_[core] < int64_t{reg_task_id};
    last_token_[core] = reg_task_id;
  }

  struct Duplicate {
    capture::CoreId core;
    uint32_t reg_task_id;
    size_t first_row;  // counted over the blocks
    size_t second_row;
  };

  // The duplicate whose second row comes first. `blocks` holds exactly what was added.
  template <typename BlockWriter>
  std::optional<Duplicate> Find(BlockWriter& blocks) const {
    if (ascending_) return std::nullopt;
    std::vector<Entry> entries;
    for (size_t i = 0; i < blocks.block_count(); ++i) {
      const auto& block = blocks.block(i);
      for (size_t row = 0; row < block.size(); ++row) {
        entries.push_back(
            {uint64_t{block.core_id[row]} << 32 | block.reg_task_id[row], entries.size()});
      }
    }
    return FindIn(entries);
  }

 private:
  struct Entry {
    uint64_t key;
    size_t row;
  };
  // Beyond any real chip; a damaged core id must not cost memory in every run of a file.
  static constexpr size_t kMaxTrackedCores = 4096;

  bool Grow(capture::CoreId core) {
    ascending_ = ascending_ && core < kMaxTrackedCores;
    if (ascending_) last_token_.resize(size_t{core} + 1, -1);
    return ascending_;
  }
  static std::optional<Duplicate> FindIn(std::vector<Entry>& entries);

  std::vector<int64_t> last_token_;  // by core; -1: none yet
  bool ascending_ = true;
};

}  // namespace simpler::formats::records
