#include "analysis/report/text_format.h"

#include "fmt/format.h"

namespace simpler::report {

std::string Percent(const std::optional<double>& value, int decimals) {
  return value ? fmt::format("{:.{}f} %", *value, decimals) : "-";
}

double Share(capture::CycleSpan part, capture::CycleSpan whole) {
  return whole > 0 ? 100.0 * static_cast<double>(part) / static_cast<double>(whole) : 0.0;
}

double Ratio(double dividend, double divisor) { return divisor > 0 ? dividend / divisor : 0.0; }

std::string Heading(int part, const std::string& title) {
  return fmt::format("\nPart {}: {}\n{:-<{}}\n", part, title, "", kTextWidth);
}

std::string Unavailable(const std::string& reason) { return fmt::format("  ({})\n", reason); }

}  // namespace simpler::report
