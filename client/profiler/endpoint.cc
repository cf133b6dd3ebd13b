#include "client/profiler/endpoint.h"

#include <sys/un.h>

#include "fmt/format.h"
#include "proto/simpler/profiler/v1/default_endpoint.h"

namespace simpler::profiler {
namespace {

constexpr size_t kMaxSocketPath = sizeof(sockaddr_un{}.sun_path) - 1;

std::string SocketOf(const Endpoint& endpoint) {
  return endpoint.socket.empty() ? DefaultSocketPath() : endpoint.socket;
}

absl::Status CheckSocket(const Endpoint& endpoint) {
  const std::string socket = SocketOf(endpoint);
  if (socket.size() > kMaxSocketPath) {
    return absl::InvalidArgumentError(fmt::format(
        "{}: a socket's path has at most {} bytes; choose a shorter one", socket, kMaxSocketPath));
  }
  if (endpoint.tls_ca.empty() && endpoint.tls_cert.empty() && endpoint.tls_key.empty()) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(
      "TLS files are of no use with a Unix socket; name the daemon's address, or leave them out");
}

}  // namespace

std::string TargetOf(const Endpoint& endpoint) {
  return endpoint.address.empty() ? "unix:" + SocketOf(endpoint) : "dns:///" + endpoint.address;
}

std::string DisplayName(const Endpoint& endpoint) {
  return endpoint.address.empty() ? "unix:" + SocketOf(endpoint) : endpoint.address;
}

absl::Status CheckEndpoint(const Endpoint& endpoint) {
  if (endpoint.address.empty()) return CheckSocket(endpoint);
  const size_t colon = endpoint.address.rfind(':');
  if (colon == 0 || colon == std::string::npos || colon + 1 == endpoint.address.size()) {
    return absl::InvalidArgumentError(fmt::format("{}: an address is HOST:PORT", endpoint.address));
  }
  if (endpoint.tls_cert.empty() != endpoint.tls_key.empty()) {
    return absl::InvalidArgumentError("a TLS certificate and its key come together; name both");
  }
  if (!endpoint.tls_cert.empty() && endpoint.tls_ca.empty()) {
    return absl::InvalidArgumentError(
        "a TLS certificate also needs the authority that certified the server; name its file");
  }
  return absl::OkStatus();
}

}  // namespace simpler::profiler
