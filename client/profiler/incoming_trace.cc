#include "client/profiler/incoming_trace.h"

#include <utility>

#include "analysis/archive/crc32c.h"
#include "fmt/format.h"

namespace simpler::profiler {

IncomingTrace::IncomingTrace(v1::FetchTraceRequest request, ChunkReceiver receive)
    : request_(std::move(request)), receive_(std::move(receive)) {}

absl::Status IncomingTrace::Accept(const v1::TraceChunk& chunk) {
  if (absl::Status status = Check(chunk); !status.ok()) return status;
  if (!started_) Start(chunk);
  if (absl::Status status = receive_(chunk); !status.ok()) return status;
  request_.set_offset(offset() + chunk.data().size());
  return absl::OkStatus();
}

void IncomingTrace::Start(const v1::TraceChunk& chunk) {
  started_ = true;
  trace_.total_bytes = chunk.total_bytes();
  trace_.etag = chunk.etag();
  trace_.warnings.assign(chunk.warnings().begin(), chunk.warnings().end());
  trace_.summary = chunk.summary();
  request_.set_etag(chunk.etag());
}

absl::Status IncomingTrace::Check(const v1::TraceChunk& chunk) const {
  const bool other_etag = !request_.etag().empty() && chunk.etag() != request_.etag();
  if (other_etag || (started_ && chunk.total_bytes() != trace_.total_bytes)) {
    return absl::FailedPreconditionError(
        "the daemon goes on with another trace than it began with; fetch it again from the start");
  }
  if (chunk.offset() != offset() || chunk.offset() > chunk.total_bytes() ||
      chunk.data().size() > chunk.total_bytes() - chunk.offset()) {
    return absl::DataLossError(fmt::format(
        "the daemon sent {} bytes at {} of a trace of {} instead of those at {}; fetch it again",
        chunk.data().size(), chunk.offset(), chunk.total_bytes(), offset()));
  }
  if (archive::Crc32c(chunk.data()) != chunk.crc32c()) {
    return absl::DataLossError(fmt::format(
        "the bytes at {} of the trace were damaged on the way; fetch it again", chunk.offset()));
  }
  return absl::OkStatus();
}

}  // namespace simpler::profiler
