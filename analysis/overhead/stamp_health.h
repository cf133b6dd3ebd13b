#pragma once

#include "analysis/overhead/analyze_overhead.h"
#include "analysis/overhead/overhead_report.h"

namespace simpler::overhead {

// Counts the stamps and edges that contradict causality. O(rows + edges).
StampHealth MeasureHealth(const OverheadInputs& inputs);

}  // namespace simpler::overhead
