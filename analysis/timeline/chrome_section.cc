#include "analysis/timeline/chrome_section.h"

namespace simpler::timeline {
namespace {

int SortIndexOf(Process process) {
  switch (process) {
    case Process::kGraphExecution:
      return 1;
    case Process::kLifecycle:
      return 2;
    default:
      return static_cast<int>(process);
  }
}

}  // namespace

bool ChromeSection::AdmitSample(bool track_is_kept, capture::DeviceCycles at) {
  if (!events_.status().ok()) return false;
  TraceSummary& summary = counts_.summary();
  if (!track_is_kept) {
    ++summary.left_out.samples_in_filtered_tracks;
  } else if (!window_.HoldsInstant(model_.axis.Nanos(at))) {
    ++summary.left_out.samples_outside_window;
  } else {
    ++summary.counter_samples;
    return true;
  }
  return false;
}

void ChromeSection::NameProcess(Process process) {
  events_.ProcessName(process, model_.lanes.ProcessName(process));
  events_.ProcessSortIndex(process, SortIndexOf(process));
}

void ChromeSection::NameLane(uint32_t lane) {
  if (!LaneAt(lane).kept) return;
  events_.ThreadName(LaneAt(lane).process, LaneAt(lane).tid, LaneAt(lane).name);
  for (const OverflowLanes::Extra& extra : overflow_.extras()) {
    if (extra.lane == lane) events_.ThreadName(LaneAt(lane).process, extra.tid, extra.name);
  }
}

void ChromeSection::NameLanesOfKind(LaneKind kind) {
  for (uint32_t lane = 0; lane < model_.lanes.lanes().size(); ++lane) {
    if (LaneAt(lane).kind == kind) NameLane(lane);
  }
}

}  // namespace simpler::timeline
