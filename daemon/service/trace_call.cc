#include "daemon/service/trace_call.h"

#include <utility>

#include "daemon/service/answer_messages.h"
#include "daemon/service/capture_messages.h"
#include "daemon/service/grpc_status.h"
#include "daemon/service/trace_messages.h"
#include "fmt/format.h"
#include "spdlog/spdlog.h"

namespace simpler::daemon {

namespace v1 = profiler::v1;

TraceCall* TraceCall::Start(grpc::CallbackServerContext* context, const grpc::ByteBuffer& request,
                            const CallEnvironment& environment, FetchCounts* counts) {
  // Kept by the register of stalled calls until OnDone.
  std::shared_ptr<TraceCall> call(new TraceCall(context, environment, counts));
  environment.stalled->Add(call);
  if (absl::Status status = call->Ask(request); !status.ok()) call->End(status);
  return call.get();
}

TraceCall::TraceCall(grpc::CallbackServerContext* context, const CallEnvironment& environment,
                     FetchCounts* counts)
    : environment_(environment),
      counts_(counts),
      log_("FetchTrace", context->peer()),
      wait_(context) {
  ++counts_->running;
}

TraceCall::~TraceCall() { --counts_->running; }

bool TraceCall::EndIfWaitingSince(SteadyTime limit) {
  const bool ended = wait_.CancelIfSince(limit, [this] {
    return absl::ResourceExhaustedError(fmt::format(
        "the reader took nothing for {} ms; to go on, fetch again with the offset after the last "
        "byte that arrived, at most {}",
        environment_.options->client_patience.count(), offset_.load()));
  });
  if (ended) ++counts_->cut;
  return ended;
}

absl::Status TraceCall::Ask(grpc::ByteBuffer request) {
  if (counts_->running > environment_.options->max_fetches) {
    return absl::ResourceExhaustedError(fmt::format(
        "{} fetches run, which is the limit; try again later", environment_.options->max_fetches));
  }
  absl::StatusOr<v1::FetchTraceRequest> parsed = ParseFetchTraceRequest(&request);
  if (!parsed.ok()) return parsed.status();
  request_ = *std::move(parsed);
  absl::StatusOr<RunKey> run = ToRunKey(request_.run());
  if (!run.ok()) return run.status();
  if (absl::Status status = CheckDocumentFormat(request_.summary_format(), /*has_table=*/false);
      !status.ok()) {
    return status;
  }
  auto answer = [this](absl::StatusOr<Trace> trace) { Answer(std::move(trace)); };
  if (request_.options().format() == v1::TRACE_FORMAT_ARCHIVE) {
    if (absl::Status status = CheckArchiveRequest(request_); !status.ok()) return status;
    environment_.engine->RenderArchive(run->capture_id, stop_.get_token(), answer);
    return absl::OkStatus();
  }
  absl::StatusOr<timeline::TraceRequest> options = ToTraceRequest(request_.options());
  if (!options.ok()) return options.status();
  environment_.engine->RenderTrace(*run, *options, stop_.get_token(), answer);
  return absl::OkStatus();
}

void TraceCall::Answer(absl::StatusOr<Trace> trace) {
  if (!trace.ok()) return End(trace.status());
  trace_ = *std::move(trace);
  if (absl::Status status = SendFirst(); !status.ok()) End(status);
}

absl::Status TraceCall::SendFirst() {
  if (absl::Status status = CheckResume(request_, *trace_); !status.ok()) return status;
  next_offset_ = request_.offset();
  v1::TraceChunk head;
  FillWarnings(trace_->warnings(), head.mutable_warnings());
  head.set_summary(SummaryDocument(*trace_, request_.summary_format()));
  if (absl::Status status = CheckDocumentSize(head.summary()); !status.ok()) return status;
  return Send(&head);
}

absl::Status TraceCall::Send(v1::TraceChunk* head) {
  absl::StatusOr<SpooledTrace::Chunk> chunk = trace_->Read(next_offset_);
  if (!chunk.ok()) return chunk.status();
  offset_ = next_offset_;
  next_offset_ += chunk->size;
  head->set_offset(offset_);
  head->set_crc32c(chunk->crc32c);
  head->set_total_bytes(trace_->size());
  head->set_etag(trace_->etag());
  message_ = ChunkMessage(*head, *chunk);
  wait_.Begin();
  StartWrite(&message_);
  return absl::OkStatus();
}

void TraceCall::OnWriteDone(bool ok) {
  wait_.End();
  if (!ok) {
    const absl::Status reason = wait_.cancel_reason();
    return End(reason.ok() ? absl::CancelledError("the client went away") : reason);
  }
  if (next_offset_ == trace_->size()) return End(absl::OkStatus());
  v1::TraceChunk head;
  if (absl::Status status = Send(&head); !status.ok()) End(status);
}

void TraceCall::OnDone() {
  wait_.CallDone();
  environment_.stalled->Remove(this);
}

void TraceCall::End(const absl::Status& status) {
  log_.Ended(status);
  Finish(ToGrpcStatus(status));
}

}  // namespace simpler::daemon
