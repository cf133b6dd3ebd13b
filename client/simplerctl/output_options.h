// The options that choose form and destination of a command's result.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "CLI/App.hpp"

namespace simpler::simplerctl {

enum class OutputForm : uint8_t { kText, kJson, kCsv };

struct OutputOptions {
  bool json = false;
  bool csv = false;
  std::optional<std::string> path;  // absent: standard output

  OutputForm form() const {
    return json ? OutputForm::kJson : csv ? OutputForm::kCsv : OutputForm::kText;
  }
};

// Adds --json, --csv when the command has a table, and -o. `options` must outlive the parse.
void AddOutputOptions(CLI::App* command, bool has_table, OutputOptions* options);

}  // namespace simpler::simplerctl
