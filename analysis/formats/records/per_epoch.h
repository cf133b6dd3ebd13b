// Groups what one section of a file holds by the run it belongs to.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <utility>

namespace simpler::formats::records {

// The value of a record's run_epoch; absent in files of one run.
using Epoch = std::optional<int64_t>;

// One T per epoch, made on first use. Records without run_epoch share the group of an absent epoch.
template <typename T>
class PerEpoch {
 public:
  PerEpoch() = default;
  PerEpoch(PerEpoch&&) noexcept = default;
  PerEpoch& operator=(PerEpoch&&) noexcept = default;
  PerEpoch(const PerEpoch&) = delete;
  PerEpoch& operator=(const PerEpoch&) = delete;

  // Consecutive records mostly belong to one run, so the last group is remembered.
  T& operator[](Epoch epoch) {
    if (last_ == nullptr || epoch != last_epoch_) {
      last_ = &groups_[epoch];
      last_epoch_ = epoch;
    }
    return *last_;
  }

  // In ascending order, the group without epoch first.
  std::map<Epoch, T>& groups() { return groups_; }
  const std::map<Epoch, T>& groups() const { return groups_; }
  bool mixes_presence() const { return groups_.size() > 1 && !groups_.begin()->first.has_value(); }

 private:
  std::map<Epoch, T> groups_;
  Epoch last_epoch_;
  T* last_ = nullptr;  // into groups_, whose nodes do not move
};

}  // namespace simpler::formats::records
