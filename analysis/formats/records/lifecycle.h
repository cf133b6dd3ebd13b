// Section `aicpu_lifecycle_records`.
#pragma once

#include <vector>

#include "absl/status/status.h"
#include "analysis/capture/capture.h"
#include "analysis/formats/records/per_epoch.h"
#include "analysis/formats/records/read_context.h"
#include "simdjson.h"

namespace simpler::formats::records {

// A list of objects of aicpu_thread_id and `<stamp>_cycles`; a zero stamp was not recorded.
absl::Status ReadLifecycle(simdjson::ondemand::value section, ReadContext& context,
                           PerEpoch<std::vector<capture::LifecycleRecord>>& records);

}  // namespace simpler::formats::records
