// How the text reports write shares, ratios and headings.
#pragma once

#include <optional>
#include <string>

#include "analysis/capture/clock.h"

namespace simpler::report {

inline constexpr size_t kTextWidth = 90;

// "12.3 %"; "-" when absent.
std::string Percent(const std::optional<double>& value, int decimals = 1);
// `part` of `whole` in percent; 0 when `whole` is not positive.
double Share(capture::CycleSpan part, capture::CycleSpan whole);
// 0 when the divisor is not positive.
double Ratio(double dividend, double divisor);

// An empty line, "Part N: title" and a rule.
std::string Heading(int part, const std::string& title);
// The line that stands for a part that the inputs do not support.
std::string Unavailable(const std::string& reason);

}  // namespace simpler::report
