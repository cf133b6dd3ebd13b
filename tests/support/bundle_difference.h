// Exact comparison of captures with everything that belongs to them.
#pragma once

#include <string>

#include "analysis/capture/bundle.h"

namespace simpler::support {

// Where the first difference is, e.g. "runs[0].aicore_tasks row 7: start"; empty when the bundles
// are equal. Every column, flag and text counts, also values whose presence bit is not set. Streams
// are compared row by row: how they are cut into blocks does not count.
std::string FirstDifference(const capture::CaptureBundle& a, const capture::CaptureBundle& b);

}  // namespace simpler::support
