#include "analysis/merge/containment.h"

#include <algorithm>

#include "absl/status/status.h"
#include "fmt/format.h"

namespace simpler::merge {
namespace {

using capture::DeviceCycles;
using capture::HostNanos;

// Keep every sum in range: exact times below 2^127, nanoseconds below 2^63.
constexpr int64_t kMaxFrequencyHz = 1'000'000'000'000;
constexpr int64_t kMaxHostNanos = int64_t{1} << 62;

absl::Status CheckInputs(const ContainmentInputs& inputs) {
  if (inputs.frequency_hz <= 0 || inputs.frequency_hz > kMaxFrequencyHz) {
    return absl::InvalidArgumentError(
        fmt::format("clock frequency {} Hz: must be above 0 and at most {}", inputs.frequency_hz,
                    kMaxFrequencyHz));
  }
  for (const int64_t nanos :
       {inputs.outer_start.value, inputs.outer_duration, inputs.device_wall}) {
    if (nanos >= 0 && nanos <= kMaxHostNanos) continue;
    return absl::InvalidArgumentError(fmt::format(
        "runner_run at {} ns for {} ns with a device_wall of {} ns: none may be below 0 "
        "or above 2^62; the host log is damaged",
        inputs.outer_start.value, inputs.outer_duration, inputs.device_wall));
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<Placement> Placement::Contain(const ContainmentInputs& inputs) {
  if (absl::Status status = CheckInputs(inputs); !status.ok()) return status;
  Placement placement(inputs);
  if (absl::Status status = placement.LocateOrigin(inputs); !status.ok()) return status;
  if (absl::Status status = placement.FitIntoWindow(inputs); !status.ok()) return status;
  return placement;
}

// Records [first, last] inside phase [a, b] say that phase zero is at most first - a and at least
// last - b. The device wall says the same of all records.
absl::Status Placement::LocateOrigin(const ContainmentInputs& inputs) {
  Exact lowest = FromCycles(inputs.extent.last.value) - FromNanos(inputs.device_wall);
  Exact highest = FromCycles(inputs.extent.first.value);
  for (const ContainmentInputs::Pairing& pairing : inputs.pairings) {
    const Exact phase_start = FromNanos(pairing.phase.start);
    const Exact phase_end = phase_start + FromNanos(pairing.phase.duration);
    lowest = std::max(lowest, FromCycles(pairing.records.last.value) - phase_end);
    highest = std::min(highest, FromCycles(pairing.records.first.value) - phase_start);
  }
  if (lowest > highest) {
    return absl::InvalidArgumentError(fmt::format(
        "capture and host log cannot describe one run: the device windows they report miss each "
        "other by {:.0f} ns; pair the capture with the log of its own run",
        static_cast<double>(lowest - highest) / (2.0 * static_cast<double>(frequency_hz_))));
  }
  // Both ends are even multiples of the unit, so the middle is exact.
  half_residual_ = (highest - lowest) / 2;
  origin_ = lowest + half_residual_;
  return absl::OkStatus();
}

absl::Status Placement::FitIntoWindow(const ContainmentInputs& inputs) {
  Exact begin = std::min<Exact>(0, PhaseOf(inputs.extent.first));
  Exact end = std::max(FromNanos(inputs.device_wall), PhaseOf(inputs.extent.last));
  for (const PhaseWindow& phase : inputs.phases) {
    begin = std::min(begin, FromNanos(phase.start));
    end = std::max(end, FromNanos(phase.start) + FromNanos(phase.duration));
  }
  head_ = begin;
  extent_ = end - begin;
  slack_ = FromNanos(inputs.outer_duration) - extent_;
  if (slack_ < 0) {
    return absl::InvalidArgumentError(fmt::format(
        "the capture draws {:.3f} us of device work but its runner_run window is only {:.3f} us "
        "wide; pair the capture with the log of its own run",
        static_cast<double>(Round(extent_)) / 1e3,
        static_cast<double>(inputs.outer_duration) / 1e3));
  }
  return absl::OkStatus();
}

HostNanos Placement::Earliest(DeviceCycles stamp) const {
  return {outer_start_.value + Round(PhaseOf(stamp) - head_)};
}

HostNanos Placement::EarliestOfPhase(int64_t phase_nanos) const {
  return {outer_start_.value + Round(FromNanos(phase_nanos) - head_)};
}

double Placement::origin_cycles() const { return static_cast<double>(origin_) / 2e9; }

int64_t Placement::Floor(Exact exact) const {
  const Exact unit = Exact{frequency_hz_} * 2;
  const Exact quotient = exact / unit;
  return static_cast<int64_t>(exact % unit < 0 ? quotient - 1 : quotient);
}

std::optional<int64_t> CrossRankUncertainty(std::span<const int64_t> slacks) {
  if (slacks.size() < 2) return std::nullopt;
  int64_t widest = 0;
  int64_t second = 0;
  for (const int64_t slack : slacks) {
    second = std::max(second, std::min(widest, slack));
    widest = std::max(widest, slack);
  }
  return widest + second;
}

}  // namespace simpler::merge
