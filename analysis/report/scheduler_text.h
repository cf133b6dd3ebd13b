#pragma once

#include <string>

#include "analysis/report/analysis.h"

namespace simpler::report {

// Part 5 of the text report: what the scheduler's threads spent their time on.
std::string SchedulerText(const Analysis& analysis);

}  // namespace simpler::report
