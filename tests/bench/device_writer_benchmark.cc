// What recording costs the chip, without reading its clock, beside a plain copy of as many bytes
// through as much memory. Counters:
//
//   ns_per_record  thread CPU time of one record
//   ns_plain_copy  the same of one copy
//   ratio          of the two
//
// The fastest iteration of each counts, because the machine may be shared.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <optional>
#include <vector>

#include "collector/device/aicore_writer.h"
#include "collector/device/aicpu_writer.h"
#include "tests/bench/thread_time.h"
#include "tests/support/scripted_host.h"

namespace simpler::device {
namespace {

using protocol::BufferKind;
using support::ScriptedHost;

constexpr uint32_t kBatch = 64 * 1024;

// One core, one thread, real buffers.
class Chip {
 public:
  void RunTask(uint32_t token) {
    writer_.OnDispatch(0, token);
    protocol::AicoreTaskRecord* slot = core_.Reserve();
    writer_.OnAck(0, token);
    AicoreWriter::Commit(slot, {.start_time = token,
                                .end_time = token + 1U,
                                .task_token_raw = token,
                                .reg_task_id = token,
                                .receive_to_start_cycles = 3});
    writer_.OnAck(0, token);
    writer_.CompleteTask(0, token, token, token);
    if (token % 256 == 0) ReturnBuffers();
  }

  void RecordPhase(uint32_t i) {
    writer_.RecordSchedPhase({.start_time = i, .end_time = i + 1U, .loop_iter = i, .kind = 1});
    if (i % 8192 == 0) ReturnBuffers();
  }

  // The host's part, which is not what is measured: once per some hundred records.
  void ReturnBuffers() {
    while (const std::optional<protocol::ReadyEntry> entry = host_.Pop(0)) {
      host_.Give(BufferKind{entry->kind}, entry->core_index, entry->buffer_ptr);
    }
  }

  uint64_t lost() {
    uint64_t lost = 0;
    for (const BufferKind kind :
         {BufferKind::kAicpuTask, BufferKind::kAicoreTask, BufferKind::kSchedPhase}) {
      lost += host_.Pool(kind).head.dropped_record_count;
    }
    return lost;
  }

 private:
  AicpuLaunch* Begun() {
    launch_.Begin(host_.Config());
    launch_.BeginPhases(1, 0);
    return &launch_;
  }

  ScriptedHost host_{{.capacities = {.records = {1000, 16384, 4, 1024}},
                      .num_cores = 1,
                      .level = 3,
                      .buffers = 3,
                      .bytes = 64 << 20}};
  AicpuLaunch launch_;
  AicpuWriter writer_{Begun(), 0};
  AicoreWriter core_{host_.memory(), host_.rotation_table(), 0};
};

// Copies records of `bytes` bytes, one after the other, through a buffer.
double NanosPerPlainCopy(size_t bytes, std::vector<char>* buffer) {
  const std::vector<char> record(bytes, 'x');
  const double begin = ThreadNanos();
  size_t at = 0;
  for (uint32_t i = 0; i < kBatch; ++i) {
    std::memcpy(&(*buffer)[at], record.data(), bytes);
    at = at + 2 * bytes > buffer->size() ? 0 : at + bytes;
    benchmark::ClobberMemory();
  }
  return (ThreadNanos() - begin) / kBatch;
}

template <typename RecordOne>
void Measure(benchmark::State& state, size_t copied_bytes, size_t buffer_size,
             RecordOne record_one) {
  Chip chip;
  std::vector<char> buffer(3 * buffer_size);
  double nanos = std::numeric_limits<double>::max();
  double plain = nanos;
  uint32_t token = 0;
  for (auto _ : state) {
    const double begin = ThreadNanos();
    for (uint32_t i = 0; i < kBatch; ++i) record_one(chip, ++token);
    nanos = std::min(nanos, (ThreadNanos() - begin) / kBatch);
    state.PauseTiming();
    plain = std::min(plain, NanosPerPlainCopy(copied_bytes, &buffer));
    state.ResumeTiming();
  }
  if (chip.lost() != 0) state.SkipWithError("records were lost: the times mean nothing");
  state.counters["ns_per_record"] = nanos;
  state.counters["ns_plain_copy"] = plain;
  state.counters["ratio"] = nanos / plain;
}

// Both halves: 64 bytes.
void BM_TaskRecord(benchmark::State& state) {
  Measure(state, 64, sizeof(protocol::AicpuTaskBuffer) + sizeof(protocol::AicoreTaskBuffer),
          [](Chip& chip, uint32_t token) { chip.RunTask(token); });
}
BENCHMARK(BM_TaskRecord);

void BM_SchedPhaseRecord(benchmark::State& state) {
  Measure(state, 64, sizeof(protocol::SchedPhaseBuffer),
          [](Chip& chip, uint32_t i) { chip.RecordPhase(i); });
}
BENCHMARK(BM_SchedPhaseRecord);

}  // namespace
}  // namespace simpler::device
