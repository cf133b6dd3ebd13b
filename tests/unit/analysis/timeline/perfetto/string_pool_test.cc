#include "analysis/timeline/perfetto/string_pool.h"

#include <gtest/gtest.h>

namespace simpler::timeline {
namespace {

TEST(StringPoolTest, NumbersStringsFromOneInOrderOfAppearance) {
  StringPool pool;
  EXPECT_EQ(pool.Intern("matmul"), 1u);
  EXPECT_EQ(pool.Intern(""), 2u);
  EXPECT_EQ(pool.Intern("matmul"), 1u);
  EXPECT_EQ(pool.Intern("softmax"), 3u);
}

TEST(StringPoolTest, TextsStayValidWhileThePoolGrows) {
  StringPool pool;
  const std::string_view first = pool.text(pool.Intern("first"));
  for (int i = 0; i < 1000; ++i) pool.Intern(std::to_string(i));
  EXPECT_EQ(first, "first");
  EXPECT_EQ(pool.text(1001), "999");
}

TEST(StringPoolTest, ContainsOnlyNumbersGivenOut) {
  StringPool pool;
  EXPECT_FALSE(pool.Contains(1));
  pool.Intern("x");
  EXPECT_FALSE(pool.Contains(0));
  EXPECT_TRUE(pool.Contains(1));
  EXPECT_FALSE(pool.Contains(2));
}

TEST(IdSetTest, HoldsExactlyWhatWasInserted) {
  IdSet set;
  for (uint32_t id : {1u, 63u, 64u, 1000u}) set.Insert(id);
  for (uint32_t id = 0; id < 2000; ++id) {
    EXPECT_EQ(set.Contains(id), id == 1 || id == 63 || id == 64 || id == 1000) << id;
  }
}

}  // namespace
}  // namespace simpler::timeline
