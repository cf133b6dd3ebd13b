// How a core's full buffer becomes the host's: both halves of the device together.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "collector/device/aicore_writer.h"
#include "collector/device/aicpu_writer.h"
#include "tests/support/scripted_host.h"

namespace simpler::device {
namespace {

using protocol::AicoreTaskRecord;
using protocol::BufferKind;
using protocol::ReadyEntry;
using support::ScriptedHost;
using testing::ElementsAre;

constexpr uint32_t kCoreZero[] = {0};

class RotationTest : public testing::Test {
 protected:
  static AicpuLaunch* Begun(AicpuLaunch* launch, ScriptedHost* host) {
    launch->Begin(host->Config());
    return launch;
  }

  // The core's steps of one task, apart.
  void TakeUp(uint32_t token) { slots[token % 2] = core.Reserve(); }
  void Finish(uint32_t token) {
    AicoreWriter::Commit(slots[token % 2], {.start_time = token, .reg_task_id = token});
  }
  void RunWhole(uint32_t token) {
    writer.OnDispatch(0, token);
    TakeUp(token);
    writer.OnAck(0, token);
    Finish(token);
  }
  std::vector<uint32_t> TokensOf(const ReadyEntry& entry) {
    std::vector<uint32_t> tokens;
    for (const auto& record : host.RecordsOf<AicoreTaskRecord>(entry)) {
      tokens.push_back(record.reg_task_id);
    }
    return tokens;
  }
  protocol::ActiveHead& head() { return host.Pool(BufferKind::kAicoreTask).head; }
  uint32_t Lost(LossCause cause) {
    return launch.Summarize().aicore_task[0][static_cast<uint32_t>(cause)];
  }

