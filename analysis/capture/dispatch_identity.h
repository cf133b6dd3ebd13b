#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace simpler::capture {

// Which dispatch of a multi-chip run a capture belongs to.
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

}  // namespace simpler::capture
