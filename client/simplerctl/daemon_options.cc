#include "client/simplerctl/daemon_options.h"

#include <chrono>
#include <cstdlib>
#include <string>

#include "client/profiler/grpc_log.h"
#include "client/profiler/profiler_client.h"

namespace simpler::simplerctl {
namespace {

// A string option with a default from the environment. CLI11's own defaults cannot be told from
// what the command line says, which decides here.
struct EnvironmentOption {
  const char* name;
  const char* variable;
  const char* description;
  std::string profiler::Endpoint::*value;
};
constexpr EnvironmentOption kSocket = {
    "--socket", "SIMPLERCTL_SOCKET", "Unix socket of the daemon (default: where simplerd listens)",
    &profiler::Endpoint::socket};
constexpr EnvironmentOption kAddress = {"--address", "SIMPLERCTL_ADDRESS",
                                        "HOST:PORT of the daemon, instead of a socket",
                                        &profiler::Endpoint::address};
constexpr EnvironmentOption kTls[] = {
    {"--tls-ca", "SIMPLERCTL_TLS_CA",
     "Authority that certified the daemon, as PEM file; turns TLS on", &profiler::Endpoint::tls_ca},
    {"--tls-cert", "SIMPLERCTL_TLS_CERT", "Certificate of this client, as PEM file",
     &profiler::Endpoint::tls_cert},
    {"--tls-key", "SIMPLERCTL_TLS_KEY", "Key of this client, as PEM file",
     &profiler::Endpoint::tls_key}};

CLI::Option* Add(const EnvironmentOption& option, CLI::App* app, DaemonOptions* options) {
  return app
      ->add_option(option.name, options->endpoint.*option.value,
                   std::string(option.description) + " (environment: " + option.variable + ")")
      ->group(kDaemonGroup);
}

void ReadEnvironment(const EnvironmentOption& option, profiler::Endpoint* endpoint) {
  std::string& value = endpoint->*option.value;
  const char* variable = std::getenv(option.variable);
  if (value.empty() && variable != nullptr) value = variable;
}

// The environment names a daemon only when the command line names none, and TLS files only for a
// daemon that can use them.
profiler::Endpoint WithEnvironment(profiler::Endpoint endpoint) {
  if (endpoint.socket.empty()) ReadEnvironment(kAddress, &endpoint);
  if (endpoint.address.empty()) {
    ReadEnvironment(kSocket, &endpoint);
    return endpoint;
  }
  for (const EnvironmentOption& option : kTls) ReadEnvironment(option, &endpoint);
  return endpoint;
}

}  // namespace

void AddDaemonOptions(CLI::App* app, DaemonOptions* options) {
  CLI::Option* socket = Add(kSocket, app, options);
  Add(kAddress, app, options)->excludes(socket);
  for (const EnvironmentOption& option : kTls) Add(option, app, options);
  app->add_option("--timeout", options->timeout_seconds,
                  "Seconds after which a question is given up, 0: never")
      ->envname("SIMPLERCTL_TIMEOUT")
      ->check(CLI::Range(0.0, 1e6))
      ->capture_default_str()
      ->group(kDaemonGroup);
}

std::chrono::milliseconds MillisOf(double seconds) {
  return std::chrono::ceil<std::chrono::milliseconds>(std::chrono::duration<double>(seconds));
}

absl::StatusOr<std::unique_ptr<profiler::ProfilerClient>> Connect(const DaemonOptions& options) {
  profiler::DropGrpcLog();
  profiler::ClientOptions client;
  client.endpoint = WithEnvironment(options.endpoint);
  client.timeout = MillisOf(options.timeout_seconds);
  return profiler::ProfilerClient::Create(client);
}

}  // namespace simpler::simplerctl
