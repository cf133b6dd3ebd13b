#include "analysis/archive/crc32c.h"

#include <gtest/gtest.h>

#include <string>

namespace simpler::archive {
namespace {

TEST(Crc32cTest, GivesPublishedValues) {
  EXPECT_EQ(Crc32c(""), 0u);
  EXPECT_EQ(Crc32c("123456789"), 0xE3069283u);
  EXPECT_EQ(Crc32c(std::string(32, '\0')), 0x8A9136AAu);
  EXPECT_EQ(Crc32c(std::string(32, '\xFF')), 0x62A8AB43u);
}

TEST(Crc32cTest, InstructionAndTablesAgreeAtEveryLengthAndAlignment) {
  std::string bytes;
  for (int i = 0; i < 100; ++i) bytes += static_cast<char>(i * i * 7 + 3);
  for (size_t begin = 0; begin < 9; ++begin) {
    for (size_t size = 0; begin + size <= bytes.size(); ++size) {
      const auto part = std::string_view(bytes).substr(begin, size);
      ASSERT_EQ(Crc32c(part, 42), Crc32cPortable(part, 42)) << begin << " " << size;
    }
  }
}

TEST(Crc32cTest, ContinuesWhereAnotherCallEnded) {
  const std::string bytes = "the checksum of the whole is that of its parts";
  for (size_t cut = 0; cut <= bytes.size(); ++cut) {
    EXPECT_EQ(Crc32c(bytes.substr(cut), Crc32c(bytes.substr(0, cut))), Crc32c(bytes));
  }
}

}  // namespace
}  // namespace simpler::archive
