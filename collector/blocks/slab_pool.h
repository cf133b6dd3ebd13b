// Memory for records: large pieces on huge pages, touched before they are needed, within a budget.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>

namespace simpler::blocks {

// One piece, unmapped when its last owner is gone. Zero-filled.
class Slab {
 public:
  ~Slab();
  Slab(const Slab&) = delete;
  Slab& operator=(const Slab&) = delete;

  std::byte* data() const { return data_; }
  uint64_t size() const { return size_; }

 private:
  friend class SlabPool;
  Slab(std::byte* data, uint64_t size) : data_(data), size_(size) {}

  std::byte* const data_;
  const uint64_t size_;
};

// Thread-safe. Slabs may outlive the pool.
class SlabPool {
 public:
  struct Options {
    uint64_t budget_bytes = uint64_t{4} << 30;
    uint64_t slab_bytes = uint64_t{4} << 20;  // a multiple of 2 MiB
    uint32_t ahead = 4;                       // touched slabs to have ready
  };
  explicit SlabPool(const Options& options);

  // A slab that was touched ahead, else a fresh one, whose first use then costs the page faults.
  // Null when the budget is used up or the kernel has no memory: whoever asked goes without.
  std::shared_ptr<Slab> Take();

  // Makes slabs ready, up to Options::ahead of them; how many it made. Takes about a millisecond
  // each. For a thread that nobody waits for.
  uint32_t TouchAhead();

  // Bytes of all slabs that exist, ready ones included.
  uint64_t used_bytes() const;
  uint64_t slab_bytes() const { return options_.slab_bytes; }

 private:
  struct Account;

  std::shared_ptr<Slab> Create();

  const Options options_;
  const std::shared_ptr<Account> account_;  // slabs settle with it when they go
  std::mutex mutex_;
  std::deque<std::shared_ptr<Slab>> ready_;  // guarded by mutex_
};

}  // namespace simpler::blocks
