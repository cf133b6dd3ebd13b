// What a trace holds and leaves out, for people and for programs.
#pragma once

#include <string>

#include "analysis/report/analysis.h"
#include "analysis/timeline/trace.h"

namespace simpler::report {

// What the trace writers need of an analysis, which must outlive the result.
timeline::TimelineInputs TimelineInputsOf(const Analysis& analysis);

// `destination` is where the trace went.
std::string TraceSummaryText(const timeline::TraceSummary& summary, const std::string& destination);
// "simpler.trace-summary/1" (docs/cli.md).
std::string TraceSummaryJson(const timeline::TraceSummary& summary);

}  // namespace simpler::report
