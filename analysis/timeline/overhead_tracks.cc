#include "analysis/timeline/overhead_tracks.h"

#include <array>
#include <optional>

#include "analysis/overhead/core_rows.h"
#include "analysis/overhead/readiness.h"
#include "analysis/overhead/ready_tasks.h"
#include "analysis/overhead/sweep.h"

namespace simpler::timeline {
namespace {

using capture::CoreType;

constexpr size_t kTrackCount = 8;
constexpr size_t kTracksPerEngine = 3;
using Values = std::array<std::optional<int64_t>, kTrackCount>;

// Absent for engines that ran nothing.
Values ValuesOf(const overhead::OverheadStep& step, const overhead::PerEngine<int>& cores) {
  Values values;
  for (CoreType type : {CoreType::kAic, CoreType::kAiv}) {
    if (cores[type] == 0) continue;
    const overhead::OverheadStep::Engine& engine = step.engine[type];
    const size_t first = kTracksPerEngine * static_cast<size_t>(type);
    values[first] = engine.idle;
    values[first + 1] = engine.ready;
    values[first + 2] = engine.overhead();
  }
  values[kTrackCount - 2] = step.all;
  values[kTrackCount - 1] = step.has;
  return values;
}

}  // namespace

const std::vector<OverheadTrack>& OverheadTracks() {
  static const std::vector<OverheadTrack> tracks = {
      {"oh_aic_idle", 9101},     {"oh_aic_ready", 9102},   {"oh_aic_overhead", 9103},
      {"oh_aiv_idle", 9111},     {"oh_aiv_ready", 9112},   {"oh_aiv_overhead", 9113},
      {"oh_all_overhead", 9121}, {"oh_has_overhead", 9122}};
  return tracks;
}

std::string OverheadTracksMissing(const TimelineInputs& inputs) {
  if (inputs.graph == nullptr || inputs.graph->edges().empty()) {
    return "the dependency graph has no edges, so nobody knows when a task became ready";
  }
  if (inputs.rows->empty()) return "the run has no AICore rows";
  for (size_t row = 0; row < inputs.rows->size(); ++row) {
    if (!inputs.rows->has_scheduler(row)) {
      return "rows lack their dispatch, so nobody knows how long a task waited";
    }
  }
  return "";
}

void ForEachOverheadChange(
    const TimelineInputs& inputs,
    const std::function<void(const OverheadTrack&, capture::DeviceCycles, int64_t)>& visit) {
  const overhead::CoreRows core_rows(*inputs.rows);
  overhead::PerEngine<int> cores;
  for (CoreType type : {CoreType::kAic, CoreType::kAiv}) cores[type] = core_rows.CountOf(type);
  const capture::Window window = *capture::Makespan(*inputs.tasks);
  const overhead::Readiness readiness =
      overhead::HeadlineReadiness(*inputs.tasks, *inputs.nodes, *inputs.graph);
  Values last;
  overhead::ForEachOverheadStep(overhead::RunningRows(core_rows),
                                overhead::ReadyTasks(*inputs.tasks, readiness, window), cores,
                                window, [&](const overhead::OverheadStep& step) {
                                  const Values values = ValuesOf(step, cores);
                                  for (size_t track = 0; track < kTrackCount; ++track) {
                                    if (values[track] && values[track] != last[track]) {
                                      visit(OverheadTracks()[track], step.begin, *values[track]);
                                    }
                                  }
                                  last = values;
                                });
}

}  // namespace simpler::timeline
