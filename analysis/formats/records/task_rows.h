// Sections `aicore_tasks`, `scheduler_tasks` and the archived `aicpu_tasks`.
#pragma once

#include "absl/status/status.h"
#include "analysis/capture/capture.h"
#include "analysis/formats/records/block_writer.h"
#include "analysis/formats/records/join_key_check.h"
#include "analysis/formats/records/per_epoch.h"
#include "analysis/formats/records/read_context.h"
#include "simdjson.h"

namespace simpler::formats::records {

struct AicoreRows {
  BlockWriter<capture::AicoreTaskBlock> blocks;
  JoinKeyCheck keys;
};

struct SchedulerRows {
  BlockWriter<capture::SchedulerTaskBlock> blocks;
  JoinKeyCheck keys;
};

// A list of rows of five columns (core_id, task, reg_task_id, start, end), six (receive-to-start)
// or seven (run_epoch). Refuses what a core cannot have recorded, and repeated join keys.
absl::Status ReadAicoreTasks(simdjson::ondemand::value section, ReadContext& context,
                             PerEpoch<AicoreRows>& rows);

struct SchedulerTasks {
  capture::Producer producer = capture::Producer::kAicpu;
  bool has_schema_version = false;
  PerEpoch<SchedulerRows> rows;
};

// {schema_version, producer, records}; rows of four columns (core_id, reg_task_id, dispatch,
// finish) or five (run_epoch), never mixed.
absl::Status ReadSchedulerTasks(simdjson::ondemand::value section, ReadContext& context,
                                SchedulerTasks& tasks);

// The archived form: the list of rows alone.
absl::Status ReadAicpuTasks(simdjson::ondemand::value section, ReadContext& context,
                            SchedulerTasks& tasks);

}  // namespace simpler::formats::records
