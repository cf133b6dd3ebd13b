#include "daemon/service/client_wait.h"

#include <grpcpp/support/status.h>

#include "daemon/service/grpc_status.h"

namespace simpler::daemon {

void ClientWait::Begin() {
  MutexLock lock(&mutex_);
  since_ = std::chrono::steady_clock::now();
}

void ClientWait::End() {
  MutexLock lock(&mutex_);
  since_.reset();
}

void ClientWait::CallDone() {
  MutexLock lock(&mutex_);
  call_ = nullptr;
}

bool ClientWait::CancelIfSince(SteadyTime limit, const std::function<absl::Status()>& reason) {
  grpc_call* call = nullptr;
  grpc::Status status;
  {
    MutexLock lock(&mutex_);
    if (call_ == nullptr || !since_ || *since_ > limit || !reason_.ok()) return false;
    reason_ = reason();
    status = ToGrpcStatus(reason_);
    call = call_;
    grpc_call_ref(call);
  }
  // Without the lock: gRPC may run callbacks of the call on this thread.
  grpc_call_cancel_with_status(call, static_cast<grpc_status_code>(status.error_code()),
                               status.error_message().c_str(), nullptr);
  grpc_call_unref(call);
  return true;
}

absl::Status ClientWait::cancel_reason() const {
  MutexLock lock(&mutex_);
  return reason_;
}

}  // namespace simpler::daemon
