// What a capture states once, or once per run or stream, as archive messages.
#pragma once

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "analysis/capture/bundle.h"
#include "analysis/capture/capture.h"
#include "proto/simpler/archive/v1/archive.pb.h"

namespace simpler::archive {

// Level, generation, metadata without its opaque fields, and source names.
v1::Header EncodeHeader(const capture::CaptureBundle& bundle);
// Fills those parts. InvalidArgument for values outside of what Capture allows.
absl::Status DecodeHeader(const v1::Header& message, capture::CaptureBundle& bundle);

// A run without its streams.
absl::StatusOr<v1::Run> EncodeRun(const capture::Run& run);
// The run has its orchestrator and host lanes, all empty, and no scheduler stream. InvalidArgument
// for more than kMaxColumnValues lanes.
absl::StatusOr<capture::Run> DecodeRun(const v1::Run& message);

// A stream without its blocks.
v1::SchedulerStream EncodeStream(const capture::SchedulerStream& stream);
absl::StatusOr<capture::SchedulerStream> DecodeStream(const v1::SchedulerStream& message);

v1::DispatchIdentity EncodeIdentity(const capture::DispatchIdentity& identity);
capture::DispatchIdentity DecodeIdentity(const v1::DispatchIdentity& message);

}  // namespace simpler::archive
