#include "analysis/capture/id_set.h"

#include <algorithm>
#include <random>
#include <utility>

namespace simpler::capture {
namespace {

constexpr int kInitialLog2 = 6;

uint64_t RandomOddNumber() {
  std::random_device random;
  return (uint64_t{random()} << 32 | random()) | 1;
}

}  // namespace

IdSet::IdSet()
    : multiplier_(RandomOddNumber()),
      shift_(64 - kInitialLog2),
      words_(size_t{1} << kInitialLog2) {}

void IdSet::Insert(uint64_t id) {
  Word& word = words_[FindSlot(id / kBits)];
  const bool is_new = word.bits == 0;
  word.key = id / kBits;
  word.bits |= uint64_t{1} << id % kBits;
  if (is_new && ++used_ * 2 > words_.size()) Grow();
}

void IdSet::Grow() {
  std::vector<Word> old(words_.size() * 2);
  old.swap(words_);
  --shift_;
  for (const Word& word : old) {
    if (word.bits != 0) words_[FindSlot(word.key)] = word;
  }
}

std::vector<uint32_t> IdSet::UsedSlots() const {
  std::vector<uint32_t> slots;
  slots.reserve(used_);
  for (uint32_t slot = 0; slot < words_.size(); ++slot) {
    if (words_[slot].bits != 0) slots.push_back(slot);
  }
  std::sort(slots.begin(), slots.end(),
            [&](uint32_t a, uint32_t b) { return words_[a].key < words_[b].key; });
  return slots;
}

void IdSet::Seal() {
  uint32_t rank = 0;
  for (uint32_t slot : UsedSlots()) {
    words_[slot].rank = rank;
    rank += static_cast<uint32_t>(__builtin_popcountll(words_[slot].bits));
  }
  size_ = rank;
}

std::vector<uint64_t> IdSet::Ids() const {
  std::vector<uint64_t> ids;
  ids.reserve(size_);
  for (uint32_t slot : UsedSlots()) {
    const Word& word = words_[slot];
    for (uint64_t bits = word.bits; bits != 0; bits &= bits - 1) {
      ids.push_back(word.key * kBits + static_cast<uint64_t>(__builtin_ctzll(bits)));
    }
  }
  return ids;
}

}  // namespace simpler::capture
