// A set of 64-bit ids with ranks: ascending order and position of every id in O(1).
//
// Task ids are dense (a ring number above a counter), so the set keeps one bit per id in words of
// 64 consecutive ids, and finds words by hashing. A million dense ids take about half a megabyte.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace simpler::capture {

// First Insert any number of times, then Seal, then ask. Not thread-safe while inserting.
class IdSet {
 public:
  IdSet();

  void Insert(uint64_t id);

  // Assigns ranks. No insertion after this.
  void Seal();

  // Number of distinct ids. Valid after Seal.
  size_t size() const { return size_; }
  // Position of `id` in ascending order. Valid after Seal, for inserted ids only.
  uint32_t Rank(uint64_t id) const {
    const Word& word = words_[FindSlot(id / kBits)];
    const uint64_t below = word.bits & ((uint64_t{1} << id % kBits) - 1);
    return word.rank + static_cast<uint32_t>(__builtin_popcountll(below));
  }
  // Ids in ascending order. Valid after Seal.
  std::vector<uint64_t> Ids() const;

 private:
  static constexpr uint64_t kBits = 64;
  struct Word {
    uint64_t key = 0;   // ids [key * 64, key * 64 + 64)
    uint64_t bits = 0;  // 0: an empty slot
    uint32_t rank = 0;  // ids in smaller words
  };

  // Slot that holds the word, or the empty one where it belongs.
  size_t FindSlot(uint64_t key) const {
    size_t slot = key * multiplier_ >> shift_;
    while (words_[slot].bits != 0 && words_[slot].key != key)
      slot = (slot + 1) & (words_.size() - 1);
    return slot;
  }
  void Grow();
  // Indices of used slots, by ascending key.
  std::vector<uint32_t> UsedSlots() const;

  uint64_t multiplier_;  // odd and random, so that nobody can prepare a file of colliding ids
  int shift_;
  std::vector<Word> words_;  // a power of two, at most half full
  size_t used_ = 0;
  size_t size_ = 0;
};

}  // namespace simpler::capture
