#include "daemon/server/credentials.h"

#include <cerrno>
#include <fstream>
#include <iterator>
#include <string>

#include "absl/status/status.h"
#include "fmt/format.h"

namespace simpler::daemon {
namespace {

absl::StatusOr<std::string> ReadPem(const std::string& path) {
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    return absl::ErrnoToStatus(errno, fmt::format("{}: cannot read the TLS file", path));
  }
  std::string text{std::istreambuf_iterator<char>(file), {}};
  if (text.find("-----BEGIN ") == std::string::npos) {
    return absl::InvalidArgumentError(fmt::format("{}: is no PEM file", path));
  }
  return text;
}

}  // namespace

absl::StatusOr<std::shared_ptr<grpc::ServerCredentials>> CredentialsOf(const TlsFiles& tls) {
  if (tls == TlsFiles{}) return grpc::InsecureServerCredentials();
  absl::StatusOr<std::string> certificate = ReadPem(tls.certificate);
  if (!certificate.ok()) return certificate.status();
  absl::StatusOr<std::string> key = ReadPem(tls.key);
  if (!key.ok()) return key.status();
  absl::StatusOr<std::string> client_ca = ReadPem(tls.client_ca);
  if (!client_ca.ok()) return client_ca.status();
  grpc::SslServerCredentialsOptions options(
      GRPC_SSL_REQUEST_AND_REQUIRE_CLIENT_CERTIFICATE_AND_VERIFY);
  options.pem_root_certs = *std::move(client_ca);
  options.pem_key_cert_pairs.push_back({*std::move(key), *std::move(certificate)});
  return grpc::SslServerCredentials(options);
}

}  // namespace simpler::daemon
