#pragma once

#include <string>
#include <vector>

#include "analysis/overhead/verdict.h"

namespace simpler::overhead {

// Share of tasks that must be in the dependency graph for a verdict, in percent.
inline constexpr double kMinKnownTasksPercent = 50.0;
double KnownTasksPercent(const OverheadInputs& inputs);

// The three sentences for a verdict whose class and blame are set: who holds the makespan back,
// how much of it, where to look. Every number is one of the report's.
std::vector<std::string> WriteSentences(const VerdictInputs& inputs, const Verdict& verdict);

}  // namespace simpler::overhead
