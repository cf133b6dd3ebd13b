#include "analysis/capture/labels.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <string>

#include "analysis/capture/spmd.h"
#include "analysis/capture/task_table.h"
#include "tests/support/capture_builder.h"

namespace simpler::capture {
namespace {

using support::CaptureBuilder;

DependencyGraph::Node NodeWithKernels(std::array<int32_t, 3> kernels) {
  DependencyGraph::Node node;
  node.has_kernels = true;
  node.kernel_ids = kernels;
  return node;
}

TEST(Labels, CaseA26FunctionLetterForms) {
  EXPECT_EQ(FunctionLetterForm(0), "0_a");
  EXPECT_EQ(FunctionLetterForm(1), "1_b");
  EXPECT_EQ(FunctionLetterForm(25), "25_z");
  EXPECT_EQ(FunctionLetterForm(26), "26_aa");
  EXPECT_EQ(FunctionLetterForm(27), "27_ab");
  EXPECT_EQ(FunctionLetterForm(51), "51_az");
  EXPECT_EQ(FunctionLetterForm(52), "52_ba");
  EXPECT_EQ(FunctionLetterForm(701), "701_zz");
  EXPECT_EQ(FunctionLetterForm(702), "702_aaa");
  EXPECT_EQ(FunctionLetterForm(std::numeric_limits<int32_t>::max()), "2147483647_fxshrxx");
}

TEST(Labels, CaseA27TaskDisplay) {
  EXPECT_EQ(TaskDisplay(0), "t0");
  EXPECT_EQ(TaskDisplay(41), "t41");
  EXPECT_EQ(TaskDisplay(uint64_t{1} << 32 | 7), "r1t7");
  EXPECT_EQ(TaskDisplay(uint64_t{255} << 32 | 9), "r255t9");
  EXPECT_EQ(TaskDisplay(uint64_t{256} << 32 | 9), "t9");
  EXPECT_EQ(TaskDisplay(UINT64_MAX), "r255t4294967295");
}

TEST(Labels, GraphSpacesShowTheParentOfAnExpandedTask) {
  EXPECT_EQ(TaskDisplay(5, IdLayout::kGraphSpaces), "t5");
  EXPECT_EQ(TaskDisplay(uint64_t{1} << 62 | uint64_t{3} << 32 | 5, IdLayout::kGraphSpaces), "g3t5");
  EXPECT_EQ(TaskDisplay(uint64_t{2} << 62 | 5, IdLayout::kGraphSpaces), "p5");
}

TEST(Labels, OnlyAHostBuiltGraphUsesGraphSpaces) {
  EXPECT_EQ(IdLayoutOf(CaptureBuilder().BuildCapture()), IdLayout::kRing);
  EXPECT_EQ(IdLayoutOf(CaptureBuilder().Runtime("tensormap_and_ringbuffer").BuildCapture()),
            IdLayout::kRing);
  EXPECT_EQ(IdLayoutOf(CaptureBuilder().Runtime("host_build_graph").BuildCapture()),
            IdLayout::kGraphSpaces);
}

TEST(Labels, CaseA28Names) {
  NameMap names;
  names.names = {{3, "qk"}, {4, "My_SpMd_k"}, {-1, "x"}};
  const NameMap none;
  EXPECT_EQ(TaskLabel(FunctionName(3, &names), "t9", false), "qk(t9)");
  EXPECT_EQ(TaskLabel(FunctionName(3, &none), "r1t9", false), "func_3_d(r1t9)");
  EXPECT_EQ(TaskLabel(FunctionName(3, nullptr), "r1t9", false), "func_3_d(r1t9)");
  EXPECT_EQ(TaskLabel(FunctionName(-1, &names), "t1", false), "task(t1)");
  EXPECT_EQ(TaskLabel(FunctionName(28, &none), "t0", true), "func_28_ac_spmd(t0)");
  EXPECT_EQ(TaskLabel(FunctionName(4, &names), "t9", true), "My_SpMd_k(t9)");
  EXPECT_EQ(TaskLabel(FunctionName(3, &names), "t9", true), "qk_spmd(t9)");
}

TEST(Labels, CaseA29KernelSlotOfARow) {
  EXPECT_EQ(ResolveFunction(NodeWithKernels({7, 8, -1}), CoreType::kAic), 7);
  EXPECT_EQ(ResolveFunction(NodeWithKernels({7, 8, -1}), CoreType::kAiv), 8);
  EXPECT_EQ(ResolveFunction(NodeWithKernels({-1, -1, 9}), CoreType::kAic), -1);
  EXPECT_EQ(ResolveFunction(NodeWithKernels({-1, -1, 9}), CoreType::kAiv), 9);
  EXPECT_EQ(ResolveFunction(NodeWithKernels({-1, -1, -1}), CoreType::kAiv), -1);
  EXPECT_EQ(ResolveFunction(NodeWithKernels({3, 4, 5}), CoreType::kAiv), 4);
  EXPECT_EQ(ResolveFunction(DependencyGraph::Node{}, CoreType::kAic), -1);
}

TEST(Labels, CaseA30FirstActiveKernel) {
  EXPECT_EQ(FirstActiveFunction(NodeWithKernels({7, 8, -1})), 7);
  EXPECT_EQ(FirstActiveFunction(NodeWithKernels({-1, -1, 9})), 9);
  EXPECT_EQ(FirstActiveFunction(NodeWithKernels({-1, -1, -1})), -1);
  EXPECT_EQ(FirstActiveFunction(DependencyGraph::Node{}), -1);
}

TEST(Labels, CaseA31RowsOfAMixTask) {
  const uint64_t mix = uint64_t{1} << 32 | 4;
  CaptureBuilder builder;
  builder.Cores({"aic", "aiv"})
      .Row(mix, 0, {0, 1, 2, 3})
      .Row(mix, 1, {0, 1, 2, 3})
      .Row(8, 1, {4, 5, 6, 7})
      .Node(mix, {6, -1, 7}, 2)
      .Name(6, "mm");
  const Capture capture = builder.BuildCapture();
  const DependencyGraph graph = builder.BuildGraph();
  const auto rows = JoinedRun::Join(capture, 0);
  ASSERT_TRUE(rows.ok()) << rows.status();
  const std::vector<Task> tasks = FoldTasks(*rows);
  const TaskNodes nodes = MatchTasks(tasks, graph);
  const std::vector<bool> spmd = SpmdTasks(tasks, graph, nodes);

  const auto label = [&](size_t row, size_t task) {
    const auto node = nodes.node_of_task[task];
    const int32_t function = node == DependencyGraph::kNoNode
                                 ? -1
                                 : ResolveFunction(graph.nodes()[node], rows->type(row));
    return TaskLabel(FunctionName(function, &builder.names()), TaskDisplay(tasks[task].id),
                     spmd[task]);
  };
  // Task 8 sorts before the ring-1 task.
  EXPECT_EQ(label(0, 0), "task(t8)");
  EXPECT_EQ(label(1, 1), "mm_spmd(r1t4)");
  EXPECT_EQ(label(2, 1), "func_7_h_spmd(r1t4)");
}

}  // namespace
}  // namespace simpler::capture
