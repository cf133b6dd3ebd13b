// The options that say which daemon to ask.
#pragma once

#include <memory>
#include <string>

#include "CLI/App.hpp"
#include "absl/status/statusor.h"
#include "client/profiler/profiler_client.h"

namespace simpler::simplerctl {

struct DaemonOptions {
  profiler::Endpoint endpoint;
  double timeout_seconds = 600;
};

// Adds --socket, --address, --tls-ca, --tls-cert, --tls-key and --timeout with their environment
// variables. `options` must outlive the parse.
void AddDaemonOptions(CLI::App* app, DaemonOptions* options);

// As ProfilerClient::Create.
absl::StatusOr<std::unique_ptr<profiler::ProfilerClient>> Connect(const DaemonOptions& options);

}  // namespace simpler::simplerctl
