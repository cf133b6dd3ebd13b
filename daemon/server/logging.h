#pragma once

#include <string>

#include "absl/status/status.h"

namespace simpler::daemon {

// Sends the log of the process, and what gRPC has to say, to the file or, when it is empty, to
// standard error. `level` is one of debug, info, warn, error. PermissionDenied: the file cannot be
// opened.
absl::Status StartLogging(const std::string& level, const std::string& file);

}  // namespace simpler::daemon
