#include "tests/support/capture_generator.h"

#include <algorithm>
#include <array>
#include <memory>
#include <utility>
#include <vector>

#include "tests/support/phase_track.h"

namespace simpler::support {
namespace {

using capture::CoreId;
using capture::CoreType;
using capture::DeviceCycles;
using capture::PhaseKind;
using Profile = GeneratorOptions::Profile;

constexpr size_t kRowsPerBlock = 64 * 1024;
constexpr int64_t kFirstCycle = 1'000'000'000;
constexpr uint64_t kTasksPerRing = 257;
constexpr int32_t kKernels = 24;

// SplitMix64: small, fast, and the same everywhere.
class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed) {}
  uint64_t Next() {
    uint64_t z = (state_ += 0x9E3779B97F4A7C15);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
    return z ^ (z >> 31);
  }
  int64_t Between(int64_t low, int64_t high) {  // inclusive
    return low + static_cast<int64_t>(Next() % static_cast<uint64_t>(high - low + 1));
  }
  bool Chance(double share) { return static_cast<double>(Next() >> 11) * 0x1.0p-53 < share; }

 private:
  uint64_t state_;
};

enum class NodeKind : uint8_t { kKernel, kMix, kDummy, kSkip, kAlloc };

// A task's place in the recent past: what later tasks may depend on.
struct Produced {
  uint64_t id;
  int64_t end;
};

class Generator {
 public:
  explicit Generator(const GeneratorOptions& options)
      : options_(options),
        random_(options.seed),
        cores_(static_cast<size_t>(options.clusters) * 3),
        events_(StreamCount()) {}

  capture::CaptureBundle Generate() {
    for (uint64_t i = 0; i < options_.tasks; ++i) AddTask(i);
    return Assemble();
  }

 private:
  struct Core {
    int64_t free_at = kFirstCycle;       // end of the last row placed
    int64_t slot_free_at = kFirstCycle;  // when the second slot takes another dispatch
    uint32_t next_token = 1;
    std::vector<std::shared_ptr<capture::AicoreTaskBlock>> aicore;
    std::vector<std::shared_ptr<capture::SchedulerTaskBlock>> scheduler;
  };

  size_t StreamCount() const {
    switch (options_.profile) {
      case Profile::kRingbuffer:
        return static_cast<size_t>(options_.threads);
      case Profile::kHostGraph:
        return static_cast<size_t>(options_.threads) + 1;  // the P thread is the last
      case Profile::kAicore:
        return static_cast<size_t>(options_.clusters);
    }
    return 0;
  }

  // Cores are numbered in blocks: all AICs, then the AIV pairs of the clusters.
  int ClusterOf(size_t core) const {
    const auto clusters = static_cast<size_t>(options_.clusters);
    return static_cast<int>(core < clusters ? core : (core - clusters) / 2);
  }
  size_t StreamOf(size_t core) const {
    const auto cluster = static_cast<size_t>(ClusterOf(core));
    return options_.profile == Profile::kAicore ? cluster
                                                : cluster % static_cast<size_t>(options_.threads);
  }

  NodeKind DrawKind() {
    if (random_.Chance(options_.dummy)) return NodeKind::kDummy;
    if (random_.Chance(options_.skip)) return NodeKind::kSkip;
    if (random_.Chance(options_.alloc)) return NodeKind::kAlloc;
    if (random_.Chance(options_.mix)) return NodeKind::kMix;
    return NodeKind::kKernel;
  }

