// A trace on its way from the daemon: what has arrived, and how to ask for the rest.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "proto/simpler/profiler/v1/profiler.pb.h"

namespace simpler::profiler {

// Takes the chunks of a trace in order, without gaps, each checked. An error ends the fetch.
using ChunkReceiver = std::function<absl::Status(const v1::TraceChunk& chunk)>;

// What is known of a trace apart from its bytes.
struct FetchedTrace {
  uint64_t total_bytes = 0;
  std::string etag;
  std::vector<v1::Warning> warnings;
  std::string summary;
};

// Belongs to one thread.
class IncomingTrace {
 public:
  // `request` may start anywhere; `receive` gets what follows its offset.
  IncomingTrace(v1::FetchTraceRequest request, ChunkReceiver receive);

  // Checks the chunk and hands it over. DataLoss: it is damaged or not the next one, ask again.
  // FailedPrecondition: it belongs to another trace than the chunks before. Otherwise what the
  // receiver says.
  absl::Status Accept(const v1::TraceChunk& chunk);

  // Asks for the rest.
  const v1::FetchTraceRequest& request() const { return request_; }
  // Some chunk has arrived.
  bool started() const { return started_; }
  bool complete() const { return started_ && offset() == trace_.total_bytes; }
  uint64_t offset() const { return request_.offset(); }
  const FetchedTrace& trace() const { return trace_; }

 private:
  void Start(const v1::TraceChunk& chunk);
  absl::Status Check(const v1::TraceChunk& chunk) const;

  v1::FetchTraceRequest request_;
  ChunkReceiver receive_;
  FetchedTrace trace_;
  bool started_ = false;
};

}  // namespace simpler::profiler
