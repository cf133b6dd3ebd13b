#include "collector/device/aicore_writer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "tests/support/scripted_host.h"

namespace simpler::device {
namespace {

using protocol::AicoreTaskRecord;
using protocol::BufferKind;
using support::ScriptedHost;

AicoreTaskRecord Record(uint64_t start) {
  return {.start_time = start,
          .end_time = start + 5,
          .task_token_raw = start + 1,
          .reg_task_id = static_cast<uint32_t>(start),
          .receive_to_start_cycles = 1};
}

class AicoreWriterTest : public testing::Test {
 protected:
  AicoreWriterTest() { launch.Begin(host.Config()); }

  AicoreWriter Attach(uint32_t core = 0) {
    return AicoreWriter(host.memory(), host.rotation_table(), core, 4);
  }
  // The first `count` records of the buffer that is active now.
  std::vector<uint64_t> StartsIn(uint64_t buffer, uint32_t count) {
    std::vector<uint64_t> starts;
    const auto* records = host.memory().FindAs<AicoreTaskRecord>(buffer, count);
    for (uint32_t i = 0; i < count; ++i) starts.push_back(records[i].start_time);
    return starts;
  }

  ScriptedHost host;
  AicpuLaunch launch;
};

TEST_F(AicoreWriterTest, RecordsGoIntoSlotsInOrder) {
  AicoreWriter core = Attach();
  for (uint64_t task = 1; task <= 3; ++task) AicoreWriter::Commit(core.Reserve(), Record(task));
  EXPECT_THAT(StartsIn(host.Pool(BufferKind::kAicoreTask).head.current_buf_ptr, 3),
              testing::ElementsAre(1, 2, 3));
}

// P-4: the reserved address counts, not what the head says by then.
TEST_F(AicoreWriterTest, P4_CommitWritesIntoTheGenerationReservedBeforeAck) {
  AicoreWriter core = Attach();
  AicoreTaskRecord* slot = core.Reserve();
  protocol::ActiveHead& head = host.Pool(BufferKind::kAicoreTask).head;
  const uint64_t old_buffer = head.current_buf_ptr;
  head.current_buf_ptr = host.NewBuffer(BufferKind::kAicoreTask);
  head.current_buf_seq = 1;
  AicoreTaskRecord* next = core.Reserve();
  AicoreWriter::Commit(slot, Record(77));
  AicoreWriter::Commit(next, Record(78));
  EXPECT_THAT(StartsIn(old_buffer, 1), testing::ElementsAre(77));
  EXPECT_THAT(StartsIn(head.current_buf_ptr, 1), testing::ElementsAre(78));
}

// P-6
TEST_F(AicoreWriterTest, P6_NoBufferOrNoSlotMeansNoWrite) {
  AicoreWriter core = Attach();
  for (int i = 0; i < 4; ++i) EXPECT_NE(core.Reserve(), nullptr);
  EXPECT_EQ(core.Reserve(), nullptr) << "the buffer is full";

  AicoreWriter other = Attach(1);
  host.Pool(BufferKind::kAicoreTask, 1).head.current_buf_ptr = 0;
  EXPECT_EQ(other.Reserve(), nullptr) << "there is no buffer";
  AicoreWriter::Commit(nullptr, Record(1));
}

TEST_F(AicoreWriterTest, ABufferThatComesLateIsFound) {
  protocol::ActiveHead& head = host.Pool(BufferKind::kAicoreTask).head;
  const uint64_t buffer = head.current_buf_ptr;
  head.current_buf_ptr = 0;
  AicoreWriter core = Attach();
  EXPECT_EQ(core.Reserve(), nullptr);
  head.current_buf_ptr = buffer;  // with the sequence that the core has seen already
  EXPECT_NE(core.Reserve(), nullptr);
}

// Buffers come back full of old records.
TEST_F(AicoreWriterTest, ATaskThatNeverFinishesLeavesNoOldRecord) {
  AicoreWriter core = Attach();
  ASSERT_NE(core.Reserve(), nullptr);
  EXPECT_THAT(StartsIn(host.Pool(BufferKind::kAicoreTask).head.current_buf_ptr, 1),
              testing::ElementsAre(0));
}

TEST_F(AicoreWriterTest, WithoutATableNothingIsRecorded) {
  EXPECT_EQ(AicoreWriter().Reserve(), nullptr);
  EXPECT_EQ(AicoreWriter(host.memory(), 0, 0, 4).Reserve(), nullptr);
  EXPECT_EQ(AicoreWriter(host.memory(), 8, 0, 4).Reserve(), nullptr);
  *host.memory().FindAs<uint64_t>(host.rotation_table()) = 0;
  EXPECT_EQ(Attach().Reserve(), nullptr);
}

TEST_F(AicoreWriterTest, AHeadThatPointsOutsideIsNotFollowed) {
  AicoreWriter core = Attach();
  protocol::ActiveHead& head = host.Pool(BufferKind::kAicoreTask).head;
  for (const uint64_t garbage : {uint64_t{1}, ~uint64_t{0}, head.current_buf_ptr + 1}) {
    head.current_buf_ptr = garbage;
    ++head.current_buf_seq;
    EXPECT_EQ(core.Reserve(), nullptr) << garbage;
  }
}

// The sequence that stands for "none yet" is a legal one after 2^32 buffers.
TEST_F(AicoreWriterTest, SequencesMayWrapAround) {
  protocol::ActiveHead& head = host.Pool(BufferKind::kAicoreTask).head;
  head.current_buf_seq = 0xFFFFFFFF;
  AicoreWriter core = Attach();
  for (int i = 0; i < 4; ++i) EXPECT_NE(core.Reserve(), nullptr);
  head.current_buf_ptr = host.NewBuffer(BufferKind::kAicoreTask);
  head.current_buf_seq = 0;
  EXPECT_NE(core.Reserve(), nullptr);
}

}  // namespace
}  // namespace simpler::device
