// Records of scheduler streams and orchestrator lanes as archive messages.
#pragma once

#include <memory>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "analysis/archive/row_columns.h"
#include "analysis/capture/blocks.h"
#include "proto/simpler/archive/v1/archive.pb.h"

namespace simpler::archive {

// Replaces everything of `message` but the stream or lane number. InvalidArgument for stamps that
// no reader accepts. `rows` lies in the block and is at most kMaxColumnValues long; the extra
// fields and unknown kinds of a block must be in row order.
absl::Status Encode(const capture::SchedulerPhaseBlock& block, RowRange rows,
                    v1::SchedulerPhases* message);
absl::Status Encode(const capture::OrchestratorPhaseBlock& block, RowRange rows,
                    v1::OrchestratorPhases* message);

// InvalidArgument, naming column or row, for whatever Encode cannot have written.
absl::StatusOr<std::shared_ptr<const capture::SchedulerPhaseBlock>> Decode(
    const v1::SchedulerPhases& message);
absl::StatusOr<std::shared_ptr<const capture::OrchestratorPhaseBlock>> Decode(
    const v1::OrchestratorPhases& message);

}  // namespace simpler::archive
