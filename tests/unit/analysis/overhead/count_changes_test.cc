#include "analysis/overhead/count_changes.h"

#include <string>
#include <vector>

#include "fmt/format.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace simpler::overhead {
namespace {

using capture::DeviceCycles;
using ::testing::ElementsAre;

CountChanges ChangesOf(std::initializer_list<std::pair<int64_t, int64_t>> intervals) {
  CountChanges changes;
  for (const auto& [begin, end] : intervals) changes.Add({begin}, {end});
  changes.Sort();
  return changes;
}

TEST(CountChangesTest, PositiveMergesOverlapsAndTouchingIntervals) {
  const CountChanges changes = ChangesOf({{5, 9}, {1, 3}, {2, 4}, {9, 11}, {7, 7}, {12, 13}});
  EXPECT_THAT(changes.Positive().intervals(),
              ElementsAre(Interval{{1}, {4}}, Interval{{5}, {11}}, Interval{{12}, {13}}));
}

TEST(CountChangesTest, PiecesCarryCountsThatHoldThroughout) {
  const CountChanges a = ChangesOf({{0, 4}, {4, 6}, {5, 20}});
  const CountChanges b = ChangesOf({{6, 8}});
  std::vector<std::string> pieces;
  const std::array<CountView, 2> views = {CountView{a.up, a.down}, CountView{b.up, b.down}};
  ForEachPiece(
      views, {{2}, {10}},
      [&](DeviceCycles begin, DeviceCycles end, const std::array<int64_t, 2>& counts) {
        pieces.push_back(fmt::format("{}-{}: {} {}", begin.value, end.value, counts[0], counts[1]));
      });
  EXPECT_THAT(pieces, ElementsAre("2-4: 1 0", "4-5: 1 0", "5-6: 2 0", "6-8: 1 1", "8-10: 1 0"));
}

TEST(CountChangesTest, EmptyWindowHasNoPieces) {
  const CountChanges a = ChangesOf({{0, 4}});
  ForEachPiece(std::array<CountView, 1>{CountView{a.up, a.down}}, {{2}, {2}},
               [](DeviceCycles, DeviceCycles, const auto&) { FAIL(); });
}

}  // namespace
}  // namespace simpler::overhead
