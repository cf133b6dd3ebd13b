// Rows of AICore and scheduler streams as archive messages.
#pragma once

#include <memory>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "analysis/archive/row_columns.h"
#include "analysis/capture/blocks.h"
#include "proto/simpler/archive/v1/archive.pb.h"

namespace simpler::archive {

// Replaces `message`. InvalidArgument for stamps that no reader accepts; `rows` lies in the block
// and is at most kMaxColumnValues long.
absl::Status Encode(const capture::AicoreTaskBlock& block, RowRange rows, v1::AicoreTasks* message);
absl::Status Encode(const capture::SchedulerTaskBlock& block, RowRange rows,
                    v1::SchedulerTasks* message);

// InvalidArgument, naming column or row, for whatever Encode cannot have written.
absl::StatusOr<std::shared_ptr<const capture::AicoreTaskBlock>> Decode(
    const v1::AicoreTasks& message);
absl::StatusOr<std::shared_ptr<const capture::SchedulerTaskBlock>> Decode(
    const v1::SchedulerTasks& message);

}  // namespace simpler::archive
