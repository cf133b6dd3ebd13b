// The times at which a streaming call waits for its client, and the way to end it meanwhile.
#pragma once

#include <grpc/grpc.h>
#include <grpcpp/server_context.h>

#include <functional>
#include <optional>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "daemon/service/stalled_calls.h"
#include "daemon/sync/mutex.h"

namespace simpler::daemon {

// Begin, End and CallDone are called by the call, one after the other; CancelIfSince by the control
// thread at any time.
class ClientWait {
 public:
  explicit ClientWait(grpc::CallbackServerContext* context) : call_(context->c_call()) {}

  // Before an operation that only the client can complete, and after it.
  void Begin() ABSL_LOCKS_EXCLUDED(mutex_);
  void End() ABSL_LOCKS_EXCLUDED(mutex_);
  // gRPC is about to destroy the call.
  void CallDone() ABSL_LOCKS_EXCLUDED(mutex_);

  // If the call has been waiting since `limit` or longer: ends it with the status that `reason`
  // returns, once. The status overtakes what the client has not read, so even a client that reads
  // nothing costs no more memory. The pending operation then fails.
  bool CancelIfSince(SteadyTime limit, const std::function<absl::Status()>& reason)
      ABSL_LOCKS_EXCLUDED(mutex_);

  // OK unless CancelIfSince ended the call.
  absl::Status cancel_reason() const ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  mutable Mutex mutex_;
  grpc_call* call_ ABSL_GUARDED_BY(mutex_);  // null: done
  std::optional<SteadyTime> since_ ABSL_GUARDED_BY(mutex_);
  absl::Status reason_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace simpler::daemon
