#include "analysis/overhead/kernel_family.h"

#include "gtest/gtest.h"
#include "tests/support/prepared_run.h"

namespace simpler::overhead {
namespace {

using support::CaptureBuilder;
using support::PreparedRun;

TEST(KernelFamilyTest, A127NamesOfPathTasks) {
  capture::NameMap names;
  names.names = {{3, "qk"}};
  capture::DependencyGraph::Node node;
  EXPECT_EQ(KernelName(nullptr, &names), "unknown");
  EXPECT_EQ(KernelName(&node, &names), "unknown");
  node.has_kernels = true;
  node.kernel_ids = {-1, 3, 4};
  EXPECT_EQ(KernelName(&node, &names), "qk");
  EXPECT_EQ(KernelName(&node, nullptr), "cid3");
  node.kernel_ids = {-1, -1, 9};
  EXPECT_EQ(KernelName(&node, &names), "cid9");
}

TEST(KernelFamilyTest, A128FamiliesDropIndexAndEngine) {
  EXPECT_EQ(KernelFamily("gate_0_aic"), "gate");
  EXPECT_EQ(KernelFamily("hc_pre_fused_3_aic"), "hc_pre_fused");
  EXPECT_EQ(KernelFamily("exp_up_mm_2"), "exp_up_mm");
  EXPECT_EQ(KernelFamily("softmax_aiv"), "softmax");
  EXPECT_EQ(KernelFamily("aic"), "aic");
  EXPECT_EQ(KernelFamily("x_aic_2"), "x_aic");
  EXPECT_EQ(KernelFamily("a_1_2"), "a_1");
  EXPECT_EQ(KernelFamily("_3"), "");
  EXPECT_EQ(KernelFamily("3"), "3");
  EXPECT_EQ(KernelFamily("SPMD_MIX_AIC"), "SPMD_MIX_AIC");
  EXPECT_EQ(KernelFamily(""), "");
}

TEST(KernelFamilyTest, FamiliesAreSummedInOrderOfCompute) {
  CaptureBuilder builder(1'000'000, 1000);
  builder.Level(1).Cores({"aic"});
  builder.Row(1, 0, {.start = 0, .end = 10}).Row(2, 0, {.start = 12, .end = 52});
  builder.Row(3, 0, {.start = 55, .end = 61}).Row(4, 0, {.start = 61, .end = 77});
  builder.Edge(1, 2).Edge(2, 3).Edge(3, 4);
  builder.Node(1, {0, -1, -1}).Node(2, {1, -1, -1}).Node(3, {2, -1, -1});
  builder.Name(0, "add_0_aic").Name(1, "mul").Name(2, "add_1_aic");
  const PreparedRun run(builder);
  const auto path = FindCriticalPath(run.inputs);
  ASSERT_TRUE(path.ok());

  const auto shares = SumByKernelFamily(run.inputs, path->observed, &builder.names());
  ASSERT_EQ(shares.size(), 3u);
  EXPECT_EQ(shares[0].family, "mul");
  EXPECT_EQ(shares[0].compute, 40);
  EXPECT_EQ(shares[0].stall, 2);
  EXPECT_EQ(shares[1].family, "add");  // as much compute as the next, but first on the path
  EXPECT_EQ(shares[1].compute, 16);
  EXPECT_EQ(shares[1].stall, 3);
  EXPECT_EQ(shares[1].tasks, 2u);
  EXPECT_EQ(shares[2].family, "unknown");
  EXPECT_EQ(shares[2].compute, 16);
}

}  // namespace
}  // namespace simpler::overhead
