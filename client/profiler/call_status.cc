#include "client/profiler/call_status.h"

#include <grpcpp/support/status.h>

#include <string>

#include "fmt/chrono.h"
#include "fmt/format.h"

namespace simpler::profiler {
namespace {

// gRPC 1.51: "failed to connect to all addresses; last error: UNKNOWN: <address>: <reason>".
std::string ConnectReason(const std::string& message, const std::string& name) {
  for (const std::string& marker :
       {"last error: UNKNOWN: " + name + ": ", std::string("last error: UNKNOWN: "),
        std::string("last error: ")}) {
    const size_t at = message.find(marker);
    if (at != std::string::npos) return message.substr(at + marker.size());
  }
  return message;
}

std::string NoDaemon(const std::string& message, const Endpoint& endpoint) {
  const std::string name = DisplayName(endpoint);
  return fmt::format("no daemon answers at {} ({}): start simplerd, or name its {}", name,
                     ConnectReason(message, name),
                     endpoint.address.empty() ? "socket with --socket" : "address with --address");
}

std::string MessageOf(const grpc::Status& status, const CallSetting& setting, bool connected) {
  const std::string& message = status.error_message();
  switch (status.error_code()) {
    case grpc::StatusCode::UNAVAILABLE:
      if (!connected) return NoDaemon(message, setting.endpoint);
      return fmt::format("the daemon at {} is not available: {}", DisplayName(setting.endpoint),
                         message);
    case grpc::StatusCode::DEADLINE_EXCEEDED:
      return fmt::format("the daemon at {} did not finish within {}; raise --timeout",
                         DisplayName(setting.endpoint), setting.timeout);
    default:
      if (!message.empty()) return message;
      return fmt::format("the daemon at {} answers code {} without a reason",
                         DisplayName(setting.endpoint), static_cast<int>(status.error_code()));
  }
}

}  // namespace

absl::Status StatusOf(const grpc::Status& status, const CallSetting& setting, bool connected) {
  if (status.ok()) return absl::OkStatus();
  return {static_cast<absl::StatusCode>(status.error_code()),
          MessageOf(status, setting, connected)};
}

}  // namespace simpler::profiler
