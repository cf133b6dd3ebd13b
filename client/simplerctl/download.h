// Fetches a trace or an archive into a file, across as many invocations as it takes.
#pragma once

#include <string>

#include "absl/status/statusor.h"
#include "client/profiler/profiler_client.h"

namespace simpler::simplerctl {

// Goes on with what an earlier invocation left of `path`; begins anew when the daemon's bytes are
// others by now. A failure keeps what has arrived and says so.
absl::StatusOr<profiler::FetchedTrace> Download(const profiler::v1::FetchTraceRequest& request,
                                                const std::string& path,
                                                profiler::ProfilerClient* client);

}  // namespace simpler::simplerctl
