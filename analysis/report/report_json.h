#pragma once

#include <string>

#include "analysis/report/analysis.h"

namespace simpler::report {

// The whole analysis as "simpler.report/1" (docs/cli.md). Every key is always there; what the
// inputs do not support is null and has an entry in "warnings".
std::string ReportJson(const Analysis& analysis);

}  // namespace simpler::report
