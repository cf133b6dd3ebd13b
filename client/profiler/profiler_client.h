// Blocking calls to simplerd. Requests and answers are the messages of the contract
// (proto/simpler/profiler/v1/profiler.proto), which documents them.
//
//   auto client = ProfilerClient::Create({});
//   v1::ComputeOverheadRequest request;
//   request.mutable_run()->set_capture_id("cap-0123456789ab");
//   auto overhead = (*client)->ComputeOverhead(request);
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "analysis/capture/bundle.h"
#include "analysis/timeline/byte_sink.h"
#include "client/profiler/endpoint.h"
#include "client/profiler/incoming_trace.h"
#include "proto/simpler/profiler/v1/profiler.pb.h"

namespace simpler::profiler {

struct ClientOptions {
  Endpoint endpoint;
  // Of each call, and of each attempt of a fetch; 0: none.
  std::chrono::milliseconds timeout{0};
  // A fetch that breaks is resumed until so many attempts in a row bring nothing.
  int max_idle_attempts = 5;
  // Waits before an attempt is repeated. Injected for tests; empty: sleeps.
  std::function<void(std::chrono::milliseconds)> pause;
};

// Safe to use from several threads at once. Every call can fail with the codes of the contract,
// with the daemon's message, and with Unavailable when there is no daemon, DeadlineExceeded when
// the timeout is over; messages name the endpoint and what to do.
class ProfilerClient {
 public:
  // Does not connect yet. As CreateChannel.
  static absl::StatusOr<std::unique_ptr<ProfilerClient>> Create(const ClientOptions& options);
  ~ProfilerClient();

  // Writes an archive into the sink it gets. Its failure ends the import without a trace.
  using ArchiveSource = std::function<absl::Status(timeline::ByteSink* sink)>;
  absl::StatusOr<v1::ImportCaptureResponse> ImportCapture(const v1::ImportHeader& header,
                                                          const ArchiveSource& source);
  // Packs the bundle on the way.
  absl::StatusOr<v1::ImportCaptureResponse> ImportCapture(const v1::ImportHeader& header,
                                                          const capture::CaptureBundle& bundle);
  // Sends the file as it is. Additionally the error of reading it, with its path.
  absl::StatusOr<v1::ImportCaptureResponse> ImportArchiveFile(const v1::ImportHeader& header,
                                                              const std::string& path);

  absl::StatusOr<v1::ListCapturesResponse> ListCaptures(const v1::ListCapturesRequest& request);
  absl::StatusOr<v1::GetCaptureResponse> GetCapture(const v1::GetCaptureRequest& request);
  absl::StatusOr<v1::DeleteCaptureResponse> DeleteCapture(const v1::DeleteCaptureRequest& request);
  absl::StatusOr<v1::ComputeOverheadResponse> ComputeOverhead(
      const v1::ComputeOverheadRequest& request);
  absl::StatusOr<v1::ComputeCriticalPathResponse> ComputeCriticalPath(
      const v1::ComputeCriticalPathRequest& request);
  absl::StatusOr<v1::ComputeStatsResponse> ComputeStats(const v1::ComputeStatsRequest& request);
  // Waits so long for a daemon that is not there yet.
  absl::StatusOr<v1::DescribeResponse> Describe(
      std::chrono::milliseconds wait_for_daemon = std::chrono::milliseconds(0));

  // Hands the bytes of a trace from the request's offset on to `receive`. When the stream breaks,
  // the daemon cuts it, or a chunk is damaged, the fetch goes on where it stopped. A fetch of which
  // nothing has arrived yet is not repeated. A request with offset and etag resumes an earlier
  // fetch; FailedPrecondition then says that the trace is another one now.
  absl::StatusOr<FetchedTrace> FetchTrace(const v1::FetchTraceRequest& request,
                                          const ChunkReceiver& receive);

 private:
  class Connection;
  explicit ProfilerClient(std::unique_ptr<Connection> connection);
  std::unique_ptr<Connection> connection_;
};

}  // namespace simpler::profiler
