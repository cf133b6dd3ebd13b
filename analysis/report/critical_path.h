// The two critical paths of a run as text, JSON and CSV.
#pragma once

#include <cstddef>
#include <string>

#include "absl/status/status.h"
#include "analysis/report/analysis.h"

namespace simpler::report {

struct CriticalPathTextOptions {
  std::string label;         // what the report is about: the capture's folder
  size_t top_families = 25;  // rows of the kernel-family table
};

// FailedPrecondition when the analysis has no critical path, saying why and what to do.
absl::Status CheckHasPath(const Analysis& analysis);

// A Markdown document: both paths, what the observed one waited for, kernel families and every
// task on it. Call these three only after CheckHasPath said OK.
std::string CriticalPathText(const Analysis& analysis, const CriticalPathTextOptions& options);
// "simpler.critical-path/1" (docs/cli.md).
std::string CriticalPathJson(const Analysis& analysis);
// The tasks of the observed path.
std::string CriticalPathCsv(const Analysis& analysis);

// "[label] makespan=…": the result in one line, without a line end.
std::string CriticalPathSummary(const Analysis& analysis, const std::string& label);

}  // namespace simpler::report
