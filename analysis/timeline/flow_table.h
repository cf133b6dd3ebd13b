// Arrows whose ends are found by search, kept in both directions. For formats that tie arrows to
// slices; arrows between tasks are enumerated from the graph instead and are not in here.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace simpler::timeline {

class FlowTable {
 public:
  // An arrow between two slices (SliceNumbers). Its id is unique in the trace.
  static uint64_t IdOf(uint32_t from, uint32_t to) { return uint64_t{from} << 32 | to; }

  void Add(uint32_t from, uint32_t to) { forward_.push_back(IdOf(from, to)); }

  // Sorts; of equal arrows one stays. Returns how many were taken out.
  uint64_t Seal();

  // Ids of the arrows that start / end at a slice. Valid after Seal.
  std::span<const uint64_t> From(uint32_t slice) const { return Range(forward_, slice); }
  // Appends ids to `ids`.
  void AppendTo(uint32_t slice, std::vector<uint64_t>* ids) const;

 private:
  // The ids whose upper half is `slice`.
  static std::span<const uint64_t> Range(const std::vector<uint64_t>& ids, uint32_t slice);

  std::vector<uint64_t> forward_;   // from, to
  std::vector<uint64_t> backward_;  // to, from
};

}  // namespace simpler::timeline
