// Finds the files of a capture.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "analysis/capture/warning.h"

namespace simpler::formats {

// What the user named; everything may be left out.
struct InputRequest {
  // A records file or a directory that holds one. Absent: the newest capture below `outputs`.
  std::optional<std::string> path;
  std::optional<std::string> deps;      // instead of the sibling deps.json
  std::optional<std::string> name_map;  // instead of the sibling name_map*.json
  std::string outputs = "./outputs";
};

struct InputPaths {
  std::string records;
  std::optional<std::string> deps;
  std::optional<std::string> name_map;
  std::optional<std::string> identity;  // sibling dispatch_identity.json
  // Code name_map_ambiguous: several siblings match, none is used.
  std::vector<capture::Warning> warnings;
};

// Decides which files to read; opens none of them. A directory gives its
// chip_swimlane_records.json, else the file of an older name. "Newest" is by modification time,
// ties by the greater path, searched through all directories below `outputs`. NotFound, naming what
// was looked for and where, when there is no records file or a named file does not exist.
absl::StatusOr<InputPaths> DiscoverInputs(const InputRequest& request);

}  // namespace simpler::formats
