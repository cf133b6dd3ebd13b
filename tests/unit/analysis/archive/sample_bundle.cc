#include "tests/unit/analysis/archive/sample_bundle.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <random>
#include <utility>
#include <vector>

#include "analysis/archive/archive_writer.h"
#include "tests/support/capture_builder.h"

namespace simpler::archive {
namespace {

using capture::AicoreTaskBlock;
using capture::Capture;
using capture::CaptureBundle;
using capture::CoreId;
using capture::CoreType;
using capture::DependencyGraph;
using capture::DeviceCycles;
using capture::HostNanos;
using capture::LifecycleRecord;
using capture::LifecycleStamp;
using capture::OrchestratorPhaseBlock;
using capture::OrchestratorPhaseKind;
using capture::PhaseKind;
using capture::Producer;
using capture::Run;
using capture::SchedulerPhaseBlock;
using capture::SchedulerStream;
using capture::SchedulerTaskBlock;
using support::CaptureBuilder;

// Two runs through the public builder.
CaptureBuilder FullBuilder() {
  CaptureBuilder builder;
  builder.Level(4)
      .Cores({"aic", "aiv", "none"})
      .CoreToThread({0, 1, -1})
      .Runtime("tensormap_and_ringbuffer")
      .TaskProducer(Producer::kAicpu);
  builder.NextRun(7)
      .Row(1, 0, {.dispatch = 0, .start = 1, .end = 10, .finish = 11, .receive = 0.5})
      .Row(uint64_t{1} << 63 | 2, 1, {.dispatch = 12, .start = 13, .end = 13, .finish = 21})
      .Row(3, 2, {.start = 30, .end = 31})
      .SchedulerRow(9, 77, 1, 2)
      .Phase(0, PhaseKind::kDispatch, 0, 1, {.pops = {{4, 5}}, .depths_at_start = {{1, 2, 3}}})
      .Phase(0, PhaseKind::kComplete, 1, 1, {.loop = {}, .tasks = {}, .task_id = 3})
      .Stream(2, Producer::kAicore,
              {.worker_id = 5,
               .core_type = "aiv",
               .physical_core_id = 9,
               .counts = {{100, 3, true}},
               .platform = "a5",
               .runtime = "host_build_graph"})
      .Phase(2, PhaseKind::kUnknown, 2, 3, {.depths_at_end = {{7, 8, 9}}})
      .OrchSubmit(1, 0, 1, 0, 1)
      .OrchSubmit(1, 1, 3, 1, 2)
      .Lifecycle(4, {{LifecycleStamp::kHandshakeStart, 1}, {LifecycleStamp::kExitAck, 9}})
      .HostSubmit(1, 0, 1, 1000, 2000)
      .Upload("weights", 10, 20, 4096);
  builder.NextRun(9).Row(5, 1, {.dispatch = 1, .start = 2, .end = 3, .finish = 4});
  builder.Node(1, {0, -1, -1}).Node(3, {-1, 4, 5}, 24).Edge(1, 3).Edge(3, 5).Edge(5, 5);
  return builder;
}

// What the builder has no words for.
void AddOpaqueParts(Capture& capture) {
  capture.metadata.num_cores = 3;
  capture.metadata.host_orchestrated = true;
  capture.metadata.host_orchestration_origin = HostNanos{5};
  capture.metadata.host_timeline_origin = HostNanos{0};
  capture.metadata.host_capture = {"dropped", 10, 9, 8, 1, "ring full"};
  capture.metadata.host_clock_domain_id = "host-1";
  capture.metadata.opaque = {{"clock_anchors", "[1, 2]"}, {"empty", ""}};
  capture.opaque = {{"x", "{\"a\": null}"}, {std::string("\xFF\x00", 2), "\"\xC3\x28\""}};
  capture.warnings = {{"unknown_phase_kind", "one record of unknown kind", 1}};
  Run& run = capture.runs[0];
  SchedulerStream& stream = run.scheduler_streams[2];
  auto block = std::make_shared<SchedulerPhaseBlock>(*stream.blocks[0]);
  block->unknown_kinds = {{0, "teleport"}};
  block->extra = {{0, "first", "1"}, {0, "second", "[{}]"}};
  stream.blocks[0] = std::move(block);
  run.lifecycle.emplace_back();
}

class RandomCapture {
 public:
  explicit RandomCapture(uint64_t seed) : random_(seed) {}

