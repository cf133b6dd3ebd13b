// Sections of the orchestrator: `aicpu_orchestrator_phases` on the device's clock, and
// `host_orchestrator_phases` and `host_device_uploads` on the host's.
#pragma once

#include <optional>
#include <vector>

#include "absl/status/status.h"
#include "analysis/capture/capture.h"
#include "analysis/formats/records/block_writer.h"
#include "analysis/formats/records/per_epoch.h"
#include "analysis/formats/records/read_context.h"
#include "simdjson.h"

namespace simpler::formats::records {

using DeviceLane = PerEpoch<BlockWriter<capture::OrchestratorPhaseBlock>>;
using HostLane = PerEpoch<std::vector<capture::HostSubmit>>;
using HostUploads = PerEpoch<std::vector<capture::HostUpload>>;

// Lanes of {submit_idx, task_id, start_cycles, end_cycles}; old files add kind (or phase).
absl::Status ReadDeviceLanes(simdjson::ondemand::value section, ReadContext& context,
                             std::vector<DeviceLane>& lanes);

// Lanes of {submit_idx, task_id, start_host_ns, end_host_ns}.
absl::Status ReadHostLanes(simdjson::ondemand::value section, ReadContext& context,
                           std::vector<HostLane>& lanes);

// A list of {phase, start_host_ns, end_host_ns, detail}.
absl::Status ReadHostUploads(simdjson::ondemand::value section, ReadContext& context,
                             HostUploads& uploads);

// Refuses host records that begin before `origin` (absent: no bound) or end before they begin.
absl::Status CheckHostTimes(std::optional<capture::HostNanos> origin, const ReadContext& context,
                            const std::vector<HostLane>& lanes, const HostUploads& uploads);

}  // namespace simpler::formats::records
