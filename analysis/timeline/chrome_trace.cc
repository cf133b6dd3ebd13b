#include "analysis/timeline/chrome_trace.h"

#include <cmath>
#include <string>

#include "analysis/timeline/chrome_control_bars.h"
#include "analysis/timeline/chrome_flows.h"
#include "analysis/timeline/chrome_section.h"
#include "analysis/timeline/chrome_task_bars.h"
#include "analysis/timeline/overhead_tracks.h"
#include "analysis/timeline/trace_metadata.h"

namespace simpler::timeline {
namespace {

double RoundToThreeDecimals(double value) { return std::round(value * 1000.0) / 1000.0; }

class ChromeOverhead : private ChromeSection {
 public:
  explicit ChromeOverhead(ChromeCanvas* canvas) : ChromeSection(canvas) {}

  void Write(const TimelineInputs& inputs) {
    if (std::string missing = OverheadTracksMissing(inputs); !missing.empty()) {
      counts_.summary().warnings.push_back(
          {"overhead_tracks_missing", "the overhead counters are left out: " + missing});
      return;
    }
    const std::string process = model_.lanes.ProcessName(Process::kScheduler);
    ForEachOverheadChange(inputs,
                          [&](const OverheadTrack& track, capture::DeviceCycles at, int64_t value) {
                            if (!AdmitSample(LaneMatches(options_.lanes, process, track.name), at))
                              return;
                            values_.Clear();
                            values_.String(track.name).Raw(":").Number(value);
                            events_.Counter("overhead", track.name, track.tid,
                                            RoundToThreeDecimals(Micros(at)), values_.view());
                          });
  }

 private:
  JsonText values_;  // scratch
};

}  // namespace

absl::StatusOr<TraceSummary> WriteChromeEvents(const Model& model, const TimelineInputs& inputs,
                                               const TimelineOptions& options,
                                               const NanoWindow& window, ByteSink& sink) {
  const uint64_t before = sink.bytes_written();
  ChromeCanvas canvas(model, options, window, &sink);
  const Completions completions(model);
  ChromeControlBars control(&canvas, completions);
  ChromeTaskBars tasks(&canvas);

  control.WriteLifecycle();
  tasks.WriteGraphs();
  tasks.WriteTaskViews();
  control.WriteSchedulers();
  control.WriteUploads();
  control.WriteOrchestrators();
  ChromeFlows(&canvas, completions).WriteFlows();
  if (options.overhead_counters) ChromeOverhead(&canvas).Write(inputs);
  absl::Status status = canvas.events.Finish(TraceMetadataJson(model));
  if (!status.ok()) return status;
  return canvas.counts.Finish(sink.bytes_written() - before);
}

}  // namespace simpler::timeline
