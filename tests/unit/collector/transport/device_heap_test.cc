#include "collector/transport/device_heap.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <random>

namespace simpler::transport {
namespace {

using testing::HasSubstr;

constexpr uint64_t kBase = 1 << 20;

TEST(DeviceHeapTest, BlocksAreAlignedAndDoNotOverlap) {
  DeviceHeap heap(kBase, 1024);
  EXPECT_EQ(heap.Allocate(1).value(), kBase);
  EXPECT_EQ(heap.Allocate(65).value(), kBase + 64);
  EXPECT_EQ(heap.Allocate(64).value(), kBase + 192);
  EXPECT_EQ(heap.used_bytes(), 256u);
}

TEST(DeviceHeapTest, WhatDoesNotFitIsRefusedWithWhatWould) {
  DeviceHeap heap(kBase, 1000);  // 960 in whole units
  ASSERT_TRUE(heap.Allocate(64).ok());
  const absl::Status status = heap.Allocate(960).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kResourceExhausted);
  EXPECT_THAT(std::string(status.message()), HasSubstr("the largest has 896"));
  EXPECT_TRUE(heap.Allocate(896).ok());
  EXPECT_FALSE(heap.Allocate(1).ok());
  EXPECT_EQ(heap.Allocate(0).status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_FALSE(heap.Allocate(~uint64_t{0}).ok());
}

TEST(DeviceHeapTest, FreedNeighboursBecomeOneBlock) {
  DeviceHeap heap(kBase, 192);
  const uint64_t first = heap.Allocate(64).value();
  const uint64_t second = heap.Allocate(64).value();
  const uint64_t third = heap.Allocate(64).value();
  EXPECT_TRUE(heap.Free(first).ok());
  EXPECT_TRUE(heap.Free(third).ok());
  EXPECT_FALSE(heap.Allocate(128).ok());
  EXPECT_TRUE(heap.Free(second).ok());
  EXPECT_EQ(heap.Allocate(192).value(), kBase);
}

TEST(DeviceHeapTest, OnlyStartsOfBlocksAreFreedAndOnce) {
  DeviceHeap heap(kBase, 256);
  const uint64_t block = heap.Allocate(128).value();
  EXPECT_EQ(heap.Free(block + 64).status().code(), absl::StatusCode::kNotFound);
  EXPECT_EQ(heap.Free(block).value(), 128u);
  EXPECT_EQ(heap.Free(block).status().code(), absl::StatusCode::kNotFound);
}

// Against a map of every unit.
TEST(DeviceHeapTest, RandomUseNeverOverlapsAndLosesNothing) {
  std::mt19937 random(1);
  constexpr uint64_t kUnits = 64;
  DeviceHeap heap(kBase, kUnits * DeviceHeap::kAlignment);
  std::map<uint64_t, uint64_t> blocks;  // address -> units
  std::array<bool, kUnits> taken{};
  const auto mark = [&](uint64_t address, uint64_t units, bool value) {
    for (uint64_t i = 0; i < units; ++i) {
      bool& unit = taken.at((address - kBase) / DeviceHeap::kAlignment + i);
      EXPECT_NE(unit, value);
      unit = value;
    }
  };
  for (int step = 0; step < 20'000; ++step) {
    if (random() % 2 == 0 || blocks.empty()) {
      const uint64_t units = 1 + random() % 8;
      const absl::StatusOr<uint64_t> address = heap.Allocate(units * DeviceHeap::kAlignment - 5);
      uint64_t run = 0, longest = 0;
      for (const bool unit : taken) longest = std::max(longest, run = unit ? 0 : run + 1);
      ASSERT_EQ(address.ok(), longest >= units);
      if (!address.ok()) continue;
      blocks.emplace(*address, units);
      mark(*address, units, true);
    } else {
      const auto block = std::next(blocks.begin(), static_cast<int>(random() % blocks.size()));
      ASSERT_TRUE(heap.Free(block->first).ok());
      mark(block->first, block->second, false);
      blocks.erase(block);
    }
  }
}

}  // namespace
}  // namespace simpler::transport
