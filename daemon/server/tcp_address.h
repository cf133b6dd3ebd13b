#pragma once

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"

namespace simpler::daemon {

struct TcpAddress {
  std::string host;  // a number or a name, IPv6 without brackets
  uint16_t port = 0;
  // Only this machine can reach it: 127.0.0.0/8, ::1 or "localhost".
  bool is_loopback = false;
};

// Reads "HOST:PORT" or "[IPv6]:PORT". InvalidArgument says what is wrong.
absl::StatusOr<TcpAddress> ParseTcpAddress(const std::string& text);

}  // namespace simpler::daemon
