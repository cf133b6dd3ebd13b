// What a trace says about itself besides its events.
#pragma once

#include <string>

#include "analysis/timeline/model.h"

namespace simpler::timeline {

// A JSON object for `metadata` of a Chrome trace: how host and device halves are placed and whether
// the host's records are complete, and the capture's runtime. Empty when there is nothing to say.
std::string TraceMetadataJson(const Model& model);

}  // namespace simpler::timeline
