// The options that say which daemon to ask.
#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "CLI/App.hpp"
#include "absl/status/statusor.h"
#include "client/profiler/endpoint.h"

namespace simpler::profiler {
class ProfilerClient;
}  // namespace simpler::profiler

namespace simpler::simplerctl {

struct DaemonOptions {
  profiler::Endpoint endpoint;
  double timeout_seconds = 600;
};

// The help group of these options.
inline constexpr const char* kDaemonGroup = "Daemon";

// Adds --socket, --address, --tls-ca, --tls-cert, --tls-key and --timeout with their environment
// variables. `options` must outlive the parse.
void AddDaemonOptions(CLI::App* app, DaemonOptions* options);

// Rounded up, so that only 0 is 0.
std::chrono::milliseconds MillisOf(double seconds);

// As ProfilerClient::Create. Callers include client/profiler/profiler_client.h.
absl::StatusOr<std::unique_ptr<profiler::ProfilerClient>> Connect(const DaemonOptions& options);

}  // namespace simpler::simplerctl
