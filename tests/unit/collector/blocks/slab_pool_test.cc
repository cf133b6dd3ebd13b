#include "collector/blocks/slab_pool.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <memory>
#include <thread>
#include <vector>

namespace simpler::blocks {
namespace {

constexpr uint64_t kSlab = 2 << 20;

long MinorFaults() {
  rusage usage{};
  getrusage(RUSAGE_THREAD, &usage);
  return usage.ru_minflt;
}

TEST(SlabPoolTest, TheBudgetBoundsWhatExists) {
  SlabPool pool({.budget_bytes = 3 * kSlab + 1, .slab_bytes = kSlab, .ahead = 2});
  EXPECT_EQ(pool.TouchAhead(), 2u);
  EXPECT_EQ(pool.used_bytes(), 2 * kSlab);
  std::vector<std::shared_ptr<Slab>> slabs;
  for (int i = 0; i < 3; ++i) slabs.push_back(pool.Take());
  for (const auto& slab : slabs) ASSERT_NE(slab, nullptr);
  EXPECT_EQ(pool.Take(), nullptr);
  EXPECT_EQ(pool.TouchAhead(), 0u);
  slabs.pop_back();
  EXPECT_EQ(pool.used_bytes(), 2 * kSlab);
  EXPECT_NE(pool.Take(), nullptr);
}

TEST(SlabPoolTest, SlabsAreAlignedForHugePagesAndZero) {
  SlabPool pool({.budget_bytes = 4 * kSlab, .slab_bytes = kSlab});
  pool.TouchAhead();
  const std::shared_ptr<Slab> slab = pool.Take();
  EXPECT_EQ(reinterpret_cast<uintptr_t>(slab->data()) % kSlab, 0u);
  for (uint64_t i = 0; i < kSlab; i += 511) EXPECT_EQ(slab->data()[i], std::byte{0});
}

// The kernel's own count.
TEST(SlabPoolTest, SlabsThatWereTouchedAheadCostNoPageFaults) {
  SlabPool pool({.budget_bytes = 4 * kSlab, .slab_bytes = kSlab, .ahead = 1});
  pool.TouchAhead();
  const std::shared_ptr<Slab> slab = pool.Take();
  const long before = MinorFaults();
  for (uint64_t i = 0; i < kSlab; i += 4096) slab->data()[i] = std::byte{1};
  // A slab that was not touched costs 512, or 1 with a huge page of which no other is in sight. The
  // kernel may take a few pages back.
  EXPECT_LT(MinorFaults() - before, 16);
}

TEST(SlabPoolTest, SlabsOutliveThePool) {
  std::shared_ptr<Slab> slab;
  {
    SlabPool pool({.budget_bytes = kSlab, .slab_bytes = kSlab});
    slab = pool.Take();
  }
  slab->data()[kSlab - 1] = std::byte{1};
}

TEST(SlabPoolTest, TakersAndTheToucherShareOneBudget) {
  SlabPool pool({.budget_bytes = 8 * kSlab, .slab_bytes = kSlab, .ahead = 2});
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i) {
    threads.emplace_back([&pool, i] {
      for (int round = 0; round < 50; ++round) {
        if (i == 0) {
          pool.TouchAhead();
        } else {
          (void)pool.Take();
        }
        EXPECT_LE(pool.used_bytes(), 8 * kSlab);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace simpler::blocks
