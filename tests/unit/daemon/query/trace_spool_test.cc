#include "daemon/query/trace_spool.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "analysis/archive/crc32c.h"
#include "tests/support/temp_dir.h"

namespace simpler::daemon {
namespace {

using testing::HasSubstr;

constexpr uint64_t kChunk = SpooledTrace::kChunkBytes;

std::string Pattern(size_t bytes) {
  std::string text(bytes, '\0');
  for (size_t i = 0; i < bytes; ++i) text[i] = static_cast<char>(i * 31 + i / 997);
  return text;
}

class TraceSpoolTest : public testing::Test {
 protected:
  std::shared_ptr<TraceSpool> Open(uint64_t budget) {
    auto spool = TraceSpool::Open(directory.path().string(), budget);
    EXPECT_TRUE(spool.ok()) << spool.status();
    return *std::move(spool);
  }

  // Writes `bytes` in pieces of `piece` and commits.
  static absl::StatusOr<std::shared_ptr<const SpooledTrace>> Write(
      std::shared_ptr<TraceSpool> spool, const std::string& bytes, size_t piece,
      const std::function<bool()>& make_room = [] { return false; },
      const std::stop_token& stop = {}) {
    auto sink = SpoolSink::Create(std::move(spool), make_room, stop);
    if (!sink.ok()) return sink.status();
    for (size_t begin = 0; begin < bytes.size(); begin += piece) {
      absl::Status status = (*sink)->Append(std::string_view(bytes).substr(begin, piece));
      if (!status.ok()) return status;
    }
    if (absl::Status status = (*sink)->Commit(); !status.ok()) return status;
    return (*sink)->Take(std::nullopt, {});
  }

  static std::string ReadAll(const SpooledTrace& trace, uint64_t offset = 0) {
    std::string bytes;
    while (offset + bytes.size() < trace.size()) {
      const auto chunk = trace.Read(offset + bytes.size());
      EXPECT_TRUE(chunk.ok()) << chunk.status();
      EXPECT_EQ(archive::Crc32c(chunk->data()), chunk->crc32c);
      EXPECT_LE(chunk->size, kChunk);
      EXPECT_GT(chunk->size, 0u);
      if (chunk->size == 0) break;
      bytes += chunk->data();
    }
    return bytes;
  }

