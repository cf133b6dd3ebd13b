#include "analysis/capture/id_set.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <set>

namespace simpler::capture {
namespace {

using ::testing::ElementsAre;
using ::testing::ElementsAreArray;
using ::testing::IsEmpty;

TEST(IdSet, IsEmptyAtFirst) {
  IdSet set;
  set.Seal();
  EXPECT_EQ(set.size(), 0u);
  EXPECT_THAT(set.Ids(), IsEmpty());
}

TEST(IdSet, RanksTheExtremesOfTheRange) {
  IdSet set;
  for (uint64_t id : {UINT64_MAX, uint64_t{0}, uint64_t{63}, uint64_t{64}, UINT64_MAX}) {
    set.Insert(id);
  }
  set.Seal();
  EXPECT_THAT(set.Ids(), ElementsAre(0, 63, 64, UINT64_MAX));
  EXPECT_EQ(set.Rank(0), 0u);
  EXPECT_EQ(set.Rank(63), 1u);
  EXPECT_EQ(set.Rank(64), 2u);
  EXPECT_EQ(set.Rank(UINT64_MAX), 3u);
}

TEST(IdSet, AgreesWithAnOrderedSetOnDenseAndSparseIds) {
  for (const int range_bits : {8, 16, 40, 64}) {
    std::mt19937_64 random(static_cast<uint64_t>(range_bits));
    IdSet set;
    std::set<uint64_t> expected;
    for (int i = 0; i < 5000; ++i) {
      const uint64_t id = random() >> (64 - range_bits);
      set.Insert(id);
      expected.insert(id);
    }
    set.Seal();
    EXPECT_THAT(set.Ids(), ElementsAreArray(expected)) << range_bits;
    uint32_t rank = 0;
    for (uint64_t id : expected) EXPECT_EQ(set.Rank(id), rank++);
  }
}

}  // namespace
}  // namespace simpler::capture
