// A unary call that is answered later, from any thread.
#pragma once

#include <grpcpp/server_context.h>
#include <grpcpp/support/server_callback.h>

#include <stop_token>

#include "absl/status/status.h"
#include "daemon/service/call_log.h"

namespace simpler::daemon {

// Belongs to gRPC, which destroys it some time after End; request and response live as long. Call
// End exactly once, whether or not the client is still there.
class UnaryCall final : public grpc::ServerUnaryReactor {
 public:
  UnaryCall(const char* method, grpc::CallbackServerContext* context)
      : log_(method, context->peer()) {}

  // Stops when the client went away or its deadline passed.
  std::stop_token stop_token() const { return stop_.get_token(); }

  // Sends the response when the status is OK.
  void End(const absl::Status& status);

 private:
  void OnCancel() override { stop_.request_stop(); }
  void OnDone() override { delete this; }

  CallLog log_;
  std::stop_source stop_;
};

}  // namespace simpler::daemon
