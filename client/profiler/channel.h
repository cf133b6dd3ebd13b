// The connection to a daemon.
#pragma once

#include <memory>

#include "absl/status/statusor.h"
#include "client/profiler/endpoint.h"

namespace grpc {
class Channel;
}  // namespace grpc

namespace simpler::profiler {

// Reads the TLS files; the connection itself is made by the first call. InvalidArgument as
// CheckEndpoint; otherwise the error of reading a file, with its path.
absl::StatusOr<std::shared_ptr<grpc::Channel>> CreateChannel(const Endpoint& endpoint);

}  // namespace simpler::profiler
