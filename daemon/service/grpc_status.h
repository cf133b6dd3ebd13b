// The one place where the daemon's errors become gRPC's.
#pragma once

#include <grpcpp/support/status.h>

#include "absl/status/status.h"

namespace simpler::daemon {

// Statuses travel as HTTP/2 metadata, which peers limit to 8 KiB in total; longer messages are cut.
inline constexpr size_t kMaxStatusMessageBytes = 4096;

// The same code, since both libraries number them alike, and the message.
grpc::Status ToGrpcStatus(const absl::Status& status);

}  // namespace simpler::daemon
