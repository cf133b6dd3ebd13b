// What is said about a trace that was written.
#pragma once

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "client/simplerctl/exit_code.h"

namespace simpler::simplerctl {

struct TraceAnnouncement {
  std::string destination;  // a path, or "-" for standard output
  uint64_t bytes = 0;
  std::string summary;  // what the trace holds and leaves out, in the form of `json`
  bool json = false;
};

// Prints it to standard output, or to standard error when the trace itself went to the former.
absl::StatusOr<ExitCode> Announce(const TraceAnnouncement& trace);

}  // namespace simpler::simplerctl