  ScriptedHost host;
  AicpuLaunch launch;
  AicpuWriter writer{Begun(&launch, &host), 0};
  AicoreWriter core{host.memory(), host.rotation_table(), 0, 4};
  AicoreTaskRecord* slots[2] = {};
};

// P-5, with two tasks in flight: the last task of the full buffer still runs when it is changed.
TEST_F(RotationTest, P5_AFullBufferIsInvisibleUntilTheGateIsAcknowledged) {
  for (uint32_t token = 1; token <= 3; ++token) RunWhole(token);
  writer.OnDispatch(0, 4);
  TakeUp(4);
  writer.OnAck(0, 4);
  writer.OnDispatch(0, 5);  // changes the buffer; 4 has not finished
  EXPECT_EQ(head().current_buf_seq, 1u);
  EXPECT_FALSE(host.Pop(0));
  writer.OnAck(0, 4);  // FIN of 4, seen before its record is there
  EXPECT_FALSE(host.Pop(0));
  Finish(4);
  TakeUp(5);
  writer.OnAck(0, 5);
  const std::optional<ReadyEntry> entry = host.Pop(0);
  ASSERT_TRUE(entry);
  EXPECT_EQ(entry->kind, 3u);
  EXPECT_EQ(entry->buffer_seq, 0u);
  EXPECT_THAT(TokensOf(*entry), ElementsAre(1, 2, 3, 4));
  writer.OnAck(0, 5);
  Finish(5);
  EXPECT_FALSE(host.Pop(0)) << "published twice";
}

TEST_F(RotationTest, TheFlushPublishesTheStashBeforeTheActiveBuffer) {
  for (uint32_t token = 1; token <= 4; ++token) RunWhole(token);
  writer.OnDispatch(0, 5);
  TakeUp(5);
  Finish(5);  // its ACK is never seen by the AICPU, but FIN is
  writer.FlushCores(kCoreZero);
  const std::vector<ReadyEntry> entries = host.PopAll(0);
  ASSERT_EQ(entries.size(), 1u) << "nothing tells that the core took up 5";
  EXPECT_THAT(TokensOf(entries[0]), ElementsAre(1, 2, 3, 4));
  EXPECT_EQ(Lost(LossCause::kNotExecuted), 1u);
}

TEST_F(RotationTest, SequencesStayInOrderAtTheEnd) {
  for (uint32_t token = 1; token <= 6; ++token) RunWhole(token);
  writer.FlushCores(kCoreZero);
  const std::vector<ReadyEntry> entries = host.PopAll(0);
  ASSERT_EQ(entries.size(), 2u);
  EXPECT_EQ(entries[0].buffer_seq, 0u);
  EXPECT_EQ(entries[1].buffer_seq, 1u);
  EXPECT_THAT(TokensOf(entries[1]), ElementsAre(5, 6));
}

// What the count says was really written, also after a buffer could not be changed in time.
TEST_F(RotationTest, ALateChangeOfBufferLosesOnlyWhatHadNoSlot) {
  for (uint32_t token = 1; token <= 8; ++token) RunWhole(token);  // both buffers
  for (uint32_t token = 9; token <= 11; ++token) RunWhole(token);
  EXPECT_EQ(Lost(LossCause::kRotation), 3u);
  EXPECT_EQ(head().dropped_record_count, 3u);
  host.GiveNew(BufferKind::kAicoreTask);
  RunWhole(12);
  RunWhole(13);
  writer.FlushCores(kCoreZero);
  const std::vector<ReadyEntry> entries = host.PopAll(0);
  ASSERT_EQ(entries.size(), 3u);
  EXPECT_THAT(TokensOf(entries[1]), ElementsAre(5, 6, 7, 8));
  EXPECT_THAT(TokensOf(entries[2]), ElementsAre(12, 13));
  EXPECT_EQ(head().total_record_count, 13u);
}

// A stash that cannot be published must not be overwritten by the next one.
TEST_F(RotationTest, AStashThatCannotBePublishedStays) {
  for (uint32_t token = 1; token <= 4; ++token) RunWhole(token);
  host.FillQueue(0);
  for (uint32_t token = 5; token <= 10; ++token) RunWhole(token);
  EXPECT_EQ(Lost(LossCause::kRotation), 2u) << "9 and 10: the second buffer has to stay";
  host.EmptyQueue(0);
  RunWhole(11);  // no free buffer is left, but the first full one goes out
  const std::optional<ReadyEntry> entry = host.Pop(0);
  ASSERT_TRUE(entry);
  EXPECT_THAT(TokensOf(*entry), ElementsAre(1, 2, 3, 4));
  writer.FlushCores(kCoreZero);
  const std::vector<ReadyEntry> rest = host.PopAll(0);
  ASSERT_EQ(rest.size(), 1u);
  EXPECT_THAT(TokensOf(rest[0]), ElementsAre(5, 6, 7, 8));
}

TEST_F(RotationTest, AnAcknowledgedStashIsTriedAgainWithEveryAcknowledgement) {
  for (uint32_t token = 1; token <= 4; ++token) RunWhole(token);
  host.FillQueue(0);
  RunWhole(5);
  host.EmptyQueue(0);
  RunWhole(6);
  EXPECT_TRUE(host.Pop(0));
}

TEST_F(RotationTest, AStashThatNeverGoesOutIsCountedAtTheFlush) {
  for (uint32_t token = 1; token <= 4; ++token) RunWhole(token);
  host.FillQueue(0);
  RunWhole(5);
  writer.FlushCores(kCoreZero);
  EXPECT_EQ(head().dropped_record_count, 5u);
  EXPECT_EQ(Lost(LossCause::kQueueFull), 5u);
  EXPECT_EQ(head().current_buf_ptr, 0u);
}

TEST_F(RotationTest, ATaskThatIsDispatchedButNeverTakenUpHasNoRecord) {
  for (uint32_t token = 1; token <= 2; ++token) RunWhole(token);
  writer.OnDispatch(0, 3);
  writer.FlushCores(kCoreZero);
  const std::optional<ReadyEntry> entry = host.Pop(0);
  ASSERT_TRUE(entry);
  EXPECT_THAT(TokensOf(*entry), ElementsAre(1, 2));
  EXPECT_EQ(Lost(LossCause::kNotExecuted), 1u);
  EXPECT_EQ(head().total_record_count, 3u);
}

TEST_F(RotationTest, ACoreThatStartsWithoutABufferRecoversWhenOneComes) {
  ScriptedHost dry({.buffers = 0});
  ASSERT_TRUE(launch.Begin(dry.Config()));
  AicpuWriter thread(&launch, 0);
  AicoreWriter late(dry.memory(), dry.rotation_table(), 0, 4);
  thread.OnDispatch(0, 1);
  EXPECT_EQ(late.Reserve(), nullptr);
  thread.OnAck(0, 1);
  dry.GiveNew(BufferKind::kAicoreTask);
  thread.OnDispatch(0, 2);
  AicoreWriter::Commit(late.Reserve(), {.start_time = 2, .reg_task_id = 2});
  thread.OnAck(0, 2);
  thread.FlushCores(kCoreZero);
  const std::optional<ReadyEntry> entry = dry.Pop(0);
  ASSERT_TRUE(entry);
  EXPECT_EQ(entry->buffer_seq, 0u);
  EXPECT_EQ(dry.RecordsOf<AicoreTaskRecord>(*entry).at(0).reg_task_id, 2u);
  EXPECT_EQ(Lost(LossCause::kRotation), 1u);
}

TEST_F(RotationTest, AnAddressThatHoldsNoBufferLeavesTheOldOneActive) {
  host.Pool(BufferKind::kAicoreTask).free_queue.buffer_ptrs[1] = 12;
  for (uint32_t token = 1; token <= 5; ++token) RunWhole(token);
  EXPECT_EQ(Lost(LossCause::kRotation), 1u);
  EXPECT_EQ(head().current_buf_seq, 0u);
  host.GiveNew(BufferKind::kAicoreTask);
  RunWhole(6);
  writer.FlushCores(kCoreZero);
  const std::vector<ReadyEntry> entries = host.PopAll(0);
  ASSERT_EQ(entries.size(), 2u);
  EXPECT_THAT(TokensOf(entries[0]), ElementsAre(1, 2, 3, 4));
  EXPECT_THAT(TokensOf(entries[1]), ElementsAre(6));
}

// The core changes hands at the end of orchestration: its entries may come through two queues.
TEST_F(RotationTest, ACoreMayMoveToAnotherThread) {
  for (uint32_t token = 1; token <= 5; ++token) RunWhole(token);
  AicpuWriter other(&launch, 1);
  other.OnDispatch(0, 6);
  TakeUp(6);
  other.OnAck(0, 6);
  Finish(6);
  other.FlushCores(kCoreZero);
  EXPECT_EQ(host.PopAll(0).size(), 1u);
  const std::vector<ReadyEntry> entries = host.PopAll(1);
  ASSERT_EQ(entries.size(), 1u);
  EXPECT_EQ(entries[0].buffer_seq, 1u);
  EXPECT_THAT(TokensOf(entries[0]), ElementsAre(5, 6));
}

}  // namespace
}  // namespace simpler::device
