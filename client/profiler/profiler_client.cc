#include "client/profiler/profiler_client.h"

#include <grpcpp/channel.h>
#include <grpcpp/client_context.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <thread>
#include <utility>

#include "analysis/archive/archive_writer.h"
#include "client/profiler/call_status.h"
#include "client/profiler/channel.h"
#include "client/profiler/import_stream.h"
#include "fmt/format.h"
#include "proto/simpler/profiler/v1/profiler.grpc.pb.h"

namespace simpler::profiler {
namespace {

constexpr std::chrono::milliseconds kFirstPause{100};
constexpr std::chrono::milliseconds kLongestPause{2000};

// Whether asking again for the rest can help. RESOURCE_EXHAUSTED and CANCELLED are how a daemon
// cuts a reader that was too slow; a deadline that brought something was only too short.
bool IsResumable(absl::StatusCode code) {
  switch (code) {
    case absl::StatusCode::kUnavailable:
    case absl::StatusCode::kCancelled:
    case absl::StatusCode::kResourceExhausted:
    case absl::StatusCode::kDeadlineExceeded:
    case absl::StatusCode::kAborted:
      return true;
    default:
      return false;
  }
}

absl::Status CopyFile(const std::string& path, timeline::ByteSink* sink) {
  const std::unique_ptr<FILE, int (*)(FILE*)> file(std::fopen(path.c_str(), "rb"), std::fclose);
  if (!file) return absl::ErrnoToStatus(errno, fmt::format("cannot open {}", path));
  std::string buffer(ImportStream::kMessageBytes, '\0');
  while (const size_t count = std::fread(buffer.data(), 1, buffer.size(), file.get())) {
    absl::Status status = sink->Append(std::string_view(buffer).substr(0, count));
    if (!status.ok()) return status;
  }
  if (std::ferror(file.get()) != 0) {
    return absl::ErrnoToStatus(errno, fmt::format("cannot read {}", path));
  }
  return absl::OkStatus();
}

// How one attempt to fetch ended.
struct Attempt {
  absl::Status status;
  // The connection or the daemon's patience failed, not the request.
  bool resumable = false;
};

}  // namespace

// Called from the threads of the client's users; both parts are safe for that.
class ProfilerClient::Connection {
 public:
  Connection(std::shared_ptr<grpc::Channel> channel, const ClientOptions& options)
      : channel_(std::move(channel)),
        stub_(v1::Profiler::NewStub(channel_)),
        setting_{options.endpoint, options.timeout},
        options_(options) {}

  void SetDeadline(grpc::ClientContext* context) const {
    if (setting_.timeout.count() == 0) return;
    context->set_deadline(std::chrono::system_clock::now() + setting_.timeout);
  }

  absl::Status StatusOfCall(const grpc::Status& status) const {
    const bool connected = channel_->GetState(/*try_to_connect=*/false) !=
                           grpc_connectivity_state::GRPC_CHANNEL_TRANSIENT_FAILURE;
    return StatusOf(status, setting_, connected);
  }

  // Until the daemon takes connections, or the time is over: the next call then says why not.
  void AwaitDaemon(std::chrono::milliseconds limit) const {
    channel_->WaitForConnected(std::chrono::system_clock::now() + limit);
  }

  template <typename Request, typename Response>
  absl::StatusOr<Response> Call(grpc::Status (v1::Profiler::Stub::*method)(grpc::ClientContext*,
                                                                           const Request&,
                                                                           Response*),
                                const Request& request) {
    grpc::ClientContext context;
    SetDeadline(&context);
    Response response;
    const grpc::Status status = (stub_.get()->*method)(&context, request, &response);
    if (!status.ok()) return StatusOfCall(status);
    return response;
  }

  absl::StatusOr<v1::ImportCaptureResponse> Import(const v1::ImportHeader& header,
                                                   const ArchiveSource& source) {
    grpc::ClientContext context;
    SetDeadline(&context);
    v1::ImportCaptureResponse response;
    const auto writer = stub_->ImportCapture(&context, &response);
    ImportStream stream(header, [&writer](const v1::ImportCaptureRequest& message) {
      return writer->Write(message);
    });
    absl::Status sent = source(&stream);
    if (sent.ok()) sent = stream.Commit();
    if (sent.ok()) {
      writer->WritesDone();
    } else if (!stream.closed_by_daemon()) {
      context.TryCancel();
      writer->Finish();
      return sent;
    }
    const grpc::Status status = writer->Finish();
    if (!status.ok()) return StatusOfCall(status);
    return response;
  }

  // One stream, from where `trace` stands to its end or a failure.
  Attempt FetchOnce(IncomingTrace* trace) {
    grpc::ClientContext context;
    SetDeadline(&context);
    const auto reader = stub_->FetchTrace(&context, trace->request());
    v1::TraceChunk chunk;
    while (reader->Read(&chunk)) {
      absl::Status status = trace->Accept(chunk);
      if (status.ok()) continue;
      context.TryCancel();
      reader->Finish();
      return {status, absl::IsDataLoss(status)};
    }
    const absl::Status status = StatusOfCall(reader->Finish());
    if (trace->complete()) return {absl::OkStatus(), false};
    if (!status.ok()) return {status, trace->started() && IsResumable(status.code())};
    return {absl::DataLossError("the daemon ended the trace early"), true};
  }

