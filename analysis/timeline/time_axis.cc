#include "analysis/timeline/time_axis.h"

#include <algorithm>
#include <string>

#include "fmt/format.h"

namespace simpler::timeline {
namespace {

using capture::HostNanos;

constexpr int64_t kNanosPerSecond = 1'000'000'000;
constexpr int64_t kLongestNanos = int64_t{1} << 61;

struct HostExtent {
  HostNanos first;
  HostNanos last;
};

// First and last stamp of all host records; absent when there are none.
std::optional<HostExtent> ExtentOfHostRecords(const capture::Run& run) {
  std::optional<HostExtent> extent;
  const auto add = [&](HostNanos start, HostNanos end) {
    if (!extent) extent = HostExtent{start, end};
    extent->first = std::min({extent->first, start, end});
    extent->last = std::max({extent->last, start, end});
  };
  for (const auto& lane : run.host_submit_lanes) {
    for (const capture::HostSubmit& submit : lane) add(submit.start, submit.end);
  }
  for (const capture::HostUpload& upload : run.host_uploads) add(upload.start, upload.end);
  return extent;
}

absl::Status InvalidHostRecord(const char* what, int64_t origin, HostNanos start, HostNanos end) {
  return absl::InvalidArgumentError(
      fmt::format("invalid {}: origin={}, start={}, end={}; a host record must start at the origin "
                  "or later and end at its start or later: record the capture again",
                  what, origin, start.value, end.value));
}

absl::Status CheckHostRecords(const capture::Run& run, int64_t origin) {
  for (const auto& lane : run.host_submit_lanes) {
    for (const capture::HostSubmit& submit : lane) {
      if (submit.start.value < origin || submit.end < submit.start) {
        return InvalidHostRecord("host orchestrator phase", origin, submit.start, submit.end);
      }
    }
  }
  for (const capture::HostUpload& upload : run.host_uploads) {
    if (upload.start.value < origin) {
      return InvalidHostRecord("host device upload", origin, upload.start, upload.end);
    }
  }
  return absl::OkStatus();
}

}  // namespace

TimeAxis::TimeAxis(capture::CycleScale scale)
    : scale_(scale),
      nanos_per_cycle_(
          kNanosPerSecond % scale.frequency_hz() == 0 ? kNanosPerSecond / scale.frequency_hz() : 0),
      longest_span_(kLongestNanos / std::max<int64_t>(1, kNanosPerSecond / scale.frequency_hz())) {}

absl::StatusOr<TimeAxis> TimeAxis::Create(const capture::Capture& capture, const capture::Run& run,
                                          std::optional<capture::DeviceCycles> origin) {
  TimeAxis axis(capture.scale());
  const capture::DeviceCycles earliest = capture::EarliestStamp(run);
  axis.base_ = origin.value_or(earliest);
  if (axis.base_ > earliest) {
    return absl::InvalidArgumentError(
        fmt::format("the origin {} lies behind the earliest stamp {} of the run: choose an earlier "
                    "origin",
                    axis.base_.value, earliest.value));
  }
  if (capture::IsHostOrchestrated(capture, run)) {
    if (absl::Status status = axis.PlaceHost(capture, run); !status.ok()) return status;
  }
  return axis;
}

absl::Status TimeAxis::PlaceHost(const capture::Capture& capture, const capture::Run& run) {
  is_composite_ = true;
  const std::optional<HostExtent> extent = ExtentOfHostRecords(run);
  const std::optional<HostNanos>& origin = capture.metadata.host_orchestration_origin
                                               ? capture.metadata.host_orchestration_origin
                                               : capture.metadata.host_timeline_origin;
  if (!extent) return absl::OkStatus();
  host_origin_ns_ = origin ? origin->value : extent->first.value;
  if (host_origin_ns_ < 0) {
    return absl::InvalidArgumentError(
        fmt::format("the origin of the host records is negative: {} ns", host_origin_ns_));
  }
  if (absl::Status status = CheckHostRecords(run, host_origin_ns_); !status.ok()) return status;
  device_offset_ns_ = std::min(extent->last.value - host_origin_ns_, kLongestNanos);
  device_offset_us_ = static_cast<double>(device_offset_ns_) / 1000.0;
  return absl::OkStatus();
}

}  // namespace simpler::timeline
