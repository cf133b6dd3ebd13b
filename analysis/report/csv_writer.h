// Comma-separated values as RFC 4180 writes them, with line feeds.
#pragma once

#include <string>
#include <vector>

namespace simpler::report {

// One line. A field with a comma, a quote or a line break is quoted.
std::string CsvLine(const std::vector<std::string>& fields);

// Shortest spelling that reads back as the same double.
std::string CsvNumber(double value);

}  // namespace simpler::report
