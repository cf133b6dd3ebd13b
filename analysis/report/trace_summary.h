// What a trace holds and leaves out, for people and for programs.
#pragma once

#include <cstdint>
#include <string>

#include "analysis/report/analysis.h"
#include "analysis/timeline/trace.h"

namespace simpler::report {

// What the trace writers need of an analysis, which must outlive the result.
timeline::TimelineInputs TimelineInputsOf(const Analysis& analysis);

// "Trace written to run.pftrace (1.2 MB)" with a line end.
std::string TraceDestinationText(const std::string& destination, uint64_t bytes);
// What the trace holds and leaves out, in indented lines.
std::string TraceSummaryText(const timeline::TraceSummary& summary);
// "simpler.trace-summary/1" (docs/cli.md).
std::string TraceSummaryJson(const timeline::TraceSummary& summary);

}  // namespace simpler::report