  void AddTask(uint64_t index) {
    const uint64_t ring = index / kTasksPerRing % 4;
    const uint64_t id = ring << 32 | index;
    const NodeKind kind = DrawKind();
    submit_at_ += random_.Between(4, 16);
    const int64_t submitted = submit_at_ + random_.Between(10, 30);
    AddSubmit(index, id, submitted);

    int64_t ready = submitted;
    if (index > 0 && !random_.Chance(options_.roots)) ready = AddProducers(id, ready);

    const bool aic = kind == NodeKind::kKernel && random_.Chance(0.4);
    const uint32_t blocks = kind == NodeKind::kKernel && random_.Chance(options_.spmd)
                                ? static_cast<uint32_t>(random_.Between(2, 2 * options_.clusters))
                                : 1;
    AddNode(id, kind, aic, blocks);
    int64_t end = ready;
    switch (kind) {
      case NodeKind::kKernel:
        for (uint32_t block = 0; block < blocks; ++block) {
          end = std::max(end, Place(id, aic ? CoreType::kAic : CoreType::kAiv, ready));
        }
        break;
      case NodeKind::kMix:
        end = Place(id, CoreType::kAic, ready);
        for (int half = 0; half < 2; ++half) {
          end = std::max(end, Place(id, CoreType::kAiv, ready));
        }
        break;
      case NodeKind::kDummy:
        AddMarker(id, PhaseKind::kDummyTask, ready);
        break;
      case NodeKind::kSkip:
        AddMarker(id, PhaseKind::kPredicatedSkip, ready);
        break;
      case NodeKind::kAlloc:
        end = submitted;
        break;
    }
    recent_[index % recent_.size()] = {id, end};
    recent_count_ = std::min(recent_count_ + 1, recent_.size());
  }

  // Edges from one to four recent tasks; returns when the last of them ends.
  int64_t AddProducers(uint64_t id, int64_t ready) {
    static constexpr int kFanIn[] = {1, 1, 2, 2, 3, 4};
    const int count = kFanIn[random_.Next() % std::size(kFanIn)];
    for (int i = 0; i < count; ++i) {
      const Produced& producer = recent_[random_.Next() % recent_count_];
      graph_.AddEdge(producer.id, id);
      ready = std::max(ready, producer.end);
    }
    return ready;
  }

  void AddNode(uint64_t id, NodeKind kind, bool aic, uint32_t blocks) {
    if (kind == NodeKind::kAlloc) return;  // allocations are named by edges only
    capture::DependencyGraph::Node node;
    node.id = id;
    node.has_kernels = true;
    node.has_block_num = true;
    node.block_num = blocks;
    const auto kernel = static_cast<int32_t>(random_.Next() % kKernels);
    if (kind == NodeKind::kMix) {
      node.kernel_ids = {kernel, kernel + kKernels, kernel + kKernels};
    } else if (kind != NodeKind::kDummy) {
      node.kernel_ids[aic ? 0 : 1] = aic ? kernel : kernel + kKernels;
    }
    graph_.AddTask(node);
  }

  // Places one row on the core of the engine that frees first; returns its end.
  int64_t Place(uint64_t id, CoreType type, int64_t ready) {
    const auto clusters = static_cast<size_t>(options_.clusters);
    const size_t begin = type == CoreType::kAic ? 0 : clusters;
    const size_t end = type == CoreType::kAic ? clusters : 3 * clusters;
    size_t best = begin;
    for (size_t core = begin + 1; core < end; ++core) {
      if (cores_[core].free_at < cores_[best].free_at) best = core;
    }
    Core& core = cores_[best];
    const int64_t dispatch = std::max(ready, core.slot_free_at) + random_.Between(20, 80);
    const int64_t receive =
        std::max(dispatch + random_.Between(5, 20), core.free_at + random_.Between(15, 50));
    const int64_t setup = random_.Between(2, 30);
    const int64_t start = receive + setup;
    const int64_t stop = start + random_.Between(100, 3000);
    const int64_t finish = stop + random_.Between(10, 60);
    core.slot_free_at = start;
    core.free_at = stop;
    Record(core, best, id, start, stop, static_cast<uint32_t>(setup), dispatch, finish);
    if (options_.level >= 3) RecordPhases(best, id, dispatch, finish);
    return stop;
  }

