// The timeline of one run: everything both trace formats draw, as lanes of slices. Slices are
// enumerated from the capture; the model adds index columns and nothing per slice.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "analysis/timeline/graph_instances.h"
#include "analysis/timeline/lane_table.h"
#include "analysis/timeline/lifecycle_bars.h"
#include "analysis/timeline/markers.h"
#include "analysis/timeline/orchestrator_index.h"
#include "analysis/timeline/row_lanes.h"
#include "analysis/timeline/scheduler_index.h"
#include "analysis/timeline/task_index.h"
#include "analysis/timeline/time_axis.h"
#include "analysis/timeline/trace.h"

namespace simpler::timeline {

// A number for every slice of the model, unique in it, so that two of them identify a flow.
class SliceNumbers {
 public:
  SliceNumbers(uint64_t rows, uint64_t phases, uint64_t submits)
      : rows_(rows), phases_(phases), submits_(submits) {}

  uint32_t Worker(size_t row) const { return static_cast<uint32_t>(row); }
  uint32_t SchedulerView(size_t row) const { return static_cast<uint32_t>(rows_ + row); }
  // Bars and markers alike: a record is one or the other.
  uint32_t Phase(uint64_t ordinal) const { return static_cast<uint32_t>(2 * rows_ + ordinal); }
  uint32_t Submit(uint64_t ordinal) const {
    return static_cast<uint32_t>(2 * rows_ + phases_ + ordinal);
  }
  uint32_t Alloc(uint64_t ordinal) const {
    return static_cast<uint32_t>(2 * rows_ + phases_ + submits_ + ordinal);
  }
  // The numbers are 32 bits wide.
  bool Fit() const { return 2 * rows_ + phases_ + 2 * submits_ < UINT32_MAX; }

 private:
  uint64_t rows_;
  uint64_t phases_;
  uint64_t submits_;
};

// A slice of a lane. `index` says which one, depending on the lane's kind: a row, a record of the
// stream or orchestrator lane, or a position in markers, uploads, graphs or lifecycle bars.
struct LaneSlice {
  int64_t start_ns;
  int64_t end_ns;
  uint32_t index;
  uint32_t setup_ns = 0;  // Worker View: from the start of the bar to that of the kernel
};

class Model {
 public:
  // `inputs` is borrowed. See WriteChromeTrace for errors.
  static absl::StatusOr<std::unique_ptr<const Model>> Build(const TimelineInputs& inputs,
                                                            const TimelineOptions& options,
                                                            SubLanes sub_lanes);
  Model(const Model&) = delete;
  Model& operator=(const Model&) = delete;

  const capture::Capture& capture() const { return tasks.rows().capture(); }
  const capture::Run& run() const { return tasks.rows().run(); }
  const capture::JoinedRun& rows() const { return tasks.rows(); }

  const TimeAxis axis;
  const TaskIndex tasks;
  const SchedulerIndex phases;
  const OrchestratorIndex orchestrator;
  const Markers markers;
  const std::vector<GraphInstance> graphs;
  const LifecycleBars lifecycle;
  const RowLanes row_lanes;
  const LaneTable lanes;
  const SliceNumbers numbers;

  // Lane of a marker's bar, and the number of its slice.
  uint32_t LaneOf(const Markers::Marker& marker) const;
  uint32_t NumberOf(const Markers::Marker& marker) const;
  // Stamps of a marker's record; a shorter bar is drawn longer (kShortestMarkerNanos).
  Instant StartOf(const Markers::Marker& marker) const;
  Instant EndOf(const Markers::Marker& marker) const;
  // Task of a marker; absent when the record does not say.
  std::optional<uint64_t> TaskOf(const Markers::Marker& marker) const;
  // "dummy(t5)", "alloc(t5)"; a skipped task is called like any other.
  std::string MarkerLabel(const Markers::Marker& marker) const;

  // Lane of a phase's bar; the phase is not a marker.
  uint32_t LaneOf(PhaseId id) const {
    return phases.IsNestedResolve(id) ? lanes.Resolve(id.stream) : lanes.Scheduler(id.stream);
  }

  // All slices of a lane, unordered.
  std::vector<LaneSlice> SlicesOf(const Lane& lane) const;

  // Records that are on no lane, by kind of reason (TraceSummary::LeftOut).
  uint64_t CountHiddenPhases() const;

 private:
  Model(TimeAxis time_axis, const TimelineInputs& inputs, const TimelineOptions& options,
        SubLanes sub_lanes);

  std::vector<LaneSlice> PhaseSlices(const Lane& lane) const;
  std::vector<LaneSlice> WorkerSlices(const Lane& lane) const;
  std::vector<LaneSlice> SchedulerViewSlices(const Lane& lane) const;
  std::vector<LaneSlice> MarkerSlices(const Lane& lane) const;
  std::vector<LaneSlice> OrchestratorSlices(const Lane& lane) const;
  std::vector<LaneSlice> UploadSlices() const;
  std::vector<LaneSlice> GraphSlices(const Lane& lane) const;
  std::vector<LaneSlice> LifecycleSlices(const Lane& lane) const;
};

// Orders slices by start, of equal starts the longer one first, and takes out those that start
// inside another slice and end behind it; what is left nests. Returns what it took out, ordered.
std::vector<LaneSlice> TakeOutCrossing(std::vector<LaneSlice>& slices);

// Spreads ordered slices over as few lanes as first fit finds; none overlap on a lane.
std::vector<std::vector<LaneSlice>> SpreadOverLanes(const std::vector<LaneSlice>& slices);

}  // namespace simpler::timeline
