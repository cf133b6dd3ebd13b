// Places a rank's device records on the host's clock without any calibration. The host logged a
// window that contains all device work of the run, and device phases that contain the records of
// a scheduler or orchestrator stream. Whatever can be concluded from "lies inside" is concluded,
// exactly; what cannot is published as a bound. The result cannot be wrong, only loose.
//
//   host clock     |--------------- outer window ---------------|
//   device phases      0----- device wall ------W
//                      ^ slides by `slack` inside the window
//   cycles             ^ origin: the cycle of phase zero, known to within `residual`
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "absl/status/statusor.h"
#include "analysis/capture/clock.h"

namespace simpler::merge {

// A device phase as the host logged it: nanoseconds since device-phase zero.
struct PhaseWindow {
  int64_t start = 0;
  int64_t duration = 0;  // > 0
};

// First and last stamp of a set of records.
struct CycleExtent {
  capture::DeviceCycles first;
  capture::DeviceCycles last;
};

// What one capture and the host log of its run say about each other. Durations are in nanoseconds.
// Contain refuses a frequency outside 1..10^12 Hz and host times outside 0..2^62.
struct ContainmentInputs {
  int64_t frequency_hz = 0;
  CycleExtent extent;  // of everything that will be drawn
  // Records known to lie in a logged phase: scheduler and orchestrator streams.
  struct Pairing {
    PhaseWindow phase;
    CycleExtent records;
  };
  std::vector<Pairing> pairings;
  std::vector<PhaseWindow> phases;  // all logged phases, paired or not

  capture::HostNanos outer_start;  // of the span that contains all device work
  int64_t outer_duration = 0;
  int64_t device_wall = 0;  // length of the device's own window, which begins at phase zero
};

class Placement {
 public:
  // InvalidArgument when no origin satisfies every statement (the artefacts are not of one run), or
  // when the device work is longer than the outer window; the message gives the numbers.
  static absl::StatusOr<Placement> Contain(const ContainmentInputs& inputs);

  // Where a stamp or a device phase is drawn: the earliest host time its window allows. Rounded to
  // the nearest nanosecond.
  capture::HostNanos Earliest(capture::DeviceCycles stamp) const;
  capture::HostNanos EarliestOfPhase(int64_t phase_nanos) const;

  // The whole block begins somewhere in [place_lo, place_hi] = place_lo + [0, slack].
  capture::HostNanos place_lo() const { return outer_start_; }
  capture::HostNanos place_hi() const { return {outer_start_.value + slack()}; }
  // In nanoseconds, rounded to nearest.
  int64_t slack() const { return Round(slack_); }
  int64_t residual() const { return Round(2 * half_residual_); }
  int64_t device_extent() const { return Round(extent_); }
  // The cycle of device-phase zero: the middle of all that are possible.
  double origin_cycles() const;

  // A drawn record truly lies in [Earliest - early, Earliest + late]: the origin may be off by half
  // the residual to either side. Rounded up.
  int64_t early() const { return Ceil(half_residual_); }
  int64_t late() const { return Ceil(slack_ + half_residual_); }

 private:
  // Exact times: multiples of 1 / (2 * frequency) nanoseconds, fine enough for the middle of the
  // origin interval.
  __extension__ using Exact = __int128;

  explicit Placement(const ContainmentInputs& inputs)
      : frequency_hz_(inputs.frequency_hz), outer_start_(inputs.outer_start) {}

  absl::Status LocateOrigin(const ContainmentInputs& inputs);
  absl::Status FitIntoWindow(const ContainmentInputs& inputs);

  Exact FromNanos(int64_t nanos) const { return Exact{nanos} * 2 * frequency_hz_; }
  Exact FromCycles(int64_t cycles) const { return Exact{cycles} * 2'000'000'000; }
  Exact PhaseOf(capture::DeviceCycles stamp) const { return FromCycles(stamp.value) - origin_; }
  int64_t Floor(Exact exact) const;
  int64_t Round(Exact exact) const { return Floor(exact + frequency_hz_); }
  int64_t Ceil(Exact exact) const { return -Floor(-exact); }

  int64_t frequency_hz_;
  capture::HostNanos outer_start_;
  Exact origin_ = 0;  // of phase zero, on the axis of FromCycles
  Exact half_residual_ = 0;
  Exact head_ = 0;  // where the block begins, relative to phase zero; <= 0
  Exact extent_ = 0;
  Exact slack_ = 0;
};

// By how much the placements of two ranks may contradict each other: the sum of the two largest
// slacks (ns, >= 0). A gap between ranks that is smaller is undecided, not zero. Absent for fewer
// than two ranks.
std::optional<int64_t> CrossRankUncertainty(std::span<const int64_t> slacks);

}  // namespace simpler::merge
