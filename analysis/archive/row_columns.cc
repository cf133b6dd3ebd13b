#include "analysis/archive/row_columns.h"

#include <cstdint>

#include "analysis/capture/clock.h"
#include "fmt/format.h"

namespace simpler::archive {
namespace {

// Where the first row is that is not 0 <= start <= end.
template <typename Stamp>
absl::Status IllegalInterval(std::span<const Stamp> start, std::span<const Stamp> end) {
  for (size_t row = 0; row < start.size(); ++row) {
    if (0 <= start[row].value && start[row] <= end[row]) continue;
    return absl::InvalidArgumentError(
        fmt::format("row {}: the interval from {} to {} is negative or begins before 0", row,
                    start[row].value, end[row].value));
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status CheckColumnLengths(size_t rows, std::initializer_list<size_t> sizes) {
  for (size_t size : sizes) {
    if (size == rows) continue;
    return absl::InternalError(
        fmt::format("a block of {} rows has a column of {} values", rows, size));
  }
  return absl::OkStatus();
}

template <typename Stamp>
absl::Status EncodeDurations(std::span<const Stamp> start, std::span<const Stamp> end,
                             v1::Column* column) {
  if (absl::Status status = IllegalInterval(start, end); !status.ok()) return status;
  std::vector<int64_t> durations(start.size());
  for (size_t row = 0; row < start.size(); ++row) durations[row] = end[row] - start[row];
  EncodeColumn(durations, column);
  return absl::OkStatus();
}

template <typename Stamp>
void RowColumns::ReadIntervals(const v1::Column& start_column, const v1::Column& duration_column,
                               std::vector<Stamp>& start, std::vector<Stamp>& end) {
  Read(start_column, "start", start);
  Read(duration_column, "duration", end);
  if (!status_.ok()) return;
  uint64_t signs = 0;  // the top bit is set when any start, duration or end is negative
  for (size_t row = 0; row < start.size(); ++row) {
    const auto begin = static_cast<uint64_t>(start[row].value);
    const auto duration = static_cast<uint64_t>(end[row].value);
    const uint64_t sum = begin + duration;
    signs |= begin | duration | sum;
    end[row].value = static_cast<int64_t>(sum);
  }
  if (signs >> 63 == 0) return;
  status_ = IllegalInterval(std::span<const Stamp>(start), std::span<const Stamp>(end));
  // A negative duration from a negative start can wrap around to a legal interval.
  Refuse(absl::InvalidArgumentError("a duration is negative"));
}

void RowColumns::RefuseEnum(const char* name, unsigned value) {
  status_ = absl::InvalidArgumentError(
      fmt::format("{}: value {} has no meaning in this version", name, value));
}

template absl::Status EncodeDurations(std::span<const capture::DeviceCycles>,
                                      std::span<const capture::DeviceCycles>, v1::Column*);
template absl::Status EncodeDurations(std::span<const capture::HostNanos>,
                                      std::span<const capture::HostNanos>, v1::Column*);
template void RowColumns::ReadIntervals(const v1::Column&, const v1::Column&,
                                        std::vector<capture::DeviceCycles>&,
                                        std::vector<capture::DeviceCycles>&);
template void RowColumns::ReadIntervals(const v1::Column&, const v1::Column&,
                                        std::vector<capture::HostNanos>&,
                                        std::vector<capture::HostNanos>&);

}  // namespace simpler::archive
