#include "collector/device/device_memory.h"

#include <gtest/gtest.h>

#include <array>

namespace simpler::device {
namespace {

TEST(DeviceMemoryTest, FindsOnlyWhatIsWhollyInside) {
  std::array<std::byte, 256> bytes{};
  const DeviceMemory memory(0x1000, bytes.data(), bytes.size());
  EXPECT_EQ(memory.Find(0x1000, 256, 1), bytes.data());
  EXPECT_EQ(memory.Find(0x10FF, 1, 1), bytes.data() + 255);
  EXPECT_EQ(memory.Find(0x1100, 0, 1), bytes.data() + 256);
  EXPECT_EQ(memory.Find(0xFFF, 1, 1), nullptr);
  EXPECT_EQ(memory.Find(0x1001, 256, 1), nullptr);
  EXPECT_EQ(memory.Find(0x1100, 1, 1), nullptr);
  EXPECT_EQ(memory.Find(0, 1, 1), nullptr);
  EXPECT_EQ(memory.Find(~uint64_t{0}, 2, 1), nullptr);
  EXPECT_EQ(memory.Find(0x1000, ~uint64_t{0}, 1), nullptr);
  EXPECT_EQ(memory.Find(0x1004, 8, 8), nullptr) << "misaligned";
}

TEST(DeviceMemoryTest, NoMemoryHoldsNothing) { EXPECT_EQ(DeviceMemory().Find(0, 1, 1), nullptr); }

}  // namespace
}  // namespace simpler::device
