#include "analysis/report/csv_writer.h"

#include <array>
#include <charconv>

namespace simpler::report {
namespace {

void AppendField(const std::string& field, std::string* line) {
  if (field.find_first_of(",\"\r\n") == std::string::npos) {
    *line += field;
    return;
  }
  *line += '"';
  for (const char c : field) {
    if (c == '"') *line += '"';
    *line += c;
  }
  *line += '"';
}

}  // namespace

std::string CsvLine(const std::vector<std::string>& fields) {
  std::string line;
  for (size_t i = 0; i < fields.size(); ++i) {
    if (i > 0) line += ',';
    AppendField(fields[i], &line);
  }
  line += '\n';
  return line;
}

std::string CsvNumber(double value) {
  std::array<char, 32> digits;
  const auto result = std::to_chars(digits.data(), digits.data() + digits.size(), value);
  return {digits.data(), result.ptr};
}

}  // namespace simpler::report