  absl::Status Fetch(IncomingTrace* trace) {
    std::chrono::milliseconds pause = kFirstPause;
    int idle_attempts = 0;
    while (true) {
      const uint64_t before = trace->offset();
      const Attempt attempt = FetchOnce(trace);
      if (attempt.status.ok() || !attempt.resumable) return attempt.status;
      if (trace->offset() > before) {
        idle_attempts = 0;
        pause = kFirstPause;
      } else if (++idle_attempts >= options_.max_idle_attempts) {
        return attempt.status;
      }
      Pause(pause);
      pause = std::min(2 * pause, kLongestPause);
    }
  }

 private:
  void Pause(std::chrono::milliseconds duration) const {
    if (options_.pause) {
      options_.pause(duration);
    } else {
      std::this_thread::sleep_for(duration);
    }
  }

  std::shared_ptr<grpc::Channel> channel_;
  std::unique_ptr<v1::Profiler::Stub> stub_;
  CallSetting setting_;
  ClientOptions options_;
};

absl::StatusOr<std::unique_ptr<ProfilerClient>> ProfilerClient::Create(
    const ClientOptions& options) {
  absl::StatusOr<std::shared_ptr<grpc::Channel>> channel = CreateChannel(options.endpoint);
  if (!channel.ok()) return channel.status();
  return std::unique_ptr<ProfilerClient>(
      new ProfilerClient(std::make_unique<Connection>(*std::move(channel), options)));
}

ProfilerClient::ProfilerClient(std::unique_ptr<Connection> connection)
    : connection_(std::move(connection)) {}
ProfilerClient::~ProfilerClient() = default;

absl::StatusOr<v1::ImportCaptureResponse> ProfilerClient::ImportCapture(
    const v1::ImportHeader& header, const ArchiveSource& source) {
  return connection_->Import(header, source);
}

absl::StatusOr<v1::ImportCaptureResponse> ProfilerClient::ImportCapture(
    const v1::ImportHeader& header, const capture::CaptureBundle& bundle) {
  return connection_->Import(
      header, [&bundle](timeline::ByteSink* sink) { return archive::WriteArchive(bundle, sink); });
}

absl::StatusOr<v1::ImportCaptureResponse> ProfilerClient::ImportArchiveFile(
    const v1::ImportHeader& header, const std::string& path) {
  return connection_->Import(header,
                             [&path](timeline::ByteSink* sink) { return CopyFile(path, sink); });
}

absl::StatusOr<v1::ListCapturesResponse> ProfilerClient::ListCaptures(
    const v1::ListCapturesRequest& request) {
  return connection_->Call(&v1::Profiler::Stub::ListCaptures, request);
}

absl::StatusOr<v1::GetCaptureResponse> ProfilerClient::GetCapture(
    const v1::GetCaptureRequest& request) {
  return connection_->Call(&v1::Profiler::Stub::GetCapture, request);
}

absl::StatusOr<v1::DeleteCaptureResponse> ProfilerClient::DeleteCapture(
    const v1::DeleteCaptureRequest& request) {
  return connection_->Call(&v1::Profiler::Stub::DeleteCapture, request);
}

absl::StatusOr<v1::ComputeOverheadResponse> ProfilerClient::ComputeOverhead(
    const v1::ComputeOverheadRequest& request) {
  return connection_->Call(&v1::Profiler::Stub::ComputeOverhead, request);
}

absl::StatusOr<v1::ComputeCriticalPathResponse> ProfilerClient::ComputeCriticalPath(
    const v1::ComputeCriticalPathRequest& request) {
  return connection_->Call(&v1::Profiler::Stub::ComputeCriticalPath, request);
}

absl::StatusOr<v1::ComputeStatsResponse> ProfilerClient::ComputeStats(
    const v1::ComputeStatsRequest& request) {
  return connection_->Call(&v1::Profiler::Stub::ComputeStats, request);
}

absl::StatusOr<v1::DescribeResponse> ProfilerClient::Describe(
    std::chrono::milliseconds wait_for_daemon) {
  if (wait_for_daemon.count() > 0) connection_->AwaitDaemon(wait_for_daemon);
  return connection_->Call(&v1::Profiler::Stub::Describe, v1::DescribeRequest());
}

absl::StatusOr<FetchedTrace> ProfilerClient::FetchTrace(const v1::FetchTraceRequest& request,
                                                        const ChunkReceiver& receive) {
  IncomingTrace trace(request, receive);
  if (absl::Status status = connection_->Fetch(&trace); !status.ok()) return status;
  return trace.trace();
}

}  // namespace simpler::profiler
