// The per-function table: how long kernels run and what surrounds them.
#pragma once

#include <string>

#include "analysis/report/analysis.h"

namespace simpler::report {

// All three show the same table, functions by ascending id; the JSON is "simpler.stats/1"
// (docs/cli.md). Means are in µs over rows; what no row recorded is null, "-" or an empty field.
std::string StatsText(const Analysis& analysis);
std::string StatsJson(const Analysis& analysis);
std::string StatsCsv(const Analysis& analysis);

}  // namespace simpler::report
