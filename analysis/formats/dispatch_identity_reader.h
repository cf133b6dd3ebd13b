// Reads dispatch_identity.json: which dispatch of a multi-chip run a capture belongs to
// (docs/side-files.md).
#pragma once

#include <string>

#include "absl/status/statusor.h"
#include "analysis/capture/dispatch_identity.h"
#include "analysis/formats/json_file.h"

namespace simpler::formats {

using capture::DispatchIdentity;

// `file.name()` is taken as the path and must end in rankN/dN/<file>, N being the rank and the
// capture index that the document states. InvalidArgument, naming file and key, for any violated
// rule.
absl::StatusOr<DispatchIdentity> ParseDispatchIdentity(const JsonFile& file);

// As above for a file, whose path is made absolute first; additionally the errors of
// JsonFile::Open.
absl::StatusOr<DispatchIdentity> ReadDispatchIdentity(const std::string& path);

}  // namespace simpler::formats
