#pragma once

#include <optional>

#include "analysis/report/analysis.h"

namespace simpler::report {

// Shares of the makespan in percent; absent where the figure is, or when the makespan is empty.
struct OverheadPercent {
  std::optional<double> aic, aiv, all, has, united, weighted;
};
OverheadPercent PercentOf(const Analysis& analysis,
                          overhead::OverheadFigures overhead::OverheadSweep::*figures);

// `overhead.has_percent` of the headline figures: what a limit is compared with.
std::optional<double> HasOverheadPercent(const Analysis& analysis);
std::optional<double> UnsubmittedPercent(const Analysis& analysis);

}  // namespace simpler::report
