// Turning full buffers into blocks, beside memcpy of the same buffers into memory of the same kind.
// Counters, for the fastest of all iterations in thread CPU time:
//
//   vs_memcpy   time of memcpy / time of the blocks, both into memory that was touched before
//   mapped_gbs  wire bytes per time of the blocks, in place
//   vs_memcpy_a5, copied_gbs  the same when every record first comes through a copy engine
#include <benchmark/benchmark.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <vector>

#include "collector/blocks/block_writer.h"
#include "collector/transport/word_copy.h"
#include "tests/bench/thread_time.h"

namespace simpler::blocks {
namespace {

using protocol::BufferKind;

// Larger than the caches, smaller than the slabs that are ready.
constexpr size_t kBacklogBytes = 24 << 20;
// What a copy engine is asked for at once: stays in the first-level cache.
constexpr size_t kChunkBytes = 16 << 10;

struct Backlog {
  BufferKind kind;
  uint32_t records;
  size_t buffer_bytes;
  size_t record_bytes;  // of them
  std::vector<std::byte> bytes;

  explicit Backlog(BufferKind of)
      : kind(of),
        records(protocol::BufferCapacities().Records(of)),
        buffer_bytes(protocol::BufferCapacities().BufferSize(of)),
        record_bytes(size_t{records} * protocol::RecordSize(of)),
        bytes(kBacklogBytes / buffer_bytes * buffer_bytes, std::byte{0x11}) {}
};

double CopyPlain(const Backlog& backlog, std::byte* to) {
  const double begin = ThreadNanos();
  for (size_t at = 0; at < backlog.bytes.size(); at += backlog.buffer_bytes) {
    std::memcpy(to + at, backlog.bytes.data() + at, backlog.buffer_bytes);
    benchmark::ClobberMemory();
  }
  return ThreadNanos() - begin;
}

double WriteBlocks(const Backlog& backlog, SlabPool* pool, bool through_engine,
                   std::vector<RecordBlock>* blocks) {
  BlockWriter writer(pool);
  alignas(64) static std::array<std::byte, kChunkBytes> scratch;
  const size_t record = protocol::RecordSize(backlog.kind);
  const double begin = ThreadNanos();
  for (size_t at = 0; at < backlog.bytes.size(); at += backlog.buffer_bytes) {
    writer.Begin(backlog.kind, 0, 0, backlog.records);
    const std::byte* buffer = backlog.bytes.data() + at;
    if (through_engine) {
      for (size_t done = 0; done < backlog.record_bytes; done += kChunkBytes) {
        const size_t bytes = std::min(kChunkBytes, backlog.record_bytes - done);
        transport::CopyFromShared(scratch.data(), buffer + done, bytes);
        writer.Add(scratch.data(), static_cast<uint32_t>(bytes / record));
      }
    } else {
      writer.Add(buffer, backlog.records);
    }
    blocks->push_back(*writer.End());
  }
  return ThreadNanos() - begin;
}

void BM_Blocks(benchmark::State& state) {
  const Backlog backlog(BufferKind{static_cast<uint32_t>(state.range(0))});
  std::vector<std::byte> plain_target(backlog.bytes.size(), std::byte{1});
  constexpr double kNever = std::numeric_limits<double>::max();
  double plain = kNever, mapped = kNever, copied = kNever;
  for (auto _ : state) {
    plain = std::min(plain, CopyPlain(backlog, plain_target.data()));
    for (const bool through_engine : {false, true}) {
      SlabPool pool({.ahead = 10});
      pool.TouchAhead();
      std::vector<RecordBlock> blocks;
      blocks.reserve(backlog.bytes.size() / backlog.buffer_bytes);
      double& best = through_engine ? copied : mapped;
      best = std::min(best, WriteBlocks(backlog, &pool, through_engine, &blocks));
    }
  }
  const auto bytes = static_cast<double>(backlog.bytes.size());
  state.counters["vs_memcpy"] = plain / mapped;
  state.counters["vs_memcpy_a5"] = plain / copied;
  state.counters["memcpy_gbs"] = bytes / plain;
  state.counters["mapped_gbs"] = bytes / mapped;
  state.counters["copied_gbs"] = bytes / copied;
}
BENCHMARK(BM_Blocks)->DenseRange(0, 3)->ArgName("kind");

}  // namespace
}  // namespace simpler::blocks
