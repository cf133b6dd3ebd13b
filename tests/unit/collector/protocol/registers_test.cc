#include "collector/protocol/registers.h"

#include <gtest/gtest.h>

#include <map>

namespace simpler::protocol {
namespace {

TEST(RegistersTest, TokensSkipReservedValues) {
  EXPECT_EQ(NextToken(0), 1u);
  EXPECT_EQ(NextToken(1), 2u);
  EXPECT_EQ(NextToken(0x7FFFFFEE), 0x7FFFFFEFu);
  EXPECT_EQ(NextToken(0x7FFFFFEF), 0u);
  for (const uint32_t reserved : {kExitRequest, kIdleOnAicpu, kExited, kIdleOnAicore}) {
    EXPECT_GE(reserved, kFirstReservedToken);
  }
}

TEST(RegistersTest, CondTellsAckFromFin) {
  EXPECT_FALSE(IsFin(AckOf(7)));
  EXPECT_TRUE(IsFin(FinOf(7)));
  EXPECT_EQ(TokenOf(AckOf(7)), 7u);
  EXPECT_EQ(TokenOf(FinOf(7)), 7u);
}

TEST(RegistersTest, TaskIdsHaveARingAndALocalPart) {
  EXPECT_EQ(TaskId(1, 2), 4'294'967'298u);
  EXPECT_EQ(RingOf(4'294'967'298u), 1u);
  EXPECT_EQ(LocalOf(4'294'967'298u), 2u);
}

TEST(RegistersTest, ClustersHaveOneAicAndTwoAivCores) {
  constexpr uint32_t kCores = 24;
  std::map<uint32_t, std::map<int32_t, int>> clusters;
  for (uint32_t core = 0; core < kCores; ++core) {
    ++clusters[ClusterOf(core, kCores)][CoreType(core, kCores)];
  }
  EXPECT_EQ(clusters.size(), kCores / 3);
  for (const auto& [cluster, types] : clusters) {
    EXPECT_EQ(types.at(kAic), 1);
    EXPECT_EQ(types.at(kAiv), 2);
  }
}

}  // namespace
}  // namespace simpler::protocol