  support::TempDir directory;
};

TEST_F(TraceSpoolTest, BytesComeBackWithTheirChecksums) {
  const auto spool = Open(10 * kChunk);
  for (const size_t size : {size_t{0}, size_t{1}, size_t{kChunk - 1}, size_t{kChunk},
                            size_t{kChunk + 1}, size_t{3 * kChunk + 5}}) {
    const std::string bytes = Pattern(size);
    const auto trace = Write(spool, bytes, 100'003);
    ASSERT_TRUE(trace.ok()) << trace.status();
    EXPECT_EQ((*trace)->size(), size);
    EXPECT_TRUE(ReadAll(**trace) == bytes) << size;
    EXPECT_EQ((*trace)->Read(size)->size, 0u);
  }
}

TEST_F(TraceSpoolTest, ReadingFromAnyOffsetGoesToTheNextChunk) {
  const auto spool = Open(10 * kChunk);
  const std::string bytes = Pattern(2 * kChunk + 77);
  const auto trace = Write(spool, bytes, kChunk / 3);
  ASSERT_TRUE(trace.ok());
  for (const uint64_t offset : {uint64_t{1}, kChunk - 1, kChunk + 5, 2 * kChunk, 2 * kChunk + 76}) {
    EXPECT_TRUE(ReadAll(**trace, offset) == bytes.substr(offset)) << offset;
    EXPECT_EQ((offset + (*trace)->Read(offset)->size) % kChunk, offset / kChunk == 2 ? 77u : 0u);
  }
}

TEST_F(TraceSpoolTest, EqualBytesHaveEqualTagsHoweverTheyAreWritten) {
  const auto spool = Open(20 * kChunk);
  const std::string bytes = Pattern(2 * kChunk + 3);
  const auto first = Write(spool, bytes, 7777);
  const auto second = Write(spool, bytes, bytes.size());
  std::string changed = bytes;
  changed[kChunk] = static_cast<char>(changed[kChunk] ^ 1);
  const auto third = Write(spool, changed, bytes.size());
  EXPECT_EQ((*first)->etag(), (*second)->etag());
  EXPECT_NE((*first)->etag(), (*third)->etag());
}

TEST_F(TraceSpoolTest, FilesHaveNoNames) {
  const auto spool = Open(10 * kChunk);
  const auto trace = Write(spool, Pattern(kChunk), kChunk);
  ASSERT_TRUE(trace.ok());
  EXPECT_TRUE(std::filesystem::is_empty(directory.path()));
}

TEST_F(TraceSpoolTest, SpaceComesBackWithTheLastHolder) {
  const auto spool = Open(10 * kChunk);
  auto trace = *Write(spool, Pattern(kChunk + 10), 1000);
  EXPECT_EQ(spool->used_bytes(), kChunk + 10);
  auto copy = trace;
  trace.reset();
  EXPECT_EQ(spool->used_bytes(), kChunk + 10);
  copy.reset();
  EXPECT_EQ(spool->used_bytes(), 0u);
}

TEST_F(TraceSpoolTest, TheRefusalNamesTheBudgetThatFits) {
  const uint64_t size = 3 * kChunk + 17;
  const auto fits = Open(size);
  EXPECT_TRUE(Write(fits, Pattern(size), 5000).ok());
  for (const uint64_t budget : {size - 1, kChunk, uint64_t{0}}) {
    const auto spool = Open(budget);
    const auto trace = Write(spool, Pattern(size), 5000);
    EXPECT_EQ(trace.status().code(), absl::StatusCode::kResourceExhausted);
    EXPECT_THAT(std::string(trace.status().message()),
                HasSubstr("raise --spool-bytes to at least " + std::to_string(size)));
    EXPECT_EQ(spool->used_bytes(), 0u);
  }
}

TEST_F(TraceSpoolTest, RoomIsMadeBeforeATraceIsRefused) {
  const auto spool = Open(4 * kChunk);
  auto idle = *Write(spool, Pattern(3 * kChunk), kChunk);
  const auto trace = Write(spool, Pattern(2 * kChunk), kChunk, [&idle] {
    const bool had_one = idle != nullptr;
    idle.reset();
    return had_one;
  });
  EXPECT_TRUE(trace.ok()) << trace.status();
  EXPECT_EQ(spool->used_bytes(), 2 * kChunk);
}

TEST_F(TraceSpoolTest, WritingEndsWhenNobodyWaits) {
  const auto spool = Open(10 * kChunk);
  std::stop_source stop;
  stop.request_stop();
  const auto trace = Write(
      spool, Pattern(2 * kChunk), kChunk, [] { return false; }, stop.get_token());
  EXPECT_EQ(trace.status().code(), absl::StatusCode::kCancelled);
  EXPECT_EQ(spool->used_bytes(), 0u);
}

TEST_F(TraceSpoolTest, ADirectoryThatCannotBeWrittenIsRefusedAtOnce) {
  const auto spool = TraceSpool::Open((directory.path() / "absent").string(), kChunk);
  EXPECT_FALSE(spool.ok());
  EXPECT_THAT(std::string(spool.status().message()), HasSubstr("absent"));
}

TEST_F(TraceSpoolTest, ManyThreadsReadOneTrace) {
  const auto spool = Open(10 * kChunk);
  const std::string bytes = Pattern(2 * kChunk + 1234);
  const auto trace = *Write(spool, bytes, kChunk);
  std::vector<std::thread> threads;
  for (uint64_t i = 0; i < 4; ++i) {
    threads.emplace_back([&, i] {
      for (uint64_t offset = i; offset < bytes.size(); offset += 300'007) {
        const auto chunk = trace->Read(offset);
        EXPECT_TRUE(chunk.ok() && chunk->data() == bytes.substr(offset, chunk->size));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace simpler::daemon
