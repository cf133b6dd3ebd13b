#include "analysis/report/text_table.h"

#include <algorithm>
#include <string_view>

namespace simpler::report {
namespace {

constexpr std::string_view kGap = "  ";

size_t DisplayWidth(std::string_view text) {
  return static_cast<size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

void AppendCell(const std::string& cell, size_t width, TextTable::Align align, std::string* line) {
  const size_t padding = width - DisplayWidth(cell);
  if (align == TextTable::Align::kRight) line->append(padding, ' ');
  *line += cell;
  if (align == TextTable::Align::kLeft) line->append(padding, ' ');
}

void AppendLine(std::string line, std::string* out) {
  line.erase(line.find_last_not_of(' ') + 1);
  *out += line;
  *out += '\n';
}

}  // namespace

std::string TextTable::Render(size_t indent) const {
  if (rows_.empty()) return {};
  std::vector<size_t> widths;
  size_t total = kGap.size() * (columns_.size() - 1);
  for (size_t i = 0; i < columns_.size(); ++i) {
    size_t width = DisplayWidth(columns_[i].title);
    for (const auto& row : rows_) {
      if (!row.empty()) width = std::max(width, DisplayWidth(row[i]));
    }
    widths.push_back(width);
    total += width;
  }

  const std::string margin(indent, ' ');
  const auto line_of = [&](const auto& cell_at) {
    std::string line = margin;
    for (size_t i = 0; i < columns_.size(); ++i) {
      if (i > 0) line += kGap;
      AppendCell(cell_at(i), widths[i], columns_[i].align, &line);
    }
    return line;
  };
  std::string out;
  AppendLine(line_of([&](size_t i) -> const std::string& { return columns_[i].title; }), &out);
  const std::string rule = margin + std::string(total, '-');
  AppendLine(rule, &out);
  for (const auto& row : rows_) {
    AppendLine(row.empty() ? rule : line_of([&](size_t i) -> const std::string& { return row[i]; }),
               &out);
  }
  return out;
}

}  // namespace simpler::report
