// The log's view of one call.
#pragma once

#include <chrono>
#include <string>

#include "absl/status/status.h"

namespace simpler::daemon {

// `text` without line breaks and other control characters, for text that comes from clients.
std::string OnOneLine(std::string text);

class CallLog {
 public:
  // `method` is a literal, `peer` as gRPC names it.
  CallLog(const char* method, std::string peer);

  // Writes one line: a warning when the daemon could not do its part, so that someone should look;
  // information when a limit refused the call; else, how it ended, at debug level.
  void Ended(const absl::Status& status) const;

 private:
  const char* const method_;
  const std::string peer_;
  const std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
};

}  // namespace simpler::daemon
