#include "collector/blocks/block_writer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <vector>

namespace simpler::blocks {
namespace {

using protocol::BufferKind;
using testing::ElementsAre;
using testing::ElementsAreArray;

constexpr uint64_t kSlab = 2 << 20;

class BlockWriterTest : public testing::Test {
 protected:
  // All records at once.
  template <typename Record>
  RecordBlock Write(BufferKind kind, const std::vector<Record>& records) {
    EXPECT_TRUE(writer.Begin(kind, 5, 7, static_cast<uint32_t>(records.size())));
    writer.Add(reinterpret_cast<const std::byte*>(records.data()),
               static_cast<uint32_t>(records.size()));
    return writer.End().value_or(RecordBlock());
  }

  SlabPool pool{{.budget_bytes = 4 * kSlab, .slab_bytes = kSlab}};
  BlockWriter writer{&pool};
};

TEST_F(BlockWriterTest, AicpuTasks) {
  const RecordBlock block = Write<protocol::AicpuTaskRecord>(
      BufferKind::kAicpuTask, {{.dispatch_time = 1, .finish_time = 2, .reg_task_id = 3},
                               {.dispatch_time = 4, .finish_time = 5, .reg_task_id = 6},
                               {.dispatch_time = 7, .finish_time = 8, .reg_task_id = 9}});
  EXPECT_EQ(block.kind(), BufferKind::kAicpuTask);
  EXPECT_EQ(block.instance(), 5u);
  EXPECT_EQ(block.seq(), 7u);
  EXPECT_EQ(block.size(), 3u);
  EXPECT_THAT(block.Column<uint64_t>(column::kDispatch), ElementsAre(1, 4, 7));
  EXPECT_THAT(block.Column<uint64_t>(column::kFinish), ElementsAre(2, 5, 8));
  EXPECT_THAT(block.Column<uint32_t>(column::kAicpuToken), ElementsAre(3, 6, 9));
}

TEST_F(BlockWriterTest, AicoreTasksThatWereNeverWrittenAreLeftOutAndCounted) {
  std::vector<protocol::AicoreTaskRecord> records(5);
  for (uint32_t i = 0; i < 5; ++i) {
    records[i] = {.start_time = i % 2 == 0 ? 0 : 10 + i,
                  .end_time = 20 + i,
                  .task_token_raw = 30 + i,
                  .reg_task_id = 40 + i,
                  .receive_to_start_cycles = 50 + i};
  }
  ASSERT_TRUE(writer.Begin(BufferKind::kAicoreTask, 0, 0, 5));
  const auto* bytes = reinterpret_cast<const std::byte*>(records.data());
  EXPECT_EQ(writer.Add(bytes, 2), 1u);
  EXPECT_EQ(writer.Add(bytes + 64, 3), 2u);
  const std::optional<RecordBlock> block = writer.End();
  ASSERT_TRUE(block);
  EXPECT_THAT(block->Column<uint64_t>(column::kStart), ElementsAre(11, 13));
  EXPECT_THAT(block->Column<uint64_t>(column::kEnd), ElementsAre(21, 23));
  EXPECT_THAT(block->Column<uint64_t>(column::kTask), ElementsAre(31, 33));
  EXPECT_THAT(block->Column<uint32_t>(column::kToken), ElementsAre(41, 43));
  EXPECT_THAT(block->Column<uint32_t>(column::kReceiveToStart), ElementsAre(51, 53));
}

TEST_F(BlockWriterTest, SchedPhases) {
  const RecordBlock block = Write<protocol::SchedPhaseRecord>(
      BufferKind::kSchedPhase, {{.start_time = 1,
                                 .end_time = 2,
                                 .loop_iter = 3,
                                 .kind = 14,
                                 .tasks_processed = 4,
                                 .pop_hit_or_local_id = 5,
                                 .pop_miss_or_ring_id = 6,
                                 .depths_at_start = {7, -8, 9},
                                 .depths_at_end = {10, 11, -12}},
                                {.start_time = 21, .depths_at_end = {1, 2, 3}}});
  EXPECT_THAT(block.Column<uint64_t>(column::kPhaseStart), ElementsAre(1, 21));
  EXPECT_THAT(block.Column<uint64_t>(column::kPhaseEnd), ElementsAre(2, 0));
  EXPECT_THAT(block.Column<uint32_t>(column::kLoopIter), ElementsAre(3, 0));
  EXPECT_THAT(block.Column<uint32_t>(column::kKind), ElementsAre(14, 0));
  EXPECT_THAT(block.Column<uint32_t>(column::kTasksProcessed), ElementsAre(4, 0));
  EXPECT_THAT(block.Column<uint32_t>(column::kPopHitOrLocalId), ElementsAre(5, 0));
  EXPECT_THAT(block.Column<uint32_t>(column::kPopMissOrRingId), ElementsAre(6, 0));
  EXPECT_THAT(block.Column<protocol::QueueDepths>(column::kDepthsAtStart),
              ElementsAre(ElementsAre(7, -8, 9), ElementsAre(0, 0, 0)));
  EXPECT_THAT(block.Column<protocol::QueueDepths>(column::kDepthsAtEnd),
              ElementsAre(ElementsAre(10, 11, -12), ElementsAre(1, 2, 3)));
}

TEST_F(BlockWriterTest, OrchPhases) {
  const RecordBlock block = Write<protocol::OrchPhaseRecord>(
      BufferKind::kOrchPhase,
      {{.start_time = 1, .end_time = 2, .task_id = ~uint64_t{0}, .submit_idx = 4}});
  EXPECT_THAT(block.Column<uint64_t>(column::kSubmitStart), ElementsAre(1));
  EXPECT_THAT(block.Column<uint64_t>(column::kSubmitEnd), ElementsAre(2));
  EXPECT_THAT(block.Column<uint64_t>(column::kSubmitTask), ElementsAre(~uint64_t{0}));
  EXPECT_THAT(block.Column<uint32_t>(column::kSubmitIdx), ElementsAre(4));
}

TEST_F(BlockWriterTest, BlocksOfManySizesKeepTheirContents) {
  std::mt19937 random(3);
  std::vector<RecordBlock> blocks;
  std::vector<std::vector<uint64_t>> expected;
  for (uint32_t i = 0; i < 400; ++i) {
    std::vector<protocol::OrchPhaseRecord> records(1 + random() % 500);
    std::vector<uint64_t> tasks;
    for (auto& record : records) tasks.push_back(record.task_id = random());
    blocks.push_back(Write(BufferKind::kOrchPhase, records));
    expected.push_back(tasks);
  }
  for (size_t i = 0; i < blocks.size(); ++i) {
    EXPECT_THAT(blocks[i].Column<uint64_t>(column::kSubmitTask), ElementsAreArray(expected[i]));
  }
}

TEST_F(BlockWriterTest, EmptyBlocksTakeNoRoom) {
  for (int i = 0; i < 10'000; ++i) {
    ASSERT_TRUE(writer.Begin(BufferKind::kAicoreTask, 0, 0, 1024));
    EXPECT_FALSE(writer.End());
  }
  EXPECT_EQ(pool.used_bytes(), kSlab);
  EXPECT_FALSE(writer.End()) << "none was begun";
}

TEST_F(BlockWriterTest, AFullStoreIsAnAnswerAndBlocksGiveTheirMemoryBack) {
  std::vector<RecordBlock> blocks;
  const std::vector<protocol::AicpuTaskRecord> records(16'384);
  while (writer.Begin(BufferKind::kAicpuTask, 0, 0, 16'384)) {
    writer.Add(reinterpret_cast<const std::byte*>(records.data()), 16'384);
    blocks.push_back(*writer.End());
  }
  EXPECT_EQ(pool.used_bytes(), 4 * kSlab);
  EXPECT_EQ(blocks.size(), 4 * (kSlab / BlockBytes(BufferKind::kAicpuTask, 16'384)));
  blocks.clear();
  EXPECT_EQ(pool.used_bytes(), kSlab) << "the one that is being filled";
  EXPECT_TRUE(writer.Begin(BufferKind::kAicpuTask, 0, 0, 16'384));
}

TEST_F(BlockWriterTest, ABlockThatFitsIntoNoSlabIsRefused) {
  EXPECT_FALSE(writer.Begin(BufferKind::kSchedPhase, 0, 0, 1'000'000));
}

// Store bytes against wire bytes, with the tails of slabs.
TEST(BlockBytesTest, ColumnsAreSmallerThanWireRecords) {
  for (uint32_t kind = 0; kind < protocol::kBufferKinds; ++kind) {
    const uint32_t records = protocol::BufferCapacities().records[kind];
    const double wire = static_cast<double>(records) * protocol::RecordSize(BufferKind{kind});
    constexpr uint64_t kDefaultSlab = uint64_t{4} << 20;
    const uint64_t blocks_per_slab = kDefaultSlab / BlockBytes(BufferKind{kind}, records);
    EXPECT_LE(kDefaultSlab / (static_cast<double>(blocks_per_slab) * wire), 1.25) << kind;
  }
}

}  // namespace
}  // namespace simpler::blocks
