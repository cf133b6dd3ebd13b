// What all sections of a Chrome JSON trace share: the canvas they write to, numbers of bars, and
// the decision what is in the trace.
#pragma once

#include <cstdint>

#include "analysis/timeline/byte_sink.h"
#include "analysis/timeline/chrome_events.h"
#include "analysis/timeline/model.h"
#include "analysis/timeline/overflow_lanes.h"
#include "analysis/timeline/selection.h"
#include "analysis/timeline/trace.h"
#include "analysis/timeline/trace_counts.h"

namespace simpler::timeline {

// One trace under construction. Model and options are borrowed.
struct ChromeCanvas {
  ChromeCanvas(const Model& drawn_model, const TimelineOptions& trace_options,
               const NanoWindow& trace_window, ByteSink* sink)
      : model(drawn_model),
        options(trace_options),
        window(trace_window),
        events(sink),
        counts(drawn_model),
        overflow(drawn_model) {}

  const Model& model;
  const TimelineOptions& options;
  const NanoWindow window;
  ChromeEvents events;
  TraceCounts counts;
  const OverflowLanes overflow;
};

// Base of the classes that write one section each.
class ChromeSection {
 protected:
  explicit ChromeSection(ChromeCanvas* canvas)
      : model_(canvas->model),
        options_(canvas->options),
        window_(canvas->window),
        events_(canvas->events),
        counts_(canvas->counts),
        overflow_(canvas->overflow) {}

  double Micros(capture::DeviceCycles at) const { return model_.axis.Micros(at); }
  double Micros(Instant at) const { return model_.axis.Micros(at); }
  int64_t Nanos(Instant at) const { return model_.axis.Nanos(at); }

  // Numbers of bars: workers, then Scheduler View bars, then markers.
  uint64_t SchedulerViewId(size_t row) const { return model_.rows().size() + row; }
  uint64_t MarkerId(size_t marker) const {
    return model_.rows().size() * (model_.row_lanes.has_scheduler_view() ? 2 : 1) + marker;
  }

  const Lane& LaneAt(uint32_t lane) const { return model_.lanes.lanes()[lane]; }

  int32_t TidOf(uint32_t lane, uint32_t index) const {
    const OverflowLanes::Extra* extra = overflow_.Find(lane, index);
    return extra != nullptr ? extra->tid : LaneAt(lane).tid;
  }

  // Whether the slice is in the trace; counts it.
  bool Admit(uint32_t lane, uint32_t index, Instant start, Instant end) {
    if (!events_.status().ok()) return false;
    if (!counts_.Admit(lane, Nanos(start), Nanos(end), window_)) return false;
    if (overflow_.Find(lane, index) != nullptr) ++counts_.summary().overflow_slices;
    return true;
  }

  // The same for a counter sample.
  bool AdmitSample(bool track_is_kept, capture::DeviceCycles at);

  void EndBar(uint32_t lane, uint32_t index, double ts, double dur) {
    events_.EndBar(LaneAt(lane).process, TidOf(lane, index), ts, dur);
  }

  void NameProcess(Process process);
  // Names the lane and the overlap lanes beside it.
  void NameLane(uint32_t lane);
  void NameLanesOfKind(LaneKind kind);

  const Model& model_;
  const TimelineOptions& options_;
  const NanoWindow& window_;
  ChromeEvents& events_;
  TraceCounts& counts_;
  const OverflowLanes& overflow_;
};

}  // namespace simpler::timeline
