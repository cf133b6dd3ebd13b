// The daemon as a process.
#pragma once

#include "daemon/server/config.h"

namespace simpler::daemon {

// Serves until SIGTERM or SIGINT arrives, then drains; a second signal ends the process at once.
ExitCode Run(const Config& config);

}  // namespace simpler::daemon