  CaptureBundle Make() {
    CaptureBundle bundle;
    Capture& capture = bundle.capture;
    capture.level = static_cast<int>(1 + Below(4));
    capture.generation = static_cast<capture::Generation>(Below(4));
    capture.task_producer = static_cast<Producer>(Below(2));
    capture.metadata.clock_freq_hz = 1 + Stamp();
    capture.metadata.core_types.resize(Below(50));
    for (CoreType& type : capture.metadata.core_types) type = static_cast<CoreType>(Below(3));
    if (Below(2) == 1) FillThreads(capture.metadata.core_to_thread.emplace(Below(50)));
    capture.runs.resize(1 + Below(3));
    for (Run& run : capture.runs) FillRun(run);
    if (Below(2) == 1) bundle.graph = MakeGraph();
    if (Below(2) == 1) {
      bundle.names.emplace().names = {{std::numeric_limits<int32_t>::min(), Text()},
                                      {static_cast<int32_t>(Below(100)), Text()},
                                      {std::numeric_limits<int32_t>::max(), Text()}};
    }
    return bundle;
  }

 private:
  uint64_t Below(uint64_t bound) { return random_() % bound; }
  // A number of random magnitude, so that all widths occur.
  uint64_t Magnitude(int bits) {
    const auto shift = static_cast<int>(Below(static_cast<uint64_t>(bits) + 1));
    return shift == 0 ? 0 : random_() >> (64 - shift);
  }
  int64_t Stamp() { return static_cast<int64_t>(Magnitude(62)); }
  std::string Text() { return std::string(Below(20), static_cast<char>(Below(256))); }

  template <typename T>
  void FillNumbers(std::vector<T>& column, size_t rows) {
    const int bits = static_cast<int>(Below(8 * sizeof(T) + 1));
    column.clear();
    for (size_t i = 0; i < rows; ++i) column.push_back(static_cast<T>(Magnitude(bits)));
  }

  void FillThreads(std::vector<int16_t>& threads) {
    for (int16_t& thread : threads) thread = static_cast<int16_t>(Magnitude(16));
  }

  template <typename Stamp>
  void FillIntervals(std::vector<Stamp>& start, std::vector<Stamp>& end, size_t rows) {
    const int start_bits = static_cast<int>(Below(63));
    const int duration_bits = static_cast<int>(Below(63));
    for (size_t i = 0; i < rows; ++i) {
      const auto begin = static_cast<int64_t>(Magnitude(start_bits));
      start.push_back({begin});
      end.push_back({begin + static_cast<int64_t>(Magnitude(duration_bits))});
    }
  }

  void FillRun(Run& run) {
    if (Below(2) == 1) run.epoch = Stamp();
    run.has_scheduler_tasks = Below(2) == 1;
    run.has_scheduler_streams = Below(2) == 1;
    for (size_t i = Below(3); i > 0; --i) run.aicore_tasks.push_back(AicoreBlock());
    for (size_t i = Below(3); i > 0; --i) run.scheduler_tasks.push_back(SchedulerBlock());
    run.scheduler_streams.resize(Below(4));
    for (SchedulerStream& stream : run.scheduler_streams) {
      stream.scheduler_id = static_cast<int>(Magnitude(31));
      for (size_t i = Below(3); i > 0; --i) stream.blocks.push_back(PhaseBlock());
    }
    run.orchestrator_lanes.resize(Below(3));
    for (auto& lane : run.orchestrator_lanes) lane.push_back(OrchestratorBlock());
    run.host_submit_lanes.resize(Below(3));
    for (auto& lane : run.host_submit_lanes) {
      for (size_t i = Below(50); i > 0; --i) lane.push_back(HostSubmit());
    }
    for (size_t i = Below(5); i > 0; --i) {
      const HostNanos start{Stamp()};
      run.host_uploads.push_back({Text(), start, start, static_cast<int64_t>(random_())});
    }
    for (size_t i = Below(5); i > 0; --i) run.lifecycle.push_back(Lifecycle());
  }

  std::shared_ptr<const AicoreTaskBlock> AicoreBlock() {
    auto block = std::make_shared<AicoreTaskBlock>();
    const size_t rows = Below(300);
    FillNumbers(block->core_id, rows);
    FillNumbers(block->task_id, rows);
    FillNumbers(block->reg_task_id, rows);
    FillIntervals(block->start, block->end, rows);
    block->has_receive = Below(2) == 1;
    for (size_t i = 0; block->has_receive && i < rows; ++i) {
      const int64_t most = std::min<int64_t>(block->start[i].value, UINT32_MAX);
      block->receive_to_start.push_back(
          static_cast<uint32_t>(Below(static_cast<uint64_t>(most) + 1)));
    }
    return block;
  }

  std::shared_ptr<const SchedulerTaskBlock> SchedulerBlock() {
    auto block = std::make_shared<SchedulerTaskBlock>();
    const size_t rows = Below(300);
    FillNumbers(block->core_id, rows);
    FillNumbers(block->reg_task_id, rows);
    FillIntervals(block->dispatch, block->finish, rows);
    return block;
  }

