// What a failed call means for the person who made it.
#pragma once

#include <chrono>

#include "absl/status/status.h"
#include "client/profiler/endpoint.h"

namespace grpc {
class Status;
}  // namespace grpc

namespace simpler::profiler {

struct CallSetting {
  Endpoint endpoint;
  std::chrono::milliseconds timeout{0};
};

// The code stays. Messages of the daemon stay as they are; what gRPC says about connections and
// deadlines becomes a sentence that names the endpoint and what to do. `connected`: the daemon was
// reached, so that UNAVAILABLE is its own answer.
absl::Status StatusOf(const grpc::Status& status, const CallSetting& setting, bool connected);

}  // namespace simpler::profiler
