#pragma once

#include <cstdint>

#include "analysis/report/analysis.h"

namespace simpler::daemon {

// Memory that the analysis takes beyond the capture it borrows, in bytes; what grows with the run
// is counted exactly.
uint64_t MemoryBytes(const report::Analysis& analysis);

}  // namespace simpler::daemon
