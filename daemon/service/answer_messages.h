// Analyses as messages of the contract. Rendering documents takes time: call the Fill functions on
// a query thread.
#pragma once

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "analysis/capture/bundle.h"
#include "analysis/report/analysis.h"
#include "analysis/report/critical_path.h"
#include "daemon/query/query_engine.h"
#include "proto/simpler/profiler/v1/profiler.pb.h"

namespace simpler::daemon {

// Larger documents are refused with ResourceExhausted: no client would take the message.
inline constexpr size_t kMaxDocumentBytes = size_t{64} << 20;

// InvalidArgument when no capture is named.
absl::StatusOr<RunKey> ToRunKey(const profiler::v1::RunSelector& selector);

// Whether an answer can be rendered like this. InvalidArgument: an unknown format, or CSV of what
// is no table.
absl::Status CheckDocumentFormat(profiler::v1::DocumentFormat format, bool has_table);

// OK, or ResourceExhausted naming size and limit.
absl::Status CheckDocumentSize(const std::string& document);

// What ComputeCriticalPath may be asked for beside the run. InvalidArgument: out of range.
absl::Status CheckPathRequest(const profiler::v1::ComputeCriticalPathRequest& request);

absl::Status FillOverhead(const report::Analysis& analysis, profiler::v1::DocumentFormat format,
                          profiler::v1::ComputeOverheadResponse* response);

// FailedPrecondition when the analysis has no critical path.
absl::Status FillCriticalPath(const report::Analysis& analysis, profiler::v1::DocumentFormat format,
                              const report::CriticalPathTextOptions& text,
                              profiler::v1::ComputeCriticalPathResponse* response);

absl::Status FillStats(const report::Analysis& analysis, profiler::v1::DocumentFormat format,
                       profiler::v1::ComputeStatsResponse* response);

// What `simplerctl info` says about one run. OutOfRange: there is no such run.
absl::StatusOr<std::string> InfoDocument(const capture::CaptureBundle& bundle, uint32_t run_index,
                                         profiler::v1::DocumentFormat format);

}  // namespace simpler::daemon
