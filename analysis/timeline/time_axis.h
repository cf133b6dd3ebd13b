// The one time axis of a trace. Device stamps and host stamps are placed on it; nothing else of
// the timeline converts times.
//
// Without host records, zero is the run's earliest device stamp. With a host orchestrator, zero is
// the origin of its records, and the device's earliest stamp lies where the last host record ends:
// the two clocks are not related, so only the order of the two halves is meaningful.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

#include "absl/status/statusor.h"
#include "analysis/capture/capture.h"
#include "analysis/capture/clock.h"

namespace simpler::timeline {

// A stamp of either clock. Zero and negative device stamps stand for the axis's zero.
struct Instant {
  int64_t value = 0;
  bool on_host = false;

  static Instant Device(capture::DeviceCycles stamp) { return {stamp.value, false}; }
  static Instant Host(capture::HostNanos stamp) { return {stamp.value, true}; }
  friend bool operator==(const Instant&, const Instant&) = default;
};

class TimeAxis {
 public:
  // InvalidArgument when `origin` lies behind the earliest stamp, a host record lies before the
  // host's origin, or a host submit ends before it starts.
  static absl::StatusOr<TimeAxis> Create(const capture::Capture& capture, const capture::Run& run,
                                         std::optional<capture::DeviceCycles> origin);

  // µs from zero, as exact as one multiplication of a double allows.
  double Micros(capture::DeviceCycles stamp) const {
    return stamp.value <= 0 ? 0.0 : device_offset_us_ + scale_.Micros(stamp - base_);
  }
  double Micros(Instant at) const {
    return at.on_host ? static_cast<double>(at.value - host_origin_ns_) / 1000.0
                      : Micros(capture::DeviceCycles{at.value});
  }

  // Whole ns from zero, rounded down; keeps the order of stamps of one clock.
  int64_t Nanos(capture::DeviceCycles stamp) const {
    return stamp.value <= 0 ? 0 : device_offset_ns_ + ScaleToNanos(stamp - base_);
  }
  int64_t Nanos(Instant at) const {
    return at.on_host ? at.value - host_origin_ns_ : Nanos(capture::DeviceCycles{at.value});
  }

  const capture::CycleScale& scale() const { return scale_; }
  bool is_composite() const { return is_composite_; }
  // Where the device half begins; 0 unless composite.
  double seam_us() const { return device_offset_us_; }

 private:
  explicit TimeAxis(capture::CycleScale scale);
  absl::Status PlaceHost(const capture::Capture& capture, const capture::Run& run);

  // Spans that no device lives through are cut, so that hostile stamps cannot overflow.
  int64_t ScaleToNanos(capture::CycleSpan span) const {
    const capture::CycleSpan bounded = std::min(span, longest_span_);
    return nanos_per_cycle_ != 0 ? bounded * nanos_per_cycle_ : scale_.Nanos(bounded);
  }

  capture::CycleScale scale_;
  int64_t nanos_per_cycle_;          // 0: not a whole number
  capture::CycleSpan longest_span_;  // of at most 2^61 ns
  capture::DeviceCycles base_;
  bool is_composite_ = false;
  double device_offset_us_ = 0;
  int64_t device_offset_ns_ = 0;
  int64_t host_origin_ns_ = 0;
};

}  // namespace simpler::timeline
