// Clock domains as types: a device cycle count cannot be mixed with host time by accident.
#pragma once

#include <compare>
#include <cstdint>

namespace simpler::capture {

// A raw counter value of the device (`get_sys_cnt`), in cycles of the capture's clock frequency.
// Readers refuse values above 2^63 - 1, so differences of two stamps never overflow.
struct DeviceCycles {
  int64_t value = 0;
  friend auto operator<=>(const DeviceCycles&, const DeviceCycles&) = default;
};

// A span between two device stamps, in cycles.
using CycleSpan = int64_t;

constexpr CycleSpan operator-(DeviceCycles a, DeviceCycles b) { return a.value - b.value; }
constexpr DeviceCycles operator-(DeviceCycles a, CycleSpan b) { return {a.value - b}; }
constexpr DeviceCycles operator+(DeviceCycles a, CycleSpan b) { return {a.value + b}; }

// CLOCK_MONOTONIC of one host, in nanoseconds. Comparable only within one host clock domain.
struct HostNanos {
  int64_t value = 0;
  friend auto operator<=>(const HostNanos&, const HostNanos&) = default;
};

constexpr int64_t operator-(HostNanos a, HostNanos b) { return a.value - b.value; }

// Cycles to microseconds for one clock frequency (Hz, > 0). The factor is formed once, as one
// double, and applied to exact integer spans: this is the last step before presentation.
class CycleScale {
 public:
  explicit constexpr CycleScale(int64_t frequency_hz)
      : frequency_hz_(frequency_hz), micros_per_cycle_(1e6 / static_cast<double>(frequency_hz)) {}

  constexpr int64_t frequency_hz() const { return frequency_hz_; }
  constexpr double Micros(CycleSpan span) const {
    return static_cast<double>(span) * micros_per_cycle_;
  }
  // Nanoseconds, rounded down; exact when the frequency divides 10^9.
  constexpr int64_t Nanos(CycleSpan span) const {
    __extension__ using Wide = __int128;
    return static_cast<int64_t>(static_cast<Wide>(span) * 1'000'000'000 / frequency_hz_);
  }

 private:
  int64_t frequency_hz_;
  double micros_per_cycle_;
};

}  // namespace simpler::capture
