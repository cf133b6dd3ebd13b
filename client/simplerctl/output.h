// Where results go: standard output or a file that is complete or not there.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "analysis/timeline/byte_sink.h"
#include "client/simplerctl/exit_code.h"

namespace simpler::simplerctl {

// What stands for standard output where a file is asked for.
inline constexpr const char* kStandardOutput = "-";

// Opens a file, or standard output for "-".
absl::StatusOr<std::unique_ptr<timeline::ByteSink>> OpenOutput(const std::string& path);

// Writes `text` to the file, or to standard output when `path` is absent or "-".
absl::Status WriteOutput(const std::optional<std::string>& path, const std::string& text);

// The same for an answer, or its failure.
absl::StatusOr<ExitCode> WriteAnswer(const std::optional<std::string>& path,
                                     const absl::StatusOr<std::string>& document);

// Text for people on standard error: hints, what was left out, where a file went. A line end is
// added when there is none.
void Note(std::string text);

// Where an archive went.
void NoteArchive(const std::string& path, uint64_t bytes);

}  // namespace simpler::simplerctl
