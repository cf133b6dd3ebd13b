// Cuts a trace into parts by halving the time axis until every piece fits.
#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "analysis/timeline/trace.h"
#include "analysis/timeline/write_window.h"
#include "fmt/format.h"

namespace simpler::timeline {
namespace {

// Counts bytes and keeps none; fails once there are too many, which ends the attempt early.
class MeasuringSink final : public ByteSink {
 public:
  explicit MeasuringSink(uint64_t max_bytes) : max_bytes_(max_bytes) {}

  bool overflowed() const { return overflowed_; }

 private:
  absl::Status Store(std::string_view bytes) override {
    stored_ += bytes.size();
    if (stored_ <= max_bytes_) return absl::OkStatus();
    overflowed_ = true;
    return absl::ResourceExhaustedError("the part is full");
  }
  absl::Status Finish() override { return absl::OkStatus(); }

  uint64_t max_bytes_;
  uint64_t stored_ = 0;
  bool overflowed_ = false;
};

// First and last start of a slice, in ns; absent when there is none.
std::optional<std::pair<int64_t, int64_t>> StartsOf(const Model& model) {
  std::optional<std::pair<int64_t, int64_t>> starts;
  for (const Lane& lane : model.lanes.lanes()) {
    for (const LaneSlice& slice : model.SlicesOf(lane)) {
      if (!starts) starts.emplace(slice.start_ns, slice.start_ns);
      starts->first = std::min(starts->first, slice.start_ns);
      starts->second = std::max(starts->second, slice.start_ns);
    }
  }
  return starts;
}

class PartWriter {
 public:
  PartWriter(TraceFormat format, const Model& model, const TimelineInputs& inputs,
             const TimelineOptions& options, uint64_t max_bytes, const OpenPart& open_part)
      : format_(format),
        model_(model),
        inputs_(inputs),
        options_(options),
        max_bytes_(max_bytes),
        open_part_(open_part) {
    total_.parts = 0;
  }

  // Writes the window as one part, or its halves [from, middle) and [middle, to). `first` and
  // `last` bound the starts of slices: beyond them halving would find nothing.
  absl::Status Write(const NanoWindow& window, int64_t first, int64_t last) {
    MeasuringSink measure(max_bytes_);
    const auto attempt = WriteWindow(format_, model_, inputs_, options_, window, measure);
    if (attempt.ok()) return WritePart(window, *attempt);
    if (!measure.overflowed()) return attempt.status();
    if (first >= last) return WriteOversized(window);
    const int64_t middle = first + (last - first) / 2 + 1;
    if (absl::Status status = Write({window.from, middle, window.keep_running}, first, middle - 1);
        !status.ok()) {
      return status;
    }
    return Write({middle, window.to, false}, middle, last);
  }

  TraceSummary Finish() {
    total_.left_out.slices_outside_window = slices_in_reach_ - total_.slices;
    return std::move(total_);
  }

 private:
  absl::Status WriteOversized(const NanoWindow& window) {
    total_.warnings.push_back(
        {"part_too_long",
         fmt::format("part {} is longer than {} bytes: all its slices start at {} ns, so it cannot "
                     "be cut by time; choose fewer lanes or flows",
                     total_.parts, max_bytes_, window.from)});
    return WritePart(window, std::nullopt);
  }

  // `measured` is what an attempt found in the window; empty windows make no part.
  absl::Status WritePart(const NanoWindow& window, const std::optional<TraceSummary>& measured) {
    const bool is_empty = measured && measured->slices == 0 && measured->counter_samples == 0;
    if (is_empty && total_.parts > 0) return absl::OkStatus();
    auto sink = open_part_(total_.parts);
    if (!sink.ok()) return sink.status();
    const auto part = WriteWindow(format_, model_, inputs_, options_, window, **sink);
    if (!part.ok()) return part.status();
    if (absl::Status status = (*sink)->Commit(); !status.ok()) return status;
    Add(*part);
    return absl::OkStatus();
  }

  void Add(const TraceSummary& part) {
    if (total_.parts == 0) {
      // What is left out whatever the window, and what is worth a warning, is the same in all
      // parts.
      total_.left_out = part.left_out;
      total_.left_out.flows_leaving = total_.left_out.flows_entering = 0;
      total_.left_out.flows_backwards = total_.left_out.flows_without_slice = 0;
      total_.left_out.flows_to_self = total_.left_out.flows_repeated = 0;
      total_.left_out.samples_unchanged = 0;
      slices_in_reach_ = part.slices + part.left_out.slices_outside_window;
      samples_in_reach_ = part.counter_samples + part.left_out.samples_unchanged +
                          part.left_out.samples_outside_window;
      total_.warnings.insert(total_.warnings.begin(), part.warnings.begin(), part.warnings.end());
    }
    ++total_.parts;
    AddSums(part);
    for (const TraceSummary::LaneCount& lane : part.lanes) AddLane(lane);
  }

  void AddSums(const TraceSummary& part) {
    total_.slices += part.slices;
    total_.violations += part.violations;
    total_.counter_samples += part.counter_samples;
    total_.overflow_slices += part.overflow_slices;
    total_.bytes += part.bytes;
    for (size_t kind = 0; kind < kFlowKindCount; ++kind) total_.flows[kind] += part.flows[kind];
    TraceSummary::LeftOut& left_out = total_.left_out;
    left_out.flows_leaving += part.left_out.flows_leaving;
    left_out.flows_entering += part.left_out.flows_entering;
    left_out.flows_backwards += part.left_out.flows_backwards;
    left_out.flows_without_slice += part.left_out.flows_without_slice;
    left_out.flows_to_self += part.left_out.flows_to_self;
    left_out.flows_repeated += part.left_out.flows_repeated;
    left_out.samples_unchanged += part.left_out.samples_unchanged;
    left_out.samples_outside_window =
        samples_in_reach_ - total_.counter_samples - left_out.samples_unchanged;
  }

  void AddLane(const TraceSummary::LaneCount& lane) {
    const auto known = std::find_if(
        total_.lanes.begin(), total_.lanes.end(), [&](const TraceSummary::LaneCount& other) {
          return other.process == lane.process && other.lane == lane.lane;
        });
    if (known != total_.lanes.end()) {
      known->slices += lane.slices;
    } else {
      total_.lanes.push_back(lane);
    }
  }

  const TraceFormat format_;
  const Model& model_;
  const TimelineInputs& inputs_;
  const TimelineOptions& options_;
  const uint64_t max_bytes_;
  const OpenPart& open_part_;
  TraceSummary total_;
  uint64_t slices_in_reach_ = 0;   // of kept lanes, in the window or not
  uint64_t samples_in_reach_ = 0;  // of kept tracks
};

}  // namespace

absl::StatusOr<TraceSummary> WriteTraceInParts(TraceFormat format, const TimelineInputs& inputs,
                                               const TimelineOptions& options, uint64_t max_bytes,
                                               const OpenPart& open_part) {
  const auto model = BuildModelFor(format, inputs, options);
  if (!model.ok()) return model.status();
  const NanoWindow window = WindowOf(options);
  const auto starts = StartsOf(**model).value_or(std::pair<int64_t, int64_t>{0, 0});
  PartWriter writer(format, **model, inputs, options, max_bytes, open_part);
  absl::Status status = writer.Write(window, std::max(window.from, starts.first),
                                     std::min(window.to - 1, starts.second));
  if (!status.ok()) return status;
  return writer.Finish();
}

}  // namespace simpler::timeline
