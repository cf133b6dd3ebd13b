#include "analysis/overhead/neighbour_search.h"

#include <vector>

#include "gtest/gtest.h"

namespace simpler::overhead {
namespace {

struct Element {
  uint64_t id;
};

TEST(NeighbourSearchTest, FindsInAnyOrder) {
  const std::vector<Element> sorted = {{2}, {3}, {5}, {uint64_t{1} << 63}};
  NeighbourSearch<Element> search(sorted);
  EXPECT_EQ(search.Find(3), 1u);
  EXPECT_EQ(search.Find(5), 2u);
  EXPECT_EQ(search.Find(uint64_t{1} << 63), 3u);
  EXPECT_EQ(search.Find(2), 0u);
  EXPECT_EQ(search.Find(2), 0u);
  EXPECT_EQ(search.Find(4), std::nullopt);
  EXPECT_EQ(search.Find(UINT64_MAX), std::nullopt);
  EXPECT_EQ(search.Find(3), 1u);
}

TEST(NeighbourSearchTest, EmptyListHoldsNothing) {
  NeighbourSearch<Element> search({});
  EXPECT_EQ(search.Find(0), std::nullopt);
}

}  // namespace
}  // namespace simpler::overhead
