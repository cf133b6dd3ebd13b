// Counts memory before it is allocated.
#pragma once

#include <cstdint>

namespace simpler::archive {

class MemoryBudget {
 public:
  explicit MemoryBudget(uint64_t bytes) : total_(bytes) {}

  // Counts `bytes` in any case; false: with them, more is taken than there is.
  bool Take(uint64_t bytes) {
    taken_ += bytes;
    return !exceeded();
  }

  bool exceeded() const { return taken_ > total_; }
  uint64_t taken() const { return taken_; }
  uint64_t total() const { return total_; }

 private:
  uint64_t total_;
  uint64_t taken_ = 0;
};

}  // namespace simpler::archive
