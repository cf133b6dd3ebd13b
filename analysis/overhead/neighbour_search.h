#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace simpler::overhead {

// Looks ids up in a list that is ascending by its member `id`. Records name tasks mostly in the
// order of their ids, so the neighbour of the previous hit is tried before a binary search, which
// costs a cache miss per step in large lists. Not thread-safe.
template <typename T>
class NeighbourSearch {
 public:
  explicit NeighbourSearch(std::span<const T> sorted) : sorted_(sorted) {}

  // Index of the element with that id.
  std::optional<size_t> Find(uint64_t id) {
    if (next_ >= sorted_.size() || sorted_[next_].id != id) {
      const auto it =
          std::lower_bound(sorted_.begin(), sorted_.end(), id,
                           [](const T& element, uint64_t key) { return element.id < key; });
      if (it == sorted_.end() || it->id != id) return std::nullopt;
      next_ = static_cast<size_t>(it - sorted_.begin());
    }
    return next_++;
  }

 private:
  std::span<const T> sorted_;
  size_t next_ = 0;
};

}  // namespace simpler::overhead
