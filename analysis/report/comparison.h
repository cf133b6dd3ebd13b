// Two runs side by side: what changed between a capture and the one it is held against.
#pragma once

#include <string>

#include "analysis/report/analysis.h"

namespace simpler::report {

// Headline figures and mean execution per function of both runs, and the change from `before` to
// `after`. Figures that neither run supports are left out of the text. The functions are matched by
// id.
std::string ComparisonText(const Analysis& after, const Analysis& before);
// "simpler.comparison/1" (docs/cli.md).
std::string ComparisonJson(const Analysis& after, const Analysis& before);
std::string ComparisonCsv(const Analysis& after, const Analysis& before);

}  // namespace simpler::report
