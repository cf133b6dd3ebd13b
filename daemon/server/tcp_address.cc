#include "daemon/server/tcp_address.h"

#include <charconv>
#include <optional>

#include "absl/status/status.h"
#include "boost/asio/ip/address.hpp"
#include "fmt/format.h"

namespace simpler::daemon {
namespace {

std::optional<uint16_t> ParsePort(const std::string& text) {
  uint16_t port = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, port);
  if (error != std::errc() || stop != end || text.empty()) return std::nullopt;
  return port;
}

bool IsLoopback(const std::string& host) {
  if (host == "localhost") return true;
  boost::system::error_code error;
  const auto address = boost::asio::ip::make_address(host, error);
  return !error && address.is_loopback();
}

}  // namespace

absl::StatusOr<TcpAddress> ParseTcpAddress(const std::string& text) {
  const size_t colon = text.rfind(':');
  const std::optional<uint16_t> port =
      colon == std::string::npos ? std::nullopt : ParsePort(text.substr(colon + 1));
  std::string host = text.substr(0, colon);
  const bool bracketed = host.size() > 2 && host.front() == '[' && host.back() == ']';
  if (bracketed) host = host.substr(1, host.size() - 2);
  if (!port || host.empty() || (!bracketed && host.find(':') != std::string::npos)) {
    return absl::InvalidArgumentError(fmt::format(
        "--listen {}: expected HOST:PORT with a port up to 65535, such as 127.0.0.1:7070 or "
        "[::1]:7070",
        text));
  }
  const bool is_loopback = IsLoopback(host);
  return TcpAddress{.host = std::move(host), .port = *port, .is_loopback = is_loopback};
}

}  // namespace simpler::daemon