  std::shared_ptr<const SchedulerPhaseBlock> PhaseBlock() {
    auto block = std::make_shared<SchedulerPhaseBlock>();
    const size_t rows = Below(300);
    FillIntervals(block->start, block->end, rows);
    FillNumbers(block->present, rows);
    FillNumbers(block->loop_iter, rows);
    FillNumbers(block->tasks_processed, rows);
    FillNumbers(block->task_id, rows);
    FillNumbers(block->pop_hit, rows);
    FillNumbers(block->pop_miss, rows);
    for (uint32_t row = 0; row < rows; ++row) {
      block->kind.push_back(static_cast<PhaseKind>(Below(26)));
      block->depths_at_start.push_back({static_cast<uint32_t>(random_()), 0, row});
      block->depths_at_end.push_back({row, static_cast<uint32_t>(Below(9)), UINT32_MAX});
      if (block->kind.back() == PhaseKind::kUnknown) block->unknown_kinds.push_back({row, Text()});
      // Rows backwards: the order across rows must not matter.
      const uint32_t other = static_cast<uint32_t>(rows) - 1 - row;
      for (size_t i = Below(3); i > 0; --i) block->extra.push_back({other, Text(), Text()});
    }
    return block;
  }

  std::shared_ptr<const OrchestratorPhaseBlock> OrchestratorBlock() {
    auto block = std::make_shared<OrchestratorPhaseBlock>();
    const size_t rows = Below(300);
    for (size_t i = 0; i < rows; ++i) {
      block->kind.push_back(static_cast<OrchestratorPhaseKind>(Below(7)));
    }
    FillNumbers(block->present, rows);
    FillNumbers(block->submit_idx, rows);
    FillNumbers(block->task_id, rows);
    FillIntervals(block->start, block->end, rows);
    return block;
  }

  capture::HostSubmit HostSubmit() {
    capture::HostSubmit submit;
    if (Below(2) == 1) submit.submit_idx = static_cast<uint32_t>(Magnitude(32));
    if (Below(2) == 1) submit.task_id = Magnitude(64);
    submit.start = {Stamp()};
    submit.end = {submit.start.value + Stamp()};
    return submit;
  }

  LifecycleRecord Lifecycle() {
    LifecycleRecord record;
    if (Below(2) == 1) record.thread_id = static_cast<int>(Magnitude(31));
    int64_t stamp = 0;
    for (auto& slot : record.stamps) {
      stamp += static_cast<int64_t>(Magnitude(40));
      if (Below(2) == 1) slot = DeviceCycles{stamp};
    }
    return record;
  }

  DependencyGraph MakeGraph() {
    DependencyGraph::Builder builder;
    const int bits = static_cast<int>(4 + Below(61));
    for (size_t i = Below(200); i > 0; --i) {
      DependencyGraph::Node node;
      node.id = Magnitude(bits);
      node.early_dispatch = Below(2) == 1;
      node.has_kernels = Below(2) == 1;
      node.has_block_num = Below(2) == 1;
      node.kernel_ids = {static_cast<int32_t>(Magnitude(31)), -1, static_cast<int32_t>(Below(3))};
      node.block_num = static_cast<uint32_t>(1 + Magnitude(31));
      builder.AddTask(node);
    }
    for (size_t i = Below(300); i > 0; --i) builder.AddEdge(Magnitude(bits), Magnitude(bits));
    return builder.Build();
  }

  std::mt19937_64 random_;
};

}  // namespace

CaptureBundle FullBundle() {
  const CaptureBuilder builder = FullBuilder();
  CaptureBundle bundle;
  bundle.capture = builder.BuildCapture();
  AddOpaqueParts(bundle.capture);
  bundle.graph = builder.BuildGraph();
  bundle.names = capture::NameMap{2, "orch", {{-1, ""}, {0, "matmul"}, {4, "söftmax"}}};
  bundle.dispatch_identity =
      capture::DispatchIdentity{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, std::string(64, 'a')};
  bundle.warnings = {{"deps_self_edges", "1 edge leads from a task to itself", 1}};
  bundle.sources = {"run/chip_swimlane_records.json", "run/deps.json", "run/name_map_x.json",
                    "run/rank5/d6/dispatch_identity.json"};
  return bundle;
}

CaptureBundle EmptyBundle() {
  CaptureBundle bundle;
  bundle.capture.level = 1;
  bundle.capture.metadata.clock_freq_hz = 1;
  bundle.capture.runs.resize(1);
  return bundle;
}

CaptureBundle RandomBundle(uint64_t seed) { return RandomCapture(seed).Make(); }

std::string Archive(const CaptureBundle& bundle) {
  std::string bytes;
  timeline::StringSink sink(&bytes);
  const absl::Status status = WriteArchive(bundle, &sink);
  EXPECT_TRUE(status.ok()) << status;
  return bytes;
}

}  // namespace simpler::archive
