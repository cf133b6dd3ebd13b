#include "collector/blocks/slab_pool.h"

#include <sys/mman.h>

#include <atomic>
#include <utility>

namespace simpler::blocks {
namespace {

constexpr uint64_t kHugePage = uint64_t{2} << 20;

// `bytes` bytes that start at a huge page's border, so that huge pages can be used at all.
std::byte* MapAligned(uint64_t bytes) {
  void* const mapped =
      mmap(nullptr, bytes + kHugePage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapped == MAP_FAILED) return nullptr;
  auto* const begin = static_cast<std::byte*>(mapped);
  const uint64_t before = (kHugePage - reinterpret_cast<uintptr_t>(begin) % kHugePage) % kHugePage;
  if (before > 0) munmap(begin, before);
  munmap(begin + before + bytes, kHugePage - before);
  // Small pages do as well, only slower.
  madvise(begin + before, bytes, MADV_HUGEPAGE);
  return begin + before;
}

void Touch(const Slab& slab) {
  // One write per small page: whether pages are huge is up to the kernel.
  constexpr uint64_t kSmallPage = 4096;
  for (uint64_t at = 0; at < slab.size(); at += kSmallPage) {
    *const_cast<volatile std::byte*>(slab.data() + at) = std::byte{0};
  }
}

}  // namespace

struct SlabPool::Account {
  explicit Account(uint64_t budget_bytes) : budget(budget_bytes) {}

  const uint64_t budget;
  std::atomic<uint64_t> used = 0;

  // All or nothing.
  bool Reserve(uint64_t bytes) {
    uint64_t before = used.load(std::memory_order_relaxed);
    do {
      if (bytes > budget - before) return false;
    } while (!used.compare_exchange_weak(before, before + bytes, std::memory_order_relaxed));
    return true;
  }
  void Release(uint64_t bytes) { used.fetch_sub(bytes, std::memory_order_relaxed); }
};

Slab::~Slab() { munmap(data_, size_); }

SlabPool::SlabPool(const Options& options)
    : options_(options), account_(std::make_shared<Account>(options.budget_bytes)) {}

std::shared_ptr<Slab> SlabPool::Create() {
  const uint64_t bytes = options_.slab_bytes;
  if (!account_->Reserve(bytes)) return nullptr;
  std::byte* const data = MapAligned(bytes);
  if (data == nullptr) {
    account_->Release(bytes);
    return nullptr;
  }
  return {new Slab(data, bytes), [account = account_, bytes](Slab* slab) {
            delete slab;
            account->Release(bytes);
          }};
}

std::shared_ptr<Slab> SlabPool::Take() {
  {
    const std::lock_guard lock(mutex_);
    if (!ready_.empty()) {
      std::shared_ptr<Slab> slab = std::move(ready_.front());
      ready_.pop_front();
      return slab;
    }
  }
  return Create();
}

uint32_t SlabPool::TouchAhead() {
  uint32_t made = 0;
  for (;;) {
    {
      const std::lock_guard lock(mutex_);
      if (ready_.size() >= options_.ahead) return made;
    }
    std::shared_ptr<Slab> slab = Create();
    if (slab == nullptr) return made;
    Touch(*slab);
    ++made;
    const std::lock_guard lock(mutex_);
    ready_.push_back(std::move(slab));
  }
}

uint64_t SlabPool::used_bytes() const { return account_->used.load(std::memory_order_relaxed); }

}  // namespace simpler::blocks
