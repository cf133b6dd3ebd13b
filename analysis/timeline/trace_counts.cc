#include "analysis/timeline/trace_counts.h"

#include "analysis/timeline/flows.h"
#include "fmt/format.h"

namespace simpler::timeline {
namespace {

void WarnOfUnrelatedClocks(const Model& model, std::vector<capture::Warning>& warnings) {
  if (!model.axis.is_composite()) return;
  warnings.push_back(
      {"clocks_not_related",
       fmt::format("host and device clocks are not related: the device half is drawn behind the "
                   "host half, from {} µs on; only the order of the two is meaningful",
                   model.axis.seam_us())});
}

void WarnOfLosses(const Model& model, std::vector<capture::Warning>& warnings) {
  for (const capture::SchedulerStream& stream : model.phases.streams()) {
    if (!stream.counts || stream.counts->dropped == 0) continue;
    warnings.push_back({"stream_lost_records",
                        fmt::format("scheduler {} lost {} record(s); its lane has holes",
                                    stream.scheduler_id, stream.counts->dropped),
                        stream.counts->dropped});
  }
}

}  // namespace

TraceSummary TraceCounts::Finish(uint64_t bytes) {
  for (size_t i = 0; i < slices_of_lane_.size(); ++i) {
    if (slices_of_lane_[i] == 0) continue;
    const Lane& lane = model_.lanes.lanes()[i];
    summary_.lanes.push_back(
        {model_.lanes.ProcessName(lane.process), lane.name, slices_of_lane_[i]});
    summary_.slices += slices_of_lane_[i];
  }
  summary_.left_out.phases_not_drawn = model_.CountHiddenPhases();
  summary_.left_out.intervals_incomplete = model_.lifecycle.incomplete;
  summary_.left_out.edges_to_absent_tasks = CountEdgesToAbsentTasks(model_);
  for (const capture::Warning& warning : model_.markers.warnings()) {
    summary_.warnings.push_back(warning);
  }
  WarnOfUnrelatedClocks(model_, summary_.warnings);
  WarnOfLosses(model_, summary_.warnings);
  summary_.bytes = bytes;
  return std::move(summary_);
}

}  // namespace simpler::timeline
