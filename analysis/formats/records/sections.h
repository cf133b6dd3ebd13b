// All sections of one records file as they are read, before they are divided into runs.
#pragma once

#include <optional>
#include <vector>

#include "absl/status/status.h"
#include "analysis/capture/capture.h"
#include "analysis/formats/records/orchestrator.h"
#include "analysis/formats/records/per_epoch.h"
#include "analysis/formats/records/read_context.h"
#include "analysis/formats/records/scheduler_streams.h"
#include "analysis/formats/records/task_rows.h"

namespace simpler::formats::records {

struct Sections {
  PerEpoch<AicoreRows> aicore;
  std::optional<SchedulerTasks> scheduler_tasks;
  std::optional<std::vector<StreamDraft>> scheduler_streams;
  std::vector<DeviceLane> device_lanes;
  std::vector<HostLane> host_lanes;
  HostUploads host_uploads;
  PerEpoch<std::vector<capture::LifecycleRecord>> lifecycle;
};

// Divides the sections into runs in ascending run_epoch, and empties them. Without any run_epoch
// there is one run. Refuses a file of several runs in which device records do not say theirs; host
// and lifecycle records that do not go to the first run, with a warning.
absl::Status DivideIntoRuns(Sections& sections, ReadContext& context,
                            std::vector<capture::Run>& runs);

}  // namespace simpler::formats::records
