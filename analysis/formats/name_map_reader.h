// Reads name_map*.json: human names of kernel functions (docs/side-files.md).
#pragma once

#include <string>

#include "absl/status/statusor.h"
#include "analysis/capture/labels.h"
#include "analysis/formats/json_file.h"

namespace simpler::formats {

// Missing and null members give the defaults of NameMap; unknown members are ignored.
// InvalidArgument, naming file and key, for a member of another type, a function id that is no
// decimal number of 32 bits, and text that is not one JSON object.
absl::StatusOr<capture::NameMap> ParseNameMap(const JsonFile& file);

// As above for a file; additionally the errors of JsonFile::Open.
absl::StatusOr<capture::NameMap> ReadNameMap(const std::string& path);

}  // namespace simpler::formats
