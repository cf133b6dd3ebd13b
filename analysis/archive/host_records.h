// Host orchestration and control-plane records as archive messages.
#pragma once

#include <span>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "analysis/capture/capture.h"
#include "proto/simpler/archive/v1/archive.pb.h"

namespace simpler::archive {

// Replaces everything of `message` but the lane number. InvalidArgument for stamps that no reader
// accepts. At most kMaxColumnValues records.
absl::Status Encode(std::span<const capture::HostSubmit> submits, v1::HostSubmits* message);
absl::Status Encode(std::span<const capture::HostUpload> uploads, v1::HostUploads* message);
absl::Status Encode(std::span<const capture::LifecycleRecord> records, v1::Lifecycle* message);

// InvalidArgument, naming column or row, for whatever Encode cannot have written.
absl::StatusOr<std::vector<capture::HostSubmit>> Decode(const v1::HostSubmits& message);
absl::StatusOr<std::vector<capture::HostUpload>> Decode(const v1::HostUploads& message);
absl::StatusOr<std::vector<capture::LifecycleRecord>> Decode(const v1::Lifecycle& message);

}  // namespace simpler::archive
