// Builds small captures in memory, in microseconds, for unit tests:
//
//   const Capture capture = CaptureBuilder()
//                               .Cores({"aic", "aiv"})
//                               .Row(1, 0, {.dispatch = 0, .start = 1, .end = 10, .finish = 11})
//                               .Row(2, 1, {.dispatch = 12, .start = 13, .end = 20, .finish = 21})
//                               .BuildCapture();
//
// Streams are cut into very small blocks, so every test also exercises iteration over blocks.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "analysis/capture/capture.h"
#include "analysis/capture/dependency_graph.h"
#include "analysis/capture/labels.h"

namespace simpler::support {

class CaptureBuilder {
 public:
  // Times of one row in µs; `{d, s, e, f}` sets dispatch, start, end and finish. A row has
  // scheduler stamps when dispatch or finish is given (the other then equals the kernel's start or
  // end).
  struct RowTimes {
    std::optional<double> dispatch{};
    double start = 0;
    double end = 0;
    std::optional<double> finish{};
    std::optional<double> receive{};        // absent: not recorded
    std::optional<uint32_t> reg_task_id{};  // absent: the next token of the core
  };

  struct PhaseFields {
    std::optional<uint32_t> loop = 0;
    std::optional<uint32_t> tasks = 0;
    std::optional<uint64_t> task_id{};
    std::optional<std::pair<uint32_t, uint32_t>> pops{};  // hit, miss
    std::optional<capture::QueueDepths> depths_at_start{};
    std::optional<capture::QueueDepths> depths_at_end{};
  };

  struct StreamFields {
    std::optional<int> worker_id{};  // absent: the stream's index
    std::string core_type = "aicpu";
    std::optional<int> physical_core_id{};
    std::optional<capture::SchedulerStream::CaptureCounts> counts{};
    std::string platform{};
    std::string runtime{};
  };

  // `origin` is the cycle count of 0 µs; with the default even times before zero are legal stamps.
  explicit CaptureBuilder(int64_t frequency_hz = 1'000'000'000, int64_t origin = 1'000'000);

  capture::DeviceCycles origin() const { return origin_; }
  // The stamp of a time in µs, rounded to the nearest cycle.
  capture::DeviceCycles Stamp(double micros) const;

  // Capture-wide settings. Level is 4 and a block holds two records unless set here.
  CaptureBuilder& Level(int level);
  CaptureBuilder& BlockSize(size_t records);
  CaptureBuilder& Cores(const std::vector<std::string>& types);  // "aic", "aiv" or "none" by core
  CaptureBuilder& CoreToThread(const std::vector<int16_t>& threads);
  CaptureBuilder& Runtime(const std::string& runtime);
  CaptureBuilder& TaskProducer(capture::Producer producer);
  // Everything else of the metadata, to be changed in place.
  capture::Metadata& metadata() { return header_.metadata; }

  // Starts a further run with this epoch. Called before the first record it names the first run.
  CaptureBuilder& NextRun(int64_t epoch);

  CaptureBuilder& Row(uint64_t task, capture::CoreId core, const RowTimes& times);
  // A scheduler row of its own, for tests of unmatched and reordered streams.
  CaptureBuilder& SchedulerRow(capture::CoreId core, uint32_t reg_task_id, double dispatch,
                               double finish);

  // Declares a scheduler stream. Streams named only by Phase are AICPU threads with default fields;
  // indices that nobody names are gaps.
  CaptureBuilder& Stream(size_t index, capture::Producer producer, const StreamFields& fields);
  CaptureBuilder& Phase(size_t stream, capture::PhaseKind kind, double start, double end,
                        const PhaseFields& fields);
  CaptureBuilder& Phase(size_t stream, capture::PhaseKind kind, double start, double end) {
    return Phase(stream, kind, start, end, PhaseFields{});
  }

  CaptureBuilder& OrchSubmit(size_t lane, uint32_t submit_idx, uint64_t task, double start,
                             double end);
  CaptureBuilder& Lifecycle(
      int thread, std::initializer_list<std::pair<capture::LifecycleStamp, double>> stamps);
  // Host orchestration, in nanoseconds of the host's clock.
  CaptureBuilder& HostSubmit(size_t lane, uint32_t submit_idx, uint64_t task, int64_t start_ns,
                             int64_t end_ns);
  CaptureBuilder& Upload(const std::string& phase, int64_t start_ns, int64_t end_ns, int64_t bytes);

  // The dependency graph: described tasks, and edges, which may name undescribed ones.
  CaptureBuilder& Node(uint64_t task, std::array<int32_t, 3> kernel_ids, uint32_t block_num = 1);
  CaptureBuilder& Edge(uint64_t pred, uint64_t succ);
  CaptureBuilder& Name(int32_t func_id, const std::string& name);

  // Each call makes an independent object; the builder may be extended and used again.
  capture::Capture BuildCapture() const;
  capture::DependencyGraph BuildGraph() const;
  const capture::NameMap& names() const { return names_; }

 private:
  struct StreamDraft {
    capture::SchedulerStream header;  // without blocks
    std::vector<capture::SchedulerPhaseBlock> blocks;
  };
  struct RunDraft {
    capture::Run header;  // without blocks
    std::vector<capture::AicoreTaskBlock> aicore;
    std::vector<capture::SchedulerTaskBlock> scheduler;
    std::vector<StreamDraft> streams;
    std::vector<std::vector<capture::OrchestratorPhaseBlock>> orchestrator;
    std::map<capture::CoreId, uint32_t> next_token;
  };

  template <typename Block>
  Block& OpenBlock(std::vector<Block>& blocks) const;
  StreamDraft& StreamAt(size_t index);
  capture::Run Freeze(const RunDraft& draft) const;

  capture::Capture header_;  // without runs
  capture::DeviceCycles origin_;
  size_t block_size_ = 2;
  std::vector<RunDraft> runs_{1};
  capture::DependencyGraph::Builder graph_;
  capture::NameMap names_;
};

}  // namespace simpler::support
