// Counts memory before it is allocated.
#pragma once

#include <cstdint>

#include "absl/status/status.h"
#include "fmt/format.h"

namespace simpler::archive {

class MemoryBudget {
 public:
  explicit MemoryBudget(uint64_t bytes) : total_(bytes), left_(bytes) {}

  // ResourceExhausted, with the budget's size, when less than `bytes` are left.
  absl::Status Take(uint64_t bytes) {
    if (bytes > left_) {
      return absl::ResourceExhaustedError(
          fmt::format("the capture takes more memory than the allowed {} bytes; raise the limit or "
                      "record fewer tasks",
                      total_));
    }
    left_ -= bytes;
    return absl::OkStatus();
  }

 private:
  uint64_t total_;
  uint64_t left_;
};

}  // namespace simpler::archive
