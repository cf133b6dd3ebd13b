// Where results go: standard output or a file that is complete or not there.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "analysis/timeline/byte_sink.h"

namespace simpler::simplerctl {

// What stands for standard output where a file is asked for.
inline constexpr const char* kStandardOutput = "-";

// Opens a file, or standard output for "-".
absl::StatusOr<std::unique_ptr<timeline::ByteSink>> OpenOutput(const std::string& path);

// Writes `text` to the file, or to standard output when `path` is absent or "-".
absl::Status WriteOutput(const std::optional<std::string>& path, const std::string& text);

// Text for people on standard error: hints, what was left out, where a file went. A line end is
// added when there is none.
void Note(std::string text);

}  // namespace simpler::simplerctl
