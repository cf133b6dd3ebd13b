#include "client/profiler/channel.h"

#include <grpcpp/create_channel.h>
#include <grpcpp/security/credentials.h>
#include <grpcpp/support/channel_arguments.h>

#include <cerrno>
#include <fstream>
#include <iterator>
#include <string>

#include "fmt/format.h"

namespace simpler::profiler {
namespace {

// Documents are at most 64 MiB; the rest of a message is small.
constexpr int kMaxReceivedBytes = 65 << 20;

// A daemon that was restarted is found again quickly.
constexpr int kReconnectMillis = 100;
constexpr int kMaxReconnectMillis = 2000;

absl::Status ReadFile(const std::string& path, std::string* text) {
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  text->assign(std::istreambuf_iterator<char>(file), {});
  if (!file.is_open() || file.bad() || text->empty()) {
    return absl::ErrnoToStatus(errno == 0 ? EINVAL : errno,
                               fmt::format("cannot read the TLS file {}", path));
  }
  return absl::OkStatus();
}

absl::StatusOr<std::shared_ptr<grpc::ChannelCredentials>> CredentialsOf(const Endpoint& endpoint) {
  if (!endpoint.uses_tls()) return grpc::InsecureChannelCredentials();
  grpc::SslCredentialsOptions options;
  absl::Status status = ReadFile(endpoint.tls_ca, &options.pem_root_certs);
  if (status.ok() && !endpoint.tls_cert.empty()) {
    status = ReadFile(endpoint.tls_cert, &options.pem_cert_chain);
    if (status.ok()) status = ReadFile(endpoint.tls_key, &options.pem_private_key);
  }
  if (!status.ok()) return status;
  return grpc::SslCredentials(options);
}

grpc::ChannelArguments Arguments() {
  grpc::ChannelArguments arguments;
  arguments.SetMaxReceiveMessageSize(kMaxReceivedBytes);
  arguments.SetInt(GRPC_ARG_INITIAL_RECONNECT_BACKOFF_MS, kReconnectMillis);
  arguments.SetInt(GRPC_ARG_MAX_RECONNECT_BACKOFF_MS, kMaxReconnectMillis);
  // The daemon is on this machine or in this network: a proxy for the web does not know it.
  arguments.SetInt(GRPC_ARG_ENABLE_HTTP_PROXY, 0);
  return arguments;
}

}  // namespace

absl::StatusOr<std::shared_ptr<grpc::Channel>> CreateChannel(const Endpoint& endpoint) {
  if (absl::Status status = CheckEndpoint(endpoint); !status.ok()) return status;
  absl::StatusOr<std::shared_ptr<grpc::ChannelCredentials>> credentials = CredentialsOf(endpoint);
  if (!credentials.ok()) return credentials.status();
  return grpc::CreateCustomChannel(TargetOf(endpoint), *credentials, Arguments());
}

}  // namespace simpler::profiler
