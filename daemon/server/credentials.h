#pragma once

#include <grpcpp/security/server_credentials.h>

#include <memory>

#include "absl/status/statusor.h"
#include "daemon/server/config.h"

namespace simpler::daemon {

// Credentials of the TCP endpoint: with TLS files, clients need a certificate of the authority;
// without, there is no protection. Errors name the file that cannot be read.
absl::StatusOr<std::shared_ptr<grpc::ServerCredentials>> CredentialsOf(const TlsFiles& tls);

}  // namespace simpler::daemon