  void Record(Core& core, size_t core_id, uint64_t id, int64_t start, int64_t end, uint32_t setup,
              int64_t dispatch, int64_t finish) {
    if (core.aicore.empty() || core.aicore.back()->size() == kRowsPerBlock) {
      core.aicore.push_back(std::make_shared<capture::AicoreTaskBlock>());
      core.aicore.back()->has_receive = true;
      core.scheduler.push_back(std::make_shared<capture::SchedulerTaskBlock>());
    }
    const uint32_t token = core.next_token++;
    capture::AicoreTaskBlock& row = *core.aicore.back();
    row.core_id.push_back(static_cast<CoreId>(core_id));
    row.task_id.push_back(id);
    row.reg_task_id.push_back(token);
    row.start.push_back({start});
    row.end.push_back({end});
    row.receive_to_start.push_back(setup);
    if (options_.level < 2) return;
    capture::SchedulerTaskBlock& stamps = *core.scheduler.back();
    stamps.core_id.push_back(static_cast<CoreId>(core_id));
    stamps.reg_task_id.push_back(token);
    stamps.dispatch.push_back({dispatch});
    stamps.finish.push_back({finish});
  }

  void RecordPhases(size_t core, uint64_t id, int64_t dispatch, int64_t finish) {
    std::vector<PhaseEvent>& stream = events_[StreamOf(core)];
    const bool named = options_.profile == Profile::kAicore;
    if (named) stream.push_back({dispatch - 8, PhaseKind::kStateProbe, true, id});
    stream.push_back({dispatch, PhaseKind::kDispatch, named, id});
    stream.push_back({finish, PhaseKind::kComplete, named, id});
    if (named) stream.push_back({finish + 6, PhaseKind::kResolve, true, id});
    if (options_.profile != Profile::kHostGraph) return;
    events_.back().push_back({finish + 12, PhaseKind::kResolveStandalone, false, 0});
    if (id % 4 == 0) events_.back().push_back({finish + 40, PhaseKind::kAsyncPoll, false, 0});
  }

  void AddMarker(uint64_t id, PhaseKind kind, int64_t at) {
    if (options_.level < 3 || options_.profile == Profile::kAicore) return;
    std::vector<PhaseEvent>& stream =
        options_.profile == Profile::kHostGraph ? events_.back() : events_.front();
    stream.push_back({at + 4, kind, true, id});
    stream.push_back({at + 6, PhaseKind::kDummy, false, 0});
  }

  void AddSubmit(uint64_t index, uint64_t id, int64_t end) {
    if (options_.level < 4) return;
    if (submits_.empty() || submits_.back()->size() == kRowsPerBlock) {
      submits_.push_back(std::make_shared<capture::OrchestratorPhaseBlock>());
    }
    capture::OrchestratorPhaseBlock& block = *submits_.back();
    block.kind.push_back(capture::OrchestratorPhaseKind::kSubmit);
    block.present.push_back(capture::OrchestratorPhaseBlock::kSubmitIdx |
                            capture::OrchestratorPhaseBlock::kTaskId);
    block.submit_idx.push_back(static_cast<uint32_t>(index));
    block.task_id.push_back(id);
    block.start.push_back({submit_at_});
    block.end.push_back({end});
    submit_at_ = end;
  }

  capture::CaptureBundle Assemble() {
    capture::CaptureBundle bundle;
    bundle.capture.level = options_.level;
    bundle.capture.generation = capture::Generation::kG3;
    const bool aicore = options_.profile == Profile::kAicore;
    bundle.capture.task_producer = aicore ? capture::Producer::kAicore : capture::Producer::kAicpu;
    FillMetadata(bundle.capture.metadata);
    bundle.capture.runs.push_back(AssembleRun());
    bundle.graph = graph_.Build();
    capture::NameMap names;
    names.level = 2;
    for (int32_t kernel = 0; kernel < 2 * kKernels; ++kernel) {
      names.names[kernel] = "kernel_" + std::to_string(kernel);
    }
    bundle.names = std::move(names);
    return bundle;
  }

