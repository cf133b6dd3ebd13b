// Arrows whose ends are found by search, kept in both directions. For formats that tie arrows to
// slices; arrows between tasks are enumerated from the graph instead and are not in here.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace simpler::timeline {

class FlowTable {
 public:
  // Id of an arrow between two slices (SliceNumbers), unique in the trace.
  static uint64_t IdOf(uint32_t from, uint32_t to) { return uint64_t{from} << 32 | to; }

  // Room for that many arrows in all, so that adding them copies none.
  void Reserve(size_t arrows) { added_.reserve(arrows); }
  void Add(uint32_t from, uint32_t to) { added_.push_back({from, to}); }

  // Groups fewer than 2^32 arrows; of equal arrows one stays. Returns how many were taken out.
  // O(arrows + largest number).
  uint64_t Seal();

  // The slices that arrows of a slice lead to / come from, ascending. Valid after Seal.
  std::span<const uint32_t> From(uint32_t slice) const { return forward_.Of(slice); }
  std::span<const uint32_t> Into(uint32_t slice) const { return backward_.Of(slice); }
  // Asks for the memory that From and Into will read: first for where the arrows of a slice are
  // listed, later for the lists.
  void PrefetchPlaces(uint32_t slice) const {
    __builtin_prefetch(forward_.begins.data() + slice);
    __builtin_prefetch(backward_.begins.data() + slice);
  }
  void PrefetchLists(uint32_t slice) const {
    __builtin_prefetch(From(slice).data());
    __builtin_prefetch(Into(slice).data());
  }

 private:
  struct Arrow {
    uint32_t from;
    uint32_t to;
  };

  // The other ends of arrows, grouped by one end: those of `slice` are ends[begins[slice],
  // begins[slice + 1]).
  struct Ends {
    std::vector<uint32_t> begins;
    std::vector<uint32_t> ends;

    std::span<const uint32_t> Of(uint32_t slice) const {
      if (size_t{slice} + 1 >= begins.size()) return {};
      return {ends.data() + begins[slice], ends.data() + begins[slice + 1]};
    }
  };

  void GroupByStart();
  uint64_t TakeOutRepeated();
  void GroupByEnd();

  std::vector<Arrow> added_;
  Ends forward_;
  Ends backward_;
};

}  // namespace simpler::timeline
