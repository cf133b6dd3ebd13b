#include "analysis/report/percent.h"

namespace simpler::report {
namespace {

using capture::CoreType;
using overhead::OverheadFigures;
using overhead::OverheadSweep;

std::optional<double> ShareOfMakespan(const Analysis& analysis, std::optional<double> cycles) {
  if (!cycles || !analysis.overhead.window) return std::nullopt;
  const capture::CycleSpan makespan = analysis.overhead.window->length();
  if (makespan <= 0) return std::nullopt;
  return 100.0 * *cycles / static_cast<double>(makespan);
}

std::optional<double> AsDouble(const std::optional<capture::CycleSpan>& span) {
  return span ? std::optional(static_cast<double>(*span)) : std::nullopt;
}

}  // namespace

OverheadPercent PercentOf(const Analysis& analysis, OverheadFigures OverheadSweep::*figures) {
  if (!analysis.overhead.sweep) return {};
  const OverheadSweep& sweep = *analysis.overhead.sweep;
  const OverheadFigures& chosen = sweep.*figures;
  const auto share = [&](std::optional<double> cycles) {
    return ShareOfMakespan(analysis, cycles);
  };
  return {.aic = share(AsDouble(chosen.engine[CoreType::kAic])),
          .aiv = share(AsDouble(chosen.engine[CoreType::kAiv])),
          .all = share(AsDouble(chosen.all)),
          .has = share(AsDouble(chosen.has)),
          .united = share(AsDouble(chosen.united)),
          .weighted = share(overhead::WeightedOverhead(sweep, chosen))};
}

std::optional<double> HasOverheadPercent(const Analysis& analysis) {
  return PercentOf(analysis, &OverheadSweep::headline).has;
}

std::optional<double> UnsubmittedPercent(const Analysis& analysis) {
  if (!analysis.overhead.sweep) return std::nullopt;
  return ShareOfMakespan(analysis, AsDouble(analysis.overhead.sweep->unsubmitted));
}

}  // namespace simpler::report