  void FillMetadata(capture::Metadata& metadata) const {
    const auto clusters = static_cast<size_t>(options_.clusters);
    metadata.clock_freq_hz = options_.frequency_hz;
    metadata.num_cores = static_cast<int64_t>(cores_.size());
    for (size_t core = 0; core < cores_.size(); ++core) {
      metadata.core_types.push_back(core < clusters ? CoreType::kAic : CoreType::kAiv);
    }
    if (options_.level < 3) return;
    metadata.core_to_thread.emplace();
    for (size_t core = 0; core < cores_.size(); ++core) {
      metadata.core_to_thread->push_back(static_cast<int16_t>(StreamOf(core)));
    }
  }

  capture::Run AssembleRun() {
    capture::Run run;
    for (Core& core : cores_) {
      run.aicore_tasks.insert(run.aicore_tasks.end(), core.aicore.begin(), core.aicore.end());
      if (options_.level < 2) continue;
      run.scheduler_tasks.insert(run.scheduler_tasks.end(), core.scheduler.begin(),
                                 core.scheduler.end());
    }
    run.has_scheduler_tasks = options_.level >= 2;
    run.has_scheduler_streams = options_.level >= 3;
    if (options_.level >= 3) AddStreams(run);
    if (options_.level >= 4) {
      run.orchestrator_lanes.emplace_back(submits_.begin(), submits_.end());
    }
    if (options_.level >= 2 && options_.profile == Profile::kAicore) AddLifecycle(run);
    return run;
  }

  void AddStreams(capture::Run& run) {
    const bool aicore = options_.profile == Profile::kAicore;
    PhaseShape shape;
    shape.nested_resolve = options_.profile == Profile::kRingbuffer;
    if (aicore) shape.lead = shape.trail = 3;
    for (size_t i = 0; i < events_.size(); ++i) {
      capture::SchedulerStream stream;
      stream.recorded = true;
      stream.platform = aicore ? "a5" : "a2a3";
      stream.runtime = options_.profile == Profile::kRingbuffer ? "tensormap_and_ringbuffer"
                                                                : "host_build_graph";
      stream.producer = aicore ? capture::Producer::kAicore : capture::Producer::kAicpu;
      stream.scheduler_id = static_cast<int>(i);
      stream.worker_id = aicore ? options_.clusters + 2 * static_cast<int>(i) : stream.scheduler_id;
      stream.core_type = aicore ? "aiv" : "aicpu";
      if (aicore) stream.physical_core_id = stream.worker_id;
      stream.blocks = LayOutPhases(std::exchange(events_[i], {}), shape);
      stream.counts = capture::SchedulerStream::CaptureCounts{stream.size(), 0, false};
      run.scheduler_streams.push_back(std::move(stream));
    }
  }

  void AddLifecycle(capture::Run& run) const {
    for (int thread = 0; thread < options_.threads; ++thread) {
      capture::LifecycleRecord record;
      record.thread_id = thread;
      // The first fourteen stamps are pairs in order; topology is configured by the leader only.
      for (size_t stamp = 0; stamp < 14; ++stamp) {
        if (thread > 0 && (stamp == 2 || stamp == 3)) continue;
        record.stamps[stamp] = DeviceCycles{kFirstCycle - 2000 + 100 * static_cast<int64_t>(stamp)};
      }
      run.lifecycle.push_back(record);
    }
  }

  GeneratorOptions options_;
  Random random_;
  std::vector<Core> cores_;
  std::vector<std::vector<PhaseEvent>> events_;  // per stream, in task order
  std::vector<std::shared_ptr<capture::OrchestratorPhaseBlock>> submits_;
  capture::DependencyGraph::Builder graph_;
  std::array<Produced, 96> recent_{};
  size_t recent_count_ = 0;
  int64_t submit_at_ = kFirstCycle;
};

}  // namespace

capture::CaptureBundle GenerateCapture(const GeneratorOptions& options) {
  return Generator(options).Generate();
}

}  // namespace simpler::support
