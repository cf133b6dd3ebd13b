#include "daemon/store/entry_file.h"

#include <gtest/gtest.h>

namespace simpler::daemon {
namespace {

CaptureInfo Sample() {
  CaptureInfo info;
  info.import = {.name = "näme", .labels = {{"job", "7"}, {"rank", "0"}}, .idempotency_key = "k"};
  info.import_time_unix_ms = 1'700'000'000'123;
  info.level = 4;
  info.clock_freq_hz = 50'000'000;
  info.runs = {{.epoch = -3, .aicore_rows = 1, .scheduler_rows = 2},
               {.scheduler_phases = 5, .orchestrator_records = 6}};
  info.graph_tasks = 9;
  info.graph_edges = 10;
  info.has_name_map = true;
  info.memory_bytes = 12345;
  info.archive_bytes = 678;
  return info;
}

TEST(EntryFileTest, EverythingComesBack) {
  const auto info = DecodeEntry(EncodeEntry(Sample()), 678);
  ASSERT_TRUE(info.has_value());
  EXPECT_EQ(info->import.name, "näme");
  EXPECT_EQ(info->import.labels, Sample().import.labels);
  EXPECT_EQ(info->import.idempotency_key, "k");
  EXPECT_EQ(info->import_time_unix_ms, 1'700'000'000'123);
  EXPECT_EQ(info->level, 4);
  EXPECT_EQ(info->clock_freq_hz, 50'000'000);
  ASSERT_EQ(info->runs.size(), 2u);
  EXPECT_EQ(info->runs[0].epoch, -3);
  EXPECT_EQ(info->runs[0].aicore_rows, 1u);
  EXPECT_EQ(info->runs[0].scheduler_rows, 2u);
  EXPECT_FALSE(info->runs[1].epoch.has_value());
  EXPECT_EQ(info->runs[1].scheduler_phases, 5u);
  EXPECT_EQ(info->runs[1].orchestrator_records, 6u);
  EXPECT_EQ(info->graph_tasks, 9u);
  EXPECT_EQ(info->graph_edges, 10u);
  EXPECT_TRUE(info->has_name_map);
  EXPECT_EQ(info->memory_bytes, 12345u);
  EXPECT_EQ(info->archive_bytes, 678u);
}

TEST(EntryFileTest, AnEntryOfAnotherArchiveIsNone) {
  EXPECT_FALSE(DecodeEntry(EncodeEntry(Sample()), 679).has_value());
}

TEST(EntryFileTest, DamageAnywhereIsSeen) {
  const std::string bytes = EncodeEntry(Sample());
  for (size_t i = 0; i < bytes.size(); ++i) {
    std::string damaged = bytes;
    damaged[i] = static_cast<char>(damaged[i] ^ 0x10);
    EXPECT_FALSE(DecodeEntry(damaged, 678).has_value()) << i;
    EXPECT_FALSE(DecodeEntry(bytes.substr(0, i), 678).has_value()) << i;
  }
}

}  // namespace
}  // namespace simpler::daemon
