#include "daemon/service/unary_call.h"

#include "daemon/service/grpc_status.h"

namespace simpler::daemon {

void UnaryCall::End(const absl::Status& status) {
  log_.Ended(status);
  Finish(ToGrpcStatus(status));
}

}  // namespace simpler::daemon
