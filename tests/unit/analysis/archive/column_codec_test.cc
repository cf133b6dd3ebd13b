#include "analysis/archive/column_codec.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

#include "analysis/archive/format.h"
#include "analysis/capture/blocks.h"

namespace simpler::archive {
namespace {

using ::testing::HasSubstr;

template <typename T>
v1::Column Encoded(const std::vector<T>& values) {
  v1::Column column;
  column.set_count(99);  // leftovers of earlier use must not show
  column.set_values("leftover");
  EncodeColumn(values, &column);
  return column;
}

template <typename T>
std::vector<T> Decoded(const v1::Column& column) {
  std::vector<T> values{T{}, T{}, T{}};
  const absl::Status status = DecodeColumn(column, "x", values);
  EXPECT_TRUE(status.ok()) << status;
  return values;
}

template <typename T>
std::string Refusal(const v1::Column& column) {
  std::vector<T> values;
  const absl::Status status = DecodeColumn(column, "x", values);
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  return std::string(status.message());
}

template <typename T>
class ColumnOfType : public ::testing::Test {};
using Integers = ::testing::Types<uint8_t, uint16_t, uint32_t, uint64_t, int16_t, int32_t, int64_t>;
TYPED_TEST_SUITE(ColumnOfType, Integers);

TYPED_TEST(ColumnOfType, ReturnsExtremesExactly) {
  using Limits = std::numeric_limits<TypeParam>;
  const std::vector<std::vector<TypeParam>> lists = {
      {},
      {0},
      {Limits::max()},
      {Limits::min()},
      {Limits::min(), Limits::max()},
      {Limits::max(), Limits::min(), Limits::max(), 0, 1},
      std::vector<TypeParam>(5000, Limits::max())};
  for (const auto& list : lists) EXPECT_EQ(Decoded<TypeParam>(Encoded(list)), list);
}

TYPED_TEST(ColumnOfType, ReturnsRampsLongerThanOnePieceOfTheLoops) {
  std::vector<TypeParam> up, down;
  for (int i = 0; i < 5000; ++i) {
    up.push_back(static_cast<TypeParam>(i));
    down.push_back(static_cast<TypeParam>(-3 * i));
  }
  EXPECT_EQ(Decoded<TypeParam>(Encoded(up)), up);
  EXPECT_EQ(Decoded<TypeParam>(Encoded(down)), down);
}

TEST(ColumnCodecTest, StoresEqualValuesWithoutBytes) {
  const v1::Column column = Encoded<int64_t>({-7, -7, -7});
  EXPECT_EQ(column.count(), 3u);
  EXPECT_EQ(column.width(), 0u);
  EXPECT_EQ(column.values(), "");
  EXPECT_EQ(static_cast<int64_t>(column.base()), -7);
}

TEST(ColumnCodecTest, StoresOffsetsFromTheSmallestValue) {
  const v1::Column column = Encoded<uint32_t>({1000, 1255, 1001});
  EXPECT_EQ(column.encoding(), v1::Column::ENCODING_OFFSET);
  EXPECT_EQ(column.width(), 1u);
  EXPECT_EQ(column.base(), 1000u);
  EXPECT_EQ(column.values(), std::string("\x00\xFF\x01", 3));
}

TEST(ColumnCodecTest, StoresDifferencesWhereTheyAreNarrower) {
  const v1::Column column = Encoded<uint64_t>({1000, 1100, 1200, 1190});
  EXPECT_EQ(column.encoding(), v1::Column::ENCODING_OFFSET);
  const v1::Column far = Encoded<uint64_t>({1000, 1100, 1200, 1300, 1290});
  EXPECT_EQ(far.encoding(), v1::Column::ENCODING_DELTA);
  EXPECT_EQ(far.base(), 1000u);
  EXPECT_EQ(far.values(), std::string("\x00\xC8\xC8\xC8\x13", 5));
}

TEST(ColumnCodecTest, PicksEveryWidth) {
  EXPECT_EQ(Encoded<uint64_t>({0, 0xFF}).width(), 1u);
  EXPECT_EQ(Encoded<uint64_t>({0, 0x100}).width(), 2u);
  EXPECT_EQ(Encoded<uint64_t>({0, 0x10000}).width(), 4u);
  EXPECT_EQ(Encoded<uint64_t>({0, uint64_t{1} << 32}).width(), 8u);
}

TEST(ColumnCodecTest, HandlesStampsAndEnumerations) {
  const std::vector<capture::DeviceCycles> stamps{{5}, {INT64_MAX}, {0}};
  EXPECT_EQ(Decoded<capture::DeviceCycles>(Encoded(stamps)), stamps);
  const std::vector<capture::PhaseKind> kinds{capture::PhaseKind::kUnknown,
                                              capture::PhaseKind::kComplete};
  EXPECT_EQ(Decoded<capture::PhaseKind>(Encoded(kinds)), kinds);
}

TEST(ColumnCodecTest, RefusesColumnsThatContradictThemselves) {
  v1::Column column = Encoded<uint32_t>({1, 2, 3});
  column.set_count(4);
  EXPECT_THAT(Refusal<uint32_t>(column), HasSubstr("x: 4 values of 1 bytes"));
  column = Encoded<uint32_t>({1, 2, 3});
  column.set_width(3);
  EXPECT_THAT(Refusal<uint32_t>(column), HasSubstr("width 3"));
  column = Encoded<uint32_t>({1, 2, 3});
  column.set_encoding(static_cast<v1::Column::Encoding>(2));
  EXPECT_THAT(Refusal<uint32_t>(column), HasSubstr("unknown encoding 2"));
  column = Encoded<uint64_t>({1, UINT64_MAX / 3, 3});
  EXPECT_THAT(Refusal<uint32_t>(column), HasSubstr("width 8 does not fit a type of 4 bytes"));
}

TEST(ColumnCodecTest, RefusesMoreValuesThanAllowedBeforeAllocatingThem) {
  v1::Column column;
  column.set_count(kMaxColumnValues + 1);
  EXPECT_THAT(Refusal<uint64_t>(column), HasSubstr("more than the allowed 1048576"));
}

TEST(ColumnCodecTest, RefusesAnotherCountThanTheRows) {
  std::vector<uint8_t> values;
  const absl::Status status = DecodeColumn(Encoded<uint8_t>({1, 2}), "x", 3, values);
  EXPECT_EQ(status.message(), "x: holds 2 values where the section has 3 rows");
}

TEST(TextColumnTest, ReturnsTextsWithAnyBytes) {
  const std::vector<std::string> texts{"", "a", std::string("\0\xFF", 2), "", "long text"};
  v1::TextColumn column;
  EncodeTexts(texts, &column);
  std::vector<std::string> decoded{"leftover"};
  ASSERT_TRUE(DecodeTexts(column, "x", decoded).ok());
  EXPECT_EQ(decoded, texts);
}

TEST(TextColumnTest, RefusesLengthsThatMissTheText) {
  v1::TextColumn column;
  EncodeTexts({"abc"}, &column);
  column.set_text("ab");
  std::vector<std::string> texts;
  EXPECT_EQ(DecodeTexts(column, "x", texts).message(),
            "x: the lengths sum to 3, the text has 2 bytes");
}

}  // namespace
}  // namespace simpler::archive
