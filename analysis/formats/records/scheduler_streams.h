// Sections `scheduler_records` and the archived `aicpu_scheduler_phases`.
#pragma once

#include <optional>
#include <vector>

#include "absl/status/status.h"
#include "analysis/capture/capture.h"
#include "analysis/formats/records/phase_records.h"
#include "analysis/formats/records/read_context.h"
#include "simdjson.h"

namespace simpler::formats::records {

struct StreamDraft {
  capture::SchedulerStream header;  // without blocks
  PhaseStream records;
};

// {schema_version, streams: [{…, records, metrics}]}. Streams go to the position of their
// scheduler_id and gaps are filled with unrecorded streams; when ids are missing, repeated or not
// below 256, file order decides and a warning is counted.
absl::Status ReadSchedulerStreams(simdjson::ondemand::value section, ReadContext& context,
                                  std::vector<StreamDraft>& streams);

// One list of records with inline metrics per AICPU thread.
absl::Status ReadAicpuSchedulerPhases(simdjson::ondemand::value section, ReadContext& context,
                                      std::vector<StreamDraft>& streams);

}  // namespace simpler::formats::records
