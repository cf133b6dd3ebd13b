// Trace requests and chunks between the contract and the query engine.
#pragma once

#include <grpcpp/support/byte_buffer.h>

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "analysis/timeline/trace_request.h"
#include "daemon/query/query_engine.h"
#include "proto/simpler/profiler/v1/profiler.pb.h"

namespace simpler::daemon {

// InvalidArgument: an unknown format or naming. The engine checks the rest.
absl::StatusOr<timeline::TraceRequest> ToTraceRequest(const profiler::v1::TraceOptions& options);

// InvalidArgument when something was chosen that an archive, which holds everything, cannot honour.
absl::Status CheckArchiveRequest(const profiler::v1::FetchTraceRequest& request);

// Whether a fetch can go on in this trace. FailedPrecondition: the request's etag is of another
// one. OutOfRange: the offset is beyond the end.
absl::Status CheckResume(const profiler::v1::FetchTraceRequest& request, const SpooledTrace& trace);

// InvalidArgument when the bytes are no FetchTraceRequest. Empties `buffer`.
absl::StatusOr<profiler::v1::FetchTraceRequest> ParseFetchTraceRequest(grpc::ByteBuffer* buffer);

// A summary in the format that was asked for; empty when there is none.
std::string SummaryDocument(const SpooledTrace& trace, profiler::v1::DocumentFormat format);

// The message `head` with the chunk's bytes as `data`, in wire format. They are not copied: `data`
// is the last field, so it can follow the other fields in memory of its own.
grpc::ByteBuffer ChunkMessage(const profiler::v1::TraceChunk& head,
                              const SpooledTrace::Chunk& chunk);

}  // namespace simpler::daemon
