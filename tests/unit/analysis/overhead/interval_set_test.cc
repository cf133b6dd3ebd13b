#include "analysis/overhead/interval_set.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace simpler::overhead {
namespace {

using capture::DeviceCycles;
using ::testing::ElementsAre;

IntervalSet SetOf(std::initializer_list<std::pair<int64_t, int64_t>> intervals) {
  IntervalSet set;
  for (const auto& [begin, end] : intervals) set.Append({begin}, {end});
  return set;
}

Interval I(int64_t begin, int64_t end) { return {{begin}, {end}}; }

TEST(IntervalSetTest, AppendMergesWhatTouchesAndDropsWhatIsEmpty) {
  const IntervalSet set = SetOf({{1, 3}, {3, 5}, {6, 6}, {8, 9}});
  EXPECT_THAT(set.intervals(), ElementsAre(I(1, 5), I(8, 9)));
  EXPECT_EQ(set.total(), 5);
}

TEST(IntervalSetTest, IntervalsAreHalfOpen) {
  const IntervalSet set = SetOf({{1, 3}, {5, 6}});
  EXPECT_FALSE(set.Contains({0}));
  EXPECT_TRUE(set.Contains({1}));
  EXPECT_TRUE(set.Contains({2}));
  EXPECT_FALSE(set.Contains({3}));
  EXPECT_TRUE(set.Contains({5}));
  EXPECT_FALSE(set.Contains({6}));
}

TEST(IntervalSetTest, MeasureEqualsCountingInstants) {
  const IntervalSet set = SetOf({{2, 5}, {7, 8}, {10, 14}});
  for (int64_t from = 0; from < 16; ++from) {
    for (int64_t to = 0; to < 16; ++to) {
      int64_t expected = 0;
      for (int64_t at = from; at < to; ++at) expected += set.Contains({at});
      EXPECT_EQ(set.Measure({from}, {to}), expected) << from << ".." << to;
    }
  }
}

TEST(IntervalSetTest, EmptySetMeasuresNothing) {
  EXPECT_EQ(IntervalSet().Measure({0}, {100}), 0);
  EXPECT_FALSE(IntervalSet().Contains({0}));
}

TEST(IntervalSetTest, UnionCoversBoth) {
  const IntervalSet a = SetOf({{1, 4}, {10, 12}, {20, 21}});
  const IntervalSet b = SetOf({{2, 6}, {6, 7}, {11, 15}, {21, 22}});
  EXPECT_THAT(IntervalSet::Union(a, b).intervals(), ElementsAre(I(1, 7), I(10, 15), I(20, 22)));
  EXPECT_THAT(IntervalSet::Union(b, a).intervals(), ElementsAre(I(1, 7), I(10, 15), I(20, 22)));
  EXPECT_EQ(IntervalSet::Union(IntervalSet(), IntervalSet()).total(), 0);
}

}  // namespace
}  // namespace simpler::overhead
