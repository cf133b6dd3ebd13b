// Reads chip_swimlane_records.json, all generations of its layout (docs/records-json.md).
#pragma once

#include <string>

#include "absl/status/statusor.h"
#include "analysis/capture/capture.h"
#include "analysis/formats/json_file.h"

namespace simpler::formats {

// Reads and validates a whole records file. Stamps stay raw device cycles; records keep their file
// order within a run; runs are in ascending run_epoch. What was accepted but limits the answers is
// in Capture::warnings. AICore rows and scheduler rows need not match: JoinedRun::Join counts those
// that do not.
// Errors name the file, the key or row, the reason and a remedy: InvalidArgument for a document
// that is refused, otherwise as JsonFile::Open.
absl::StatusOr<capture::Capture> ReadRecords(const std::string& path);

// The same for a document in memory.
absl::StatusOr<capture::Capture> ParseRecords(const JsonFile& document);

}  // namespace simpler::formats
