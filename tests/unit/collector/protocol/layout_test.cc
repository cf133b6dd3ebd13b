// Most of the layout is checked by the compiler, in the headers. Here is what is computed.
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "collector/protocol/pool_depths.h"
#include "collector/protocol/region.h"

namespace simpler::protocol {
namespace {

// L-2
TEST(RegionLayoutTest, L2_SizeFollowsTheNumberOfCores) {
  const std::map<uint32_t, uint64_t> a2a3 = {
      {3, 129'856}, {6, 131'008}, {24, 137'920}, {48, 147'136}, {72, 156'352}};
  for (const auto& [cores, size] : a2a3) EXPECT_EQ(RegionLayout(kA2a3, cores).size(), size);
  const std::map<uint32_t, uint64_t> a5 = {{3, 236'224},  {6, 237'376},  {24, 244'288},
                                           {48, 253'504}, {72, 262'720}, {108, 276'544}};
  for (const auto& [cores, size] : a5) EXPECT_EQ(RegionLayout(kA5, cores).size(), size);
}

TEST(RegionLayoutTest, L2_PoolsFollowTheHeaderInOneOrder) {
  const RegionLayout a2a3(kA2a3, 24);
  EXPECT_EQ(a2a3.Pool(BufferKind::kAicpuTask, 0), 127'168u);
  EXPECT_EQ(a2a3.Pool(BufferKind::kAicoreTask, 0), 131'776u);
  EXPECT_EQ(a2a3.Pool(BufferKind::kSchedPhase, 0), 136'384u);
  EXPECT_EQ(a2a3.Pool(BufferKind::kOrchPhase, 0), 137'152u);
  const RegionLayout a5(kA5, 24);
  EXPECT_EQ(a5.Pool(BufferKind::kAicpuTask, 0), 233'152u);
  EXPECT_EQ(a5.Pool(BufferKind::kAicoreTask, 0), 237'760u);
  EXPECT_EQ(a5.Pool(BufferKind::kSchedPhase, 0), 242'368u);
  EXPECT_EQ(a5.Pool(BufferKind::kOrchPhase, 0), 243'328u);
}

// The number of scheduler threads of a run must not move anything.
TEST(RegionLayoutTest, L2_PoolsDoNotOverlapAndFillTheRegion) {
  for (const Architecture* architecture : {&kA2a3, &kA5}) {
    for (const uint32_t cores : {1U, 24U, architecture->max_cores}) {
      const RegionLayout layout(*architecture, cores);
      std::set<uint64_t> starts;
      for (uint32_t kind = 0; kind < kBufferKinds; ++kind) {
        for (uint32_t i = 0; i < layout.Pools(BufferKind{kind}); ++i) {
          starts.insert(layout.Pool(BufferKind{kind}, i));
        }
      }
      EXPECT_EQ(starts.size(), 2 * (cores + architecture->max_threads));
      EXPECT_EQ(*starts.begin(), layout.HeaderSize());
      EXPECT_EQ(*starts.rbegin() + sizeof(PoolState), layout.size());
      EXPECT_EQ(*starts.rbegin() - *starts.begin(), (starts.size() - 1) * sizeof(PoolState));
    }
  }
}

TEST(RegionLayoutTest, L1_RowsOfReadyQueues) {
  EXPECT_EQ(RegionLayout(kA2a3, 3).ReadyEntryAt(1, 0), 31'744u);
  EXPECT_EQ(RegionLayout(kA5, 3).ReadyEntryAt(1, 0), 46'592u);
}

TEST(PoolDepthsTest, L1_BatchesAndWatermarks) {
  const PoolDepths depths;
  EXPECT_EQ(depths.BatchSize(BufferKind::kAicpuTask), 4u);
  EXPECT_EQ(depths.BatchSize(BufferKind::kSchedPhase), 2u);
  EXPECT_EQ(depths.BatchSize(BufferKind::kOrchPhase), 4u);
  EXPECT_EQ(depths.BatchSize(BufferKind::kAicoreTask), 1u);
  // The fewer shards, the more cores each of them serves.
  EXPECT_EQ(WarmTarget(kA2a3, BufferKind::kAicpuTask, 4), 36u);
  EXPECT_EQ(WarmTarget(kA2a3, BufferKind::kAicpuTask, 1), 144u);
  EXPECT_EQ(WarmTarget(kA2a3, BufferKind::kAicoreTask, 4), 1u);
  EXPECT_EQ(WarmTarget(kA2a3, BufferKind::kSchedPhase, 1), 0u);
}

}  // namespace
}  // namespace simpler::protocol
