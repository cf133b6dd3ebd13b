#include "collector/device/aicpu_writer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <numeric>
#include <random>
#include <vector>

#include "tests/support/scripted_host.h"

namespace simpler::device {
namespace {

using protocol::AicpuTaskRecord;
using protocol::BufferKind;
using protocol::ReadyEntry;
using support::ScriptedHost;
using testing::ElementsAre;
using testing::Field;
using testing::IsEmpty;

constexpr uint32_t kAllCores[] = {0, 1, 2};

class AicpuWriterTest : public testing::Test {
 protected:
  void Begin(const BackPressure& back_pressure = BackPressure::Drop()) {
    launch.Begin(host.Config(back_pressure));
    launch.BeginPhases(2, 1);
  }
  // `count` tasks completed by `writer` on core 0.
  void Complete(AicpuWriter* writer, uint32_t count) {
    for (uint32_t i = 0; i < count; ++i) {
      ++token;
      writer->CompleteTask(0, token, 10 * token, 10 * token + 5);
    }
  }
  uint32_t Lost(LossCause cause) {
    return launch.Summarize().aicpu_task[0][static_cast<uint32_t>(cause)];
  }
  protocol::ActiveHead& head() { return host.Pool(BufferKind::kAicpuTask).head; }

  ScriptedHost host;
  AicpuLaunch launch;
  uint32_t token = 0;
};

TEST_F(AicpuWriterTest, RecordsAreWhatWasRecorded) {
  Begin();
  AicpuWriter writer(&launch, 0);
  writer.CompleteTask(0, 7, 100, 200);
  writer.RecordSchedPhase({.start_time = 1,
                           .end_time = 2,
                           .loop_iter = 3,
                           .kind = 1,
                           .tasks_processed = 4,
                           .pop_hit_or_local_id = 5,
                           .pop_miss_or_ring_id = 6,
                           .depths_at_start = {7, 8, 9},
                           .depths_at_end = {-1, 0, 1}});
  writer.RecordSubmit({.start_time = 11, .end_time = 12, .task_id = 13, .submit_idx = 14});
  writer.FlushCores(kAllCores);
  writer.FlushSchedPhases();
  writer.FlushSubmits();

  const std::vector<ReadyEntry> entries = host.PopAll(0);
  ASSERT_EQ(entries.size(), 3u);
  EXPECT_EQ(entries[0].kind, 0u);
  const AicpuTaskRecord task = host.RecordsOf<AicpuTaskRecord>(entries[0]).at(0);
  EXPECT_EQ(task.reg_task_id, 7u);
  EXPECT_EQ(task.dispatch_time, 100u);
  EXPECT_EQ(task.finish_time, 200u);
  EXPECT_EQ(entries[1].kind, 1u);
  const auto phase = host.RecordsOf<protocol::SchedPhaseRecord>(entries[1]).at(0);
  EXPECT_EQ(phase.pop_miss_or_ring_id, 6u);
  EXPECT_THAT(phase.depths_at_end, ElementsAre(-1, 0, 1));
  EXPECT_EQ(entries[2].kind, 2u);
  EXPECT_EQ(host.RecordsOf<protocol::OrchPhaseRecord>(entries[2]).at(0).submit_idx, 14u);
}

// P-1
TEST_F(AicpuWriterTest, P1_SwitchPublishesTheFullBufferAndTakesTheNext) {
  Begin();
  head().current_buf_seq = 7;
  const uint64_t old_buffer = head().current_buf_ptr;
  AicpuWriter writer(&launch, 0);
  Complete(&writer, 4);
  EXPECT_EQ(host.HeaderWord(host.layout().QueueTail(0)), 1u);
  const std::optional<ReadyEntry> entry = host.Pop(0);
  ASSERT_TRUE(entry);
  EXPECT_EQ(entry->buffer_seq, 7u);
  EXPECT_EQ(entry->buffer_ptr, old_buffer);
  EXPECT_EQ(host.CountOf(*entry), 4u);
  EXPECT_EQ(head().current_buf_seq, 8u);
  EXPECT_NE(head().current_buf_ptr, old_buffer);
  EXPECT_EQ(host.CountOf({.kind = 0, .buffer_ptr = head().current_buf_ptr}), 0u);
}

// P-2
TEST_F(AicpuWriterTest, P2_SwitchWithoutReplacementRecoversWithTheSameSequence) {
  Begin();
  AicpuWriter writer(&launch, 0);
  Complete(&writer, 8);  // both buffers
  EXPECT_EQ(head().current_buf_ptr, 0u);
  EXPECT_EQ(head().current_buf_seq, 2u);
  EXPECT_EQ(host.PopAll(0).size(), 2u);
  Complete(&writer, 3);
  EXPECT_EQ(head().dropped_record_count, 3u);
  EXPECT_EQ(Lost(LossCause::kNoFreeBuffer), 3u);
  host.GiveNew(BufferKind::kAicpuTask);
  Complete(&writer, 1);
  EXPECT_EQ(head().current_buf_seq, 2u);
  EXPECT_EQ(head().dropped_record_count, 3u);
  EXPECT_EQ(head().total_record_count, 12u);
}

// P-3: the words of the frozen form of back-pressure mean nothing here.
TEST_F(AicpuWriterTest, P3_FreezeWordsAreNeitherObeyedNorTouched) {
  Begin(BackPressure::Block(protocol::kA2a3));
  for (uint32_t word = 0; word < 4; ++word) {
    host.HeaderWord(host.layout().FreezeWords() + word * 4) = 1;
  }
  AicpuWriter writer(&launch, 0);
  Complete(&writer, 4);
  EXPECT_TRUE(host.Pop(0));
  EXPECT_EQ(host.now, 1'000u) << "waited";
  for (uint32_t word = 0; word < 4; ++word) {
    EXPECT_EQ(host.HeaderWord(host.layout().FreezeWords() + word * 4), 1u);
  }
}

// P-10
TEST(AicpuWriterLevelTest, P10_EachLevelRecordsWhatItSays) {
  for (uint32_t level = 0; level <= 4; ++level) {
    ScriptedHost host({.level = level});
    AicpuLaunch launch;
    EXPECT_EQ(launch.Begin(host.Config()), level >= 1);
    launch.BeginPhases(2, 1);
    AicpuWriter writer(&launch, 0);
    writer.OnDispatch(0, 1);
    writer.OnAck(0, 1);
    writer.CompleteTask(0, 1, 10, 20);
    writer.RecordSchedPhase({});
    writer.RecordSubmit({});
    writer.FlushCores(kAllCores);
    writer.FlushSchedPhases();
    writer.FlushSubmits();
    std::map<uint32_t, int> kinds;
    for (const ReadyEntry& entry : host.PopAll(0)) ++kinds[entry.kind];
    EXPECT_EQ(kinds[3], level >= 1) << level;
    EXPECT_EQ(kinds[0], level >= 2) << level;
    EXPECT_EQ(kinds[1], level >= 3) << level;
    EXPECT_EQ(kinds[2], level >= 4) << level;
    EXPECT_EQ(host.Pool(BufferKind::kOrchPhase).head.total_record_count, level >= 4) << level;
  }
}

// P-11
TEST_F(AicpuWriterTest, P11_SubmitsArriveOnTheOrchestratorsQueueAsInstanceZero) {
  for (uint32_t thread = 0; thread < 4; ++thread) {
    ScriptedHost other;
    ASSERT_TRUE(launch.Begin(other.Config()));
    launch.BeginPhases(2, 1);
    AicpuWriter writer(&launch, thread);
    for (uint32_t i = 0; i < 5; ++i) writer.RecordSubmit({.submit_idx = i});
    writer.FlushSubmits();
    for (uint32_t queue = 0; queue < 4; ++queue) {
      const std::vector<ReadyEntry> entries = other.PopAll(queue);
      EXPECT_EQ(entries.size(), queue == thread ? 2u : 0u);
      EXPECT_THAT(entries, Each(Field(&ReadyEntry::core_index, 0u)));
    }
    EXPECT_EQ(other.Pool(BufferKind::kOrchPhase, thread).head.total_record_count,
              thread == 0 ? 5u : 0u);
  }
}

TEST_F(AicpuWriterTest, APhaseLaneSwitchesOnTheRecordAfterItIsFull) {
  Begin();
  AicpuWriter writer(&launch, 1);
  for (int i = 0; i < 4; ++i) writer.RecordSchedPhase({});
  EXPECT_FALSE(host.Pop(1));
  writer.RecordSchedPhase({});
  EXPECT_THAT(host.Pop(1), testing::Optional(Field(&ReadyEntry::core_index, 1u)));
}

TEST_F(AicpuWriterTest, AFullReadyQueueCostsTheBufferButKeepsIt) {
  Begin();
  AicpuWriter writer(&launch, 0);
  host.FillQueue(0);
  const uint64_t buffer = head().current_buf_ptr;
  Complete(&writer, 4);
  EXPECT_EQ(head().current_buf_ptr, buffer);
  EXPECT_EQ(head().current_buf_seq, 0u);
  EXPECT_EQ(head().dropped_record_count, 4u);
  EXPECT_EQ(Lost(LossCause::kQueueFull), 4u);
  host.EmptyQueue(0);
  Complete(&writer, 4);
  const std::optional<ReadyEntry> entry = host.Pop(0);
  ASSERT_TRUE(entry);
  EXPECT_EQ(entry->buffer_seq, 0u) << "sequences count what was published";
  EXPECT_EQ(host.RecordsOf<AicpuTaskRecord>(*entry).at(0).reg_task_id, 5u);
}

TEST_F(AicpuWriterTest, ABlockedProducerGoesOnWhenTheHostDoes) {
  Begin(BackPressure::Block(protocol::kA2a3));
  AicpuWriter writer(&launch, 0);
  Complete(&writer, 4);
  host.GiveNew(BufferKind::kAicpuTask);
  host.FillQueue(0);
  host.on_relax = [this] {
    if (host.now == 1'500) host.EmptyQueue(0);
  };
  Complete(&writer, 4);
  EXPECT_EQ(head().dropped_record_count, 0u);
  ASSERT_EQ(writer.stalls().count, 1u);
  const Stall& stall = writer.stalls().stalls[0];
  EXPECT_EQ(stall.begin, 1'000u);
  EXPECT_EQ(stall.end, 1'500u);
  EXPECT_EQ(stall.gate, static_cast<uint32_t>(Gate::kReadyQueue));
  EXPECT_EQ(stall.gave_up, 0u);
  EXPECT_EQ(writer.stalls().cycles, 500u);
}

TEST_F(AicpuWriterTest, PatienceEndsAndIsNotSpentAgainUntilTheGateOpened) {
  Begin(BackPressure::WaitFor(100));
  AicpuWriter writer(&launch, 0);
  Complete(&writer, 8);  // takes the last buffer; one wait for the next, in vain
  EXPECT_EQ(host.now, 1'100u);
  Complete(&writer, 50);
  EXPECT_EQ(host.now, 1'100u) << "each record waited";
  EXPECT_EQ(Lost(LossCause::kNoFreeBuffer), 50u);
  EXPECT_EQ(writer.stalls().stalls[0].gave_up, 1u);
  host.GiveNew(BufferKind::kAicpuTask);
  Complete(&writer, 4);
  EXPECT_EQ(host.now, 1'200u) << "the gate had opened, so it is worth waiting again";
}

// R6: a host that hangs costs one backstop per gate.
TEST_F(AicpuWriterTest, TheBackstopEndsABlock) {
  Begin({.patience_cycles = 3'000, .blocks = true});
  AicpuWriter writer(&launch, 0);
  host.FillQueue(0);
  Complete(&writer, 400);
  EXPECT_EQ(host.now, 4'000u);
  EXPECT_EQ(Lost(LossCause::kBackstopTimeout), 400u);
  EXPECT_EQ(BackPressure::Block(protocol::kA2a3).patience_cycles, 1'500'000'000u);
  EXPECT_EQ(BackPressure::Block(protocol::kA5).patience_cycles, 30'000'000'000u);
}

TEST_F(AicpuWriterTest, AnExpiredLeaseReleasesAProducerThatWaits) {
  Begin(BackPressure::Block(protocol::kA2a3));
  AicpuWriter writer(&launch, 0);
  host.FillQueue(0);
  host.on_relax = [this] {
    if (host.now == 1'200) host.lease_expired = true;
  };
  Complete(&writer, 40);
  EXPECT_EQ(host.now, 1'200u);
  EXPECT_EQ(Lost(LossCause::kLeaseExpired), 40u);
}

TEST_F(AicpuWriterTest, AddressesThatHoldNoBufferAreSkipped) {
  Begin();
  AicpuWriter writer(&launch, 0);
  protocol::FreeQueue& queue = host.Pool(BufferKind::kAicpuTask).free_queue;
  for (const uint64_t garbage : {uint64_t{0}, ~uint64_t{0}, queue.buffer_ptrs[0] + 8}) {
    host.Give(BufferKind::kAicpuTask, 0, garbage);
    if (queue.tail - queue.head == protocol::kFreeQueueSlots) break;
  }
  Complete(&writer, 8);  // both good buffers, then one try
  EXPECT_EQ(head().current_buf_ptr, 0u);
  Complete(&writer, 2);
  host.GiveNew(BufferKind::kAicpuTask);
  Complete(&writer, 1);
  EXPECT_NE(head().current_buf_ptr, 0u);
  EXPECT_EQ(head().dropped_record_count, 2u);
}

TEST_F(AicpuWriterTest, CountersMayWrapAround) {
  for (const BufferKind kind : {BufferKind::kAicpuTask, BufferKind::kAicoreTask}) {
    protocol::PoolState& pool = host.Pool(kind);
    pool.head.total_record_count = 0xFFFFFFFE;
    pool.head.dropped_record_count = 0xFFFFFFFE;
    // The same two buffers in other slots.
    const uint64_t buffers[] = {pool.free_queue.buffer_ptrs[0], pool.free_queue.buffer_ptrs[1]};
    pool.free_queue.head = pool.free_queue.tail = 0xFFFFFFFF;
    host.Give(kind, 0, buffers[0]);
    host.Give(kind, 0, buffers[1]);
  }
  host.HeaderWord(host.layout().QueueHead(0)) = host.layout().ready_queue_size() - 1;
  host.HeaderWord(host.layout().QueueTail(0)) = host.layout().ready_queue_size() - 1;
  Begin();
  AicpuWriter writer(&launch, 0);
  Complete(&writer, 9);
  EXPECT_EQ(head().total_record_count, 7u);
  EXPECT_EQ(head().dropped_record_count, 0xFFFFFFFFu);
  EXPECT_EQ(host.PopAll(0).size(), 2u);
  EXPECT_EQ(host.Pool(BufferKind::kAicpuTask).free_queue.head, 1u);
}

TEST_F(AicpuWriterTest, FlushLeavesAnEmptyBufferWhereItIs) {
  Begin();
  AicpuWriter writer(&launch, 0);
  Complete(&writer, 4);
  EXPECT_EQ(host.PopAll(0).size(), 1u);
  writer.FlushCores(kAllCores);
  EXPECT_FALSE(host.Pop(0));
  EXPECT_NE(head().current_buf_ptr, 0u);
}

TEST_F(AicpuWriterTest, AFlushThatFailsIsCounted) {
  Begin();
  AicpuWriter writer(&launch, 0);
  Complete(&writer, 3);
  writer.RecordSchedPhase({});
  host.FillQueue(0);
  writer.FlushCores(kAllCores);
  writer.FlushSchedPhases();
  EXPECT_EQ(head().current_buf_ptr, 0u);
  EXPECT_EQ(head().dropped_record_count, 3u);
  EXPECT_EQ(host.Pool(BufferKind::kSchedPhase).head.dropped_record_count, 1u);
  EXPECT_EQ(launch.Summarize().sched_phase[0][0], 1u);
}

TEST_F(AicpuWriterTest, TheFirstStallsAreKeptAndAllAreCounted) {
  ThreadStalls stalls;
  for (uint64_t i = 0; i < kKeptStalls + 10; ++i) stalls.Add({.begin = i, .end = i + 2});
  EXPECT_EQ(stalls.count, kKeptStalls + 10);
  EXPECT_EQ(stalls.kept, kKeptStalls);
  EXPECT_EQ(stalls.cycles, 2u * (kKeptStalls + 10));
  EXPECT_EQ(stalls.stalls.back().begin, kKeptStalls - 1);
}

// The worked numbers, with the real sizes of task buffers: one core, level 4.
TEST(AicpuWriterNumbersTest, BuffersOfARunWithoutLoss) {
  const auto counts = [](uint32_t tasks) {
    ScriptedHost host({.capacities = {.records = {1'000, 4, 4, 1'024}}, .buffers = 4});
    AicpuLaunch launch;
    launch.Begin(host.Config());
    launch.BeginPhases(1, 0);
    AicpuWriter writer(&launch, 0);
    for (uint32_t token = 1; token <= tasks; ++token) {
      writer.OnDispatch(0, token);
      writer.OnAck(0, token);
      writer.CompleteTask(0, token, token, token);
    }
    writer.FlushCores(kAllCores);
    std::map<uint32_t, std::vector<uint32_t>> counted;
    for (const ReadyEntry& entry : host.PopAll(0)) {
      EXPECT_EQ(entry.buffer_seq, counted[entry.kind].size());
      counted[entry.kind].push_back(host.CountOf(entry));
    }
    return counted;
  };
  auto run = counts(2'500);
  EXPECT_THAT(run[3], ElementsAre(1'024, 1'024, 452));
  EXPECT_THAT(run[0], ElementsAre(1'000, 1'000, 500));
  run = counts(2'000);
  EXPECT_THAT(run[3], ElementsAre(1'024, 976));
  EXPECT_THAT(run[0], ElementsAre(1'000, 1'000));
  EXPECT_THAT(counts(1'024)[3], ElementsAre(1'024));
}

// P-7, P-8 and P-12 over random schedules: whatever the host does, sequences have no gaps, counts
// are legal, and every record is in a buffer or counted as lost, with a cause.
TEST(AicpuWriterRandomTest, P7_P8_P12_EveryRecordIsAccountedFor) {
  for (uint32_t seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    const auto chance = [&](uint32_t percent) { return random() % 100 < percent; };
    ScriptedHost host({.buffers = static_cast<uint32_t>(random() % 3)});
    AicpuLaunch launch;
    ASSERT_TRUE(launch.Begin(host.Config(BackPressure::WaitFor(chance(50) ? 0 : random() % 20))));
    launch.BeginPhases(2, 1);
    std::map<std::pair<uint32_t, uint32_t>, std::vector<ReadyEntry>> published;
    std::map<std::pair<uint32_t, uint32_t>, uint32_t> collected;
    bool queue_is_full = false;
    const auto drain = [&] {
      for (uint32_t queue = 0; queue < 2; ++queue) {
        if (queue_is_full) continue;
        for (const ReadyEntry& entry : host.PopAll(queue)) {
          const auto lane = std::pair(entry.kind, entry.core_index);
          EXPECT_EQ(entry.buffer_seq, published[lane].size());
          const uint32_t count = host.CountOf(entry);
          EXPECT_GE(count, 1u);
          EXPECT_LE(count, 4u);
          published[lane].push_back(entry);
          collected[lane] += count;
        }
      }
    };
    const auto step_host = [&] {
      if (chance(10)) {
        drain();
        queue_is_full = !queue_is_full;
        for (const uint32_t queue : {0U, 1U}) {
          queue_is_full ? host.FillQueue(queue) : host.EmptyQueue(queue);
        }
      }
      if (chance(60)) drain();
      const BufferKind kind{static_cast<uint32_t>(random() % 4)};
      const uint32_t instance = kind == BufferKind::kOrchPhase || chance(50) ? 0 : 1;
      const protocol::FreeQueue& queue = host.Pool(kind, instance).free_queue;
      if (chance(60) && queue.tail - queue.head < 4) host.GiveNew(kind, instance);
    };
    AicpuWriter threads[] = {AicpuWriter(&launch, 0), AicpuWriter(&launch, 1)};
    uint32_t token = 0;
    const uint32_t steps = 50 + static_cast<uint32_t>(random() % 200);
    for (uint32_t i = 0; i < steps; ++i) {
      step_host();
      const uint32_t thread = chance(50) ? 0 : 1;
      AicpuWriter& writer = threads[thread];
      writer.OnDispatch(thread, ++token);
      if (i + 2 < steps || chance(50)) writer.OnAck(thread, token);
      writer.CompleteTask(thread, token, 1, 2);
      if (chance(70)) writer.RecordSchedPhase({});
      if (thread == 1 && chance(50)) writer.RecordSubmit({});
    }
    for (uint32_t thread = 0; thread < 2; ++thread) {
      threads[thread].FlushCores(std::vector<uint32_t>{thread});
      threads[thread].FlushSchedPhases();
    }
    threads[1].FlushSubmits();
    drain();

    const RunSummary summary = launch.Summarize();
    const auto check = [&](BufferKind kind, uint32_t instance, const LossCounts& causes) {
      const protocol::ActiveHead& head = host.Pool(kind, instance).head;
      EXPECT_EQ(
          collected[std::pair(static_cast<uint32_t>(kind), instance)] + head.dropped_record_count,
          head.total_record_count)
          << static_cast<uint32_t>(kind) << " " << instance;
      EXPECT_EQ(std::accumulate(causes.begin(), causes.end(), 0U), head.dropped_record_count);
    };
    for (uint32_t i = 0; i < 2; ++i) {
      check(BufferKind::kAicpuTask, i, summary.aicpu_task[i]);
      check(BufferKind::kAicoreTask, i, summary.aicore_task[i]);
      check(BufferKind::kSchedPhase, i, summary.sched_phase[i]);
    }
    check(BufferKind::kOrchPhase, 0, summary.orch_phase);
  }
}

}  // namespace
}  // namespace simpler::device
