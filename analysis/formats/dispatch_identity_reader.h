// Reads dispatch_identity.json: which dispatch of a multi-chip run a capture belongs to
// (docs/side-files.md).
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "analysis/formats/json_file.h"

namespace simpler::formats {

struct DispatchIdentity {
  int64_t run_id = 0;                // > 0; with task_slot the same for all members of one group
  int64_t task_slot = 0;             // >= 0
  int64_t group_index = 0;           // in [0, group_size)
  int64_t group_size = 1;            // > 0
  int64_t chip_rank = 0;             // N of the directory rankN
  int64_t local_capture_index = 0;   // N of the directory dN
  int64_t endpoint_dispatch_id = 0;  // > 0
  int64_t pipeline_slot = 0;         // >= 0
  int64_t pipeline_generation = 0;   // > 0
  std::optional<int64_t> host_pid;   // > 0
  std::string callable_digest;       // 64 lower-case hexadecimal digits
};

// `file.name()` is taken as the path and must end in rankN/dN/<file>, N being the rank and the
// capture index that the document states. InvalidArgument, naming file and key, for any violated
// rule.
absl::StatusOr<DispatchIdentity> ParseDispatchIdentity(const JsonFile& file);

// As above for a file, whose path is made absolute first; additionally the errors of
// JsonFile::Open.
absl::StatusOr<DispatchIdentity> ReadDispatchIdentity(const std::string& path);

}  // namespace simpler::formats
