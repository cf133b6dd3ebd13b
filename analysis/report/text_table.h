// A table of aligned columns for terminals and files.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace simpler::report {

// Columns are as wide as their widest cell, counted in code points. Without rows there is no
// output.
class TextTable {
 public:
  enum class Align : uint8_t { kLeft, kRight };
  struct Column {
    std::string title;
    Align align = Align::kRight;
  };

  explicit TextTable(std::vector<Column> columns) : columns_(std::move(columns)) {}

  // One cell per column.
  void AddRow(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }
  // A rule between the rows before and after.
  void AddRule() { rows_.emplace_back(); }

  // Title line, rule and rows, every line indented by `indent` spaces, without trailing blanks.
  std::string Render(size_t indent) const;

 private:
  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;  // an empty row is a rule
};

}  // namespace simpler::report
