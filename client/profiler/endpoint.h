// Where a daemon listens.
#pragma once

#include <string>

#include "absl/status/status.h"

namespace simpler::profiler {

// A Unix socket, or a TCP address with or without TLS.
struct Endpoint {
  std::string socket;   // path; empty: DefaultSocketPath()
  std::string address;  // "host:port"; when set, the socket does not count

  // PEM files. With a certificate authority the server must prove that it was certified by it; with
  // certificate and key the client proves who it is. TCP only.
  std::string tls_ca;
  std::string tls_cert;
  std::string tls_key;

  bool uses_tls() const { return !tls_ca.empty(); }
};

// As gRPC spells it: "unix:/run/simplerd/simplerd.sock" or "dns:///host:port".
std::string TargetOf(const Endpoint& endpoint);

// For people: "unix:/run/simplerd/simplerd.sock" or "host:port".
std::string DisplayName(const Endpoint& endpoint);

// InvalidArgument: a socket path longer than the system allows, an address without a port, or TLS
// files that are of no use alone or with a socket.
absl::Status CheckEndpoint(const Endpoint& endpoint);

}  // namespace simpler::profiler
