#pragma once

#include <optional>
#include <vector>

#include "analysis/capture/capture.h"
#include "analysis/capture/task_table.h"

namespace simpler::overhead {

// End of each task's `orch_submit` (the earliest, should one have several), indexed like the
// tasks; DeviceCycles{0}, before every stamp, for a task without one. Absent when the device
// orchestrator recorded no submission of a task. Only device time: not for host orchestrators.
std::optional<std::vector<capture::DeviceCycles>> SubmissionEnds(
    const capture::Run& run, const std::vector<capture::Task>& tasks);

}  // namespace simpler::overhead
