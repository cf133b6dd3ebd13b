// Strings numbered from 1 in the order of their first appearance, and sets of such numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace simpler::timeline {

class StringPool {
 public:
  // The number of `text`, which is copied when it is new.
  uint32_t Intern(std::string_view text);

  // Whether Intern has returned `id`.
  bool Contains(uint32_t id) const { return id - 1 < texts_.size(); }

  // The text of a number that Contains.
  std::string_view text(uint32_t id) const { return *texts_[id - 1]; }

 private:
  struct Hash {
    using is_transparent = void;
    size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
  };

  std::unordered_map<std::string, uint32_t, Hash, std::equal_to<>> ids_;
  std::vector<const std::string*> texts_;  // the keys of ids_, which never move
};

// A set of small numbers at one bit each.
class IdSet {
 public:
  bool Contains(uint32_t id) const { return id < limit_ && (words_[id / 64] >> id % 64 & 1) != 0; }

  void Insert(uint32_t id) {
    if (id >= limit_) {
      words_.resize(id / 64 + 1);
      limit_ = words_.size() * 64;
    }
    words_[id / 64] |= uint64_t{1} << id % 64;
  }

 private:
  std::vector<uint64_t> words_;
  uint64_t limit_ = 0;  // numbers that words_ has bits for
};

}  // namespace simpler::timeline
