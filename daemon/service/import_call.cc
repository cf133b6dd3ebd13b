#include "daemon/service/import_call.h"

#include <chrono>
#include <optional>
#include <utility>

#include "daemon/service/capture_messages.h"
#include "daemon/service/grpc_status.h"
#include "fmt/format.h"
#include "spdlog/spdlog.h"

namespace simpler::daemon {
namespace {

constexpr size_t kMaxDataBytes = size_t{1} << 20;
constexpr std::chrono::milliseconds kFullQueueDelay{20};

}  // namespace

ImportCall* ImportCall::Start(grpc::CallbackServerContext* context,
                              profiler::v1::ImportCaptureResponse* response,
                              const CallEnvironment& environment) {
  // Kept by the register of stalled calls until OnDone.
  std::shared_ptr<ImportCall> call(new ImportCall(context, response, environment));
  environment.stalled->Add(call);
  call->ReadNext();
  return call.get();
}

ImportCall::ImportCall(grpc::CallbackServerContext* context,
                       profiler::v1::ImportCaptureResponse* response,
                       const CallEnvironment& environment)
    : context_(context),
      response_(response),
      environment_(environment),
      log_("ImportCapture", context->peer()),
      wait_(context) {}

bool ImportCall::EndIfWaitingSince(SteadyTime limit) {
  return wait_.CancelIfSince(limit, [this] {
    return absl::ResourceExhaustedError(
        fmt::format("the client sent nothing for {} ms, so the import was given up; start it again",
                    environment_.options->client_patience.count()));
  });
}

void ImportCall::OnReadDone(bool ok) {
  wait_.End();
  Schedule(ok ? &ImportCall::Consume : &ImportCall::Complete);
}

void ImportCall::OnDone() {
  wait_.CallDone();
  // Freeing a half-decoded capture takes time; gRPC's threads have none.
  if (std::shared_ptr<CaptureStore::Import> import = std::move(import_)) {
    environment_.engine->PostAccepted([import = std::move(import)]() mutable { import.reset(); });
  }
  environment_.stalled->Remove(this);
}

void ImportCall::Schedule(Step step) {
  const absl::Status status = environment_.engine->Post([this, step] { (this->*step)(); });
  if (status.ok()) return;
  if (import_ == nullptr) return End(status);
  environment_.options->run_later(kFullQueueDelay, [this, step] { Schedule(step); });
}

void ImportCall::Consume() {
  if (absl::Status status = BeginOrFeed(); !status.ok()) return End(status);
  if (answered_) return End(absl::OkStatus());
  ReadNext();
}

void ImportCall::Complete() {
  if (absl::Status reason = wait_.cancel_reason(); !reason.ok()) return End(reason);
  if (context_->IsCancelled()) {
    return End(absl::CancelledError("the client went away before the end of the archive"));
  }
  if (import_ == nullptr) {
    return End(absl::InvalidArgumentError(
        "the stream ended without a message: send the header and the archive"));
  }
  absl::StatusOr<CaptureStore::Import::Result> result = import_->Finish();
  if (!result.ok()) return End(result.status());
  AnswerStored(*result);
  End(absl::OkStatus());
}

absl::Status ImportCall::BeginOrFeed() {
  if (absl::Status status = CheckMessage(); !status.ok()) return status;
  if (import_ == nullptr) {
    if (absl::Status status = BeginImport(); !status.ok() || answered_) return status;
  }
  return message_.data().empty() ? absl::OkStatus() : import_->Feed(message_.data());
}

absl::Status ImportCall::CheckMessage() const {
  if (import_ == nullptr && !message_.has_header()) {
    return absl::InvalidArgumentError("the first message has no header: send it with the header");
  }
  if (import_ != nullptr && message_.has_header()) {
    return absl::InvalidArgumentError("a later message has a header: only the first may have one");
  }
  if (message_.data().size() > kMaxDataBytes) {
    return absl::InvalidArgumentError(fmt::format("a message has {} bytes of data: send at most {}",
                                                  message_.data().size(), kMaxDataBytes));
  }
  return absl::OkStatus();
}

absl::Status ImportCall::BeginImport() {
  const ImportLabels labels = ToImportLabels(message_.header());
  if (!labels.idempotency_key.empty()) {
    const std::optional<CaptureInfo> known = environment_.store->FindByKey(labels.idempotency_key);
    if (known) {
      AnswerAlreadyStored(*known);
      return absl::OkStatus();
    }
  }
  absl::StatusOr<std::unique_ptr<CaptureStore::Import>> import =
      environment_.store->BeginImport(labels);
  if (!import.ok()) return import.status();
  import_ = *std::move(import);
  return absl::OkStatus();
}

void ImportCall::AnswerAlreadyStored(const CaptureInfo& info) {
  FillCapture(info, response_->mutable_capture());
  response_->set_already_stored(true);
  answered_ = true;
}

void ImportCall::AnswerStored(const CaptureStore::Import::Result& result) {
  FillCapture(result.capture, response_->mutable_capture());
  response_->set_already_stored(result.already_stored);
  for (const EvictionInfo& eviction : result.evictions) {
    if (!eviction.still_on_disk) environment_.engine->Forget(eviction.capture_id);
    FillEviction(eviction, response_->add_evictions());
  }
}

void ImportCall::ReadNext() {
  wait_.Begin();
  StartRead(&message_);
}

void ImportCall::End(const absl::Status& status) {
  log_.Ended(status);
  if (!status.ok() && status.code() != absl::StatusCode::kResourceExhausted) {
    spdlog::info("import refused: {}", OnOneLine(std::string(status.message())));
  }
  Finish(ToGrpcStatus(status));
}

}  // namespace simpler::daemon
