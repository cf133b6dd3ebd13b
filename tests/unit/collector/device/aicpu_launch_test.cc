#include "collector/device/aicpu_launch.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "collector/device/aicore_writer.h"
#include "collector/protocol/level.h"
#include "tests/support/scripted_host.h"

namespace simpler::device {
namespace {

using protocol::BufferKind;
using support::ScriptedHost;

TEST(AicpuLaunchTest, CoresGetBuffersAndTheTableNamesTheirHeads) {
  ScriptedHost host;
  AicpuLaunch launch;
  ASSERT_TRUE(launch.Begin(host.Config()));
  EXPECT_EQ(launch.level(), 4u);
  EXPECT_EQ(launch.num_cores(), 3u);
  const auto* table = host.memory().FindAs<uint64_t>(host.rotation_table(), 3);
  for (uint32_t core = 0; core < 3; ++core) {
    EXPECT_EQ(table[core], host.region() + host.layout().Pool(BufferKind::kAicoreTask, core));
    for (const BufferKind kind : {BufferKind::kAicpuTask, BufferKind::kAicoreTask}) {
      const protocol::PoolState& pool = host.Pool(kind, core);
      EXPECT_EQ(pool.head.current_buf_ptr, pool.free_queue.buffer_ptrs[0]);
      EXPECT_EQ(pool.head.current_buf_seq, 0u);
      EXPECT_EQ(pool.free_queue.head, 1u);
    }
  }
  EXPECT_EQ(host.Pool(BufferKind::kSchedPhase).head.current_buf_ptr, 0u);
}

TEST(AicpuLaunchTest, PhasesArePublishedFromLevelThreeOn) {
  for (const uint32_t level : {2U, 3U, 4U}) {
    ScriptedHost host({.level = level});
    AicpuLaunch launch;
    ASSERT_TRUE(launch.Begin(host.Config()));
    launch.BeginPhases(2, 1);
    const bool has_phases = level >= 3;
    EXPECT_EQ(host.HeaderWord(host.layout().NumSchedPhaseThreads()), has_phases ? 2u : 0u);
    EXPECT_EQ(host.HeaderWord(host.layout().NumOrchPhaseThreads()), has_phases ? 1u : 0u);
    for (uint32_t thread = 0; thread < 4; ++thread) {
      EXPECT_EQ(host.Pool(BufferKind::kSchedPhase, thread).head.current_buf_ptr != 0,
                has_phases && thread < 2);
      // At level 3 the orchestrator records nothing, so it takes no buffer.
      EXPECT_EQ(host.Pool(BufferKind::kOrchPhase, thread).head.current_buf_ptr != 0,
                level == 4 && thread == 0);
    }
  }
}

TEST(AicpuLaunchTest, TheCoreMapIsPublishedWithItsSize) {
  ScriptedHost host({.level = 3});
  AicpuLaunch launch;
  ASSERT_TRUE(launch.Begin(host.Config()));
  const int8_t threads[] = {1, 0, 1};
  launch.PublishCoreToThread(threads);
  EXPECT_EQ(host.HeaderWord(host.layout().NumPhaseCores()), 0u) << "phases have not begun";
  launch.BeginPhases(2, 1);
  launch.PublishCoreToThread(threads);
  EXPECT_EQ(host.HeaderWord(host.layout().NumPhaseCores()), 3u);
  const auto* map = host.memory().FindAs<int8_t>(host.region() + host.layout().CoreToThread(0), 4);
  EXPECT_THAT(std::vector<int8_t>(map, map + 4), testing::ElementsAre(1, 0, 1, -1));
}

// Starting must not wait: the host's threads may not run yet.
TEST(AicpuLaunchTest, EmptyFreeQueuesLeaveLanesWithoutABuffer) {
  ScriptedHost host({.buffers = 0});
  AicpuLaunch launch;
  ASSERT_TRUE(launch.Begin(host.Config(BackPressure::Block(protocol::kA2a3))));
  launch.BeginPhases(4, 1);
  for (uint32_t kind = 0; kind < protocol::kBufferKinds; ++kind) {
    EXPECT_EQ(host.Pool(BufferKind{kind}).head.current_buf_ptr, 0u);
  }
  EXPECT_EQ(host.now, 1'000u);
}

// P-9: the same objects, launch after launch.
TEST(AicpuLaunchTest, P9_NothingOfAnEarlierLaunchIsUsed) {
  ScriptedHost first, second;
  AicpuLaunch launch;
  ASSERT_TRUE(launch.Begin(first.Config()));
  {
    AicpuWriter writer(&launch, 0);
    for (uint32_t token = 1; token <= 5; ++token) writer.OnDispatch(0, token);  // leaves a stash
  }
  LaunchConfig disabled = first.Config();
  disabled.region = 0;
  EXPECT_FALSE(launch.Begin(disabled));
  EXPECT_EQ(launch.level(), 0u);
  {
    AicpuWriter writer(&launch, 0);
    writer.OnDispatch(0, 6);
    writer.OnAck(0, 5);
    const uint32_t cores[] = {0, 1, 2};
    writer.FlushCores(cores);
    writer.FlushSchedPhases();
    writer.FlushSubmits();
    EXPECT_FALSE(first.Pop(0)) << "the stash of the launch before";
    EXPECT_EQ(first.Pool(BufferKind::kAicoreTask).head.total_record_count, 5u);
  }
  ASSERT_TRUE(launch.Begin(second.Config()));
  AicpuWriter writer(&launch, 0);
  writer.OnDispatch(0, 5);
  writer.OnAck(0, 5);
  EXPECT_FALSE(second.Pop(0));
  EXPECT_EQ(second.Pool(BufferKind::kAicoreTask).head.total_record_count, 1u);
}

TEST(AicpuLaunchTest, UnusableConfigurationsCollectNothing) {
  ScriptedHost host;
  const auto refuses = [&](auto change) {
    LaunchConfig config = host.Config();
    change(config);
    AicpuLaunch launch;
    return !launch.Begin(config) && launch.level() == 0;
  };
  EXPECT_FALSE(refuses([](LaunchConfig&) {}));
  EXPECT_TRUE(refuses([](LaunchConfig& config) { config.architecture = nullptr; }));
  EXPECT_TRUE(refuses([](LaunchConfig& config) { config.num_cores = 0; }));
  EXPECT_TRUE(refuses([](LaunchConfig& config) { config.num_cores = 73; }));
  EXPECT_TRUE(refuses([](LaunchConfig& config) { config.num_cores = 4; }));
  EXPECT_TRUE(refuses([](LaunchConfig& config) { config.region += 32; }));
  EXPECT_TRUE(refuses([](LaunchConfig& config) { config.region = 64; }));
  EXPECT_TRUE(refuses([](LaunchConfig& config) { config.rotation_table = 8; }));
  EXPECT_TRUE(refuses([](LaunchConfig& config) { config.memory = DeviceMemory(); }));
  for (const uint32_t level : {0U, 5U, 0xFFFFFFFFU}) {
    host.HeaderWord(host.layout().Level()) = level;
    EXPECT_TRUE(refuses([](LaunchConfig&) {})) << level;
  }
}

TEST(AicpuLaunchTest, CountsOfThreadsBeyondTheMaximumAreHarmless) {
  ScriptedHost host;
  AicpuLaunch launch;
  ASSERT_TRUE(launch.Begin(host.Config()));
  launch.BeginPhases(1'000, 1'000);
  EXPECT_NE(host.Pool(BufferKind::kSchedPhase, 3).head.current_buf_ptr, 0u);
  // A launch may start more threads than have queues.
  AicpuWriter surplus(&launch, 99);
  surplus.RecordSchedPhase({});
  RunSummary summary = launch.Summarize();
  surplus.AddTo(&summary);
}

}  // namespace
}  // namespace simpler::device
