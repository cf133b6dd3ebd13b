// The in-memory model of a capture: a list of runs, each with its streams of immutable blocks.
// A Capture is built once (by a reader or a collector) and never changes afterwards, so any number
// of threads may read it.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "analysis/capture/blocks.h"
#include "analysis/capture/clock.h"
#include "analysis/capture/warning.h"

namespace simpler::capture {

// Compute engine of a core. kNone: the capture does not say (such a core counts for no engine).
enum class CoreType : uint8_t { kAic = 0, kAiv = 1, kNone = 2 };
inline constexpr size_t kEngineCount = 2;  // kAic, kAiv
// "aic" / "aiv" / "none". Static storage.
const char* CoreTypeName(CoreType type);

// Who stamped scheduler records.
enum class Producer : uint8_t { kAicpu, kAicore };
// "aicpu" / "aicore". Static storage.
const char* ProducerName(Producer producer);

// Generations of the on-disk layout, oldest first (docs/records-json.md).
enum class Generation : uint8_t { kG1, kG2, kG3, kG4 };

// What host orchestration recorded about its own completeness.
struct HostCaptureStatus {
  std::string status;  // "complete", "dropped", "incomplete" or "unknown"
  std::optional<int64_t> expected_records;
  std::optional<int64_t> recorded_records;
  std::optional<int64_t> pool_records;
  std::optional<int64_t> dropped_records;
  std::optional<std::string> error;
};

// A key this project does not interpret, with its JSON text; written back unchanged.
struct OpaqueField {
  std::string key;
  std::string json;
};

struct Metadata {
  int64_t clock_freq_hz = 0;  // > 0
  std::optional<int64_t> num_cores;
  std::vector<CoreType> core_types;                    // indexed by core id
  std::optional<std::vector<int16_t>> core_to_thread;  // indexed by core id, -1 unassigned
  std::optional<std::string> runtime;
  bool host_orchestrated = false;  // orchestrator_source == "host"
  std::optional<HostNanos> host_orchestration_origin;
  std::optional<HostNanos> host_timeline_origin;
  std::optional<HostCaptureStatus> host_capture;
  std::optional<std::string> host_clock_domain_id;
  // Everything else in file order, e.g. clock_anchors, clock_alignment, timeline_relation.
  std::vector<OpaqueField> opaque;

  // Type of a core; cores outside the table are AIV, as the runtime's default is.
  CoreType TypeOf(CoreId core) const {
    return core < core_types.size() ? core_types[core] : CoreType::kAiv;
  }
  // Scheduler thread that retires the core's tasks; -1 when unassigned or unknown.
  int ThreadOf(CoreId core) const {
    return core_to_thread && core < core_to_thread->size() ? (*core_to_thread)[core] : -1;
  }
};

// One scheduler's phase stream. Its position in Run::scheduler_streams is its thread index.
struct SchedulerStream {
  bool recorded = false;  // false: a gap in the ids, nothing was recorded for this scheduler
  std::string platform;   // "a2a3", "a5" or empty when the file does not say
  std::string runtime;    // as above
  Producer producer = Producer::kAicpu;
  int scheduler_id = 0;
  int worker_id = 0;
  std::string core_type;  // "aicpu", "aic", "aiv"
  std::optional<int> physical_core_id;
  struct CaptureCounts {
    uint64_t committed = 0;
    uint64_t dropped = 0;
    bool truncated = false;
  };
  std::optional<CaptureCounts> counts;
  std::vector<std::shared_ptr<const SchedulerPhaseBlock>> blocks;

  size_t size() const;
};

// Calls `visit(const SchedulerPhaseBlock&, size_t row)` for every record in emission order.
template <typename Visitor>
void ForEachPhase(const SchedulerStream& stream, Visitor&& visit) {
  for (const auto& block : stream.blocks) {
    for (size_t row = 0; row < block->size(); ++row) visit(*block, row);
  }
}

using OrchestratorLane = std::vector<std::shared_ptr<const OrchestratorPhaseBlock>>;

template <typename Visitor>
void ForEachPhase(const OrchestratorLane& lane, Visitor&& visit) {
  for (const auto& block : lane) {
    for (size_t row = 0; row < block->size(); ++row) visit(*block, row);
  }
}

// Host orchestration: submits and uploads on the host's clock.
struct HostSubmit {
  std::optional<uint32_t> submit_idx;
  std::optional<uint64_t> task_id;
  HostNanos start;
  HostNanos end;
};

struct HostUpload {
  std::string phase;
  HostNanos start;
  HostNanos end;
  int64_t detail = 0;  // bytes
};

// Stamps of one AICPU thread's control-plane record. The first fourteen are start/end pairs in
// order; the last five are the instants of an earlier form of the record.
enum class LifecycleStamp : uint8_t {
  kHandshakeStart,
  kHandshakeComplete,
  kConfigStart,
  kTopologyComplete,
  kContextPublishStart,
  kContextPublishComplete,
  kBootstrapWaitStart,
  kBootstrapComplete,
  kRegisterReleaseStart,
  kRegisterReleaseEnd,
  kExitSignalStart,
  kExitSignalEnd,
  kExitWaitStart,
  kExitWaitEnd,
  kHandshakeObserved,
  kHandshakePartitionComplete,
  kRegisterRelease,
  kExitSignal,
  kExitAck,
};
inline constexpr size_t kLifecycleStampCount = 19;
// Key on disk without the `_cycles` suffix. Static storage.
const char* LifecycleStampName(LifecycleStamp stamp);

struct LifecycleRecord {
  std::optional<int> thread_id;
  std::array<std::optional<DeviceCycles>, kLifecycleStampCount> stamps;  // absent: not recorded

  const std::optional<DeviceCycles>& at(LifecycleStamp stamp) const {
    return stamps[static_cast<size_t>(stamp)];
  }
};

struct Run {
  std::optional<int64_t> epoch;  // present when the file separates runs
  std::vector<std::shared_ptr<const AicoreTaskBlock>> aicore_tasks;
  std::vector<std::shared_ptr<const SchedulerTaskBlock>> scheduler_tasks;
  bool has_scheduler_tasks = false;                // the section exists (it may be empty)
  std::vector<SchedulerStream> scheduler_streams;  // index = scheduler thread
  bool has_scheduler_streams = false;
  std::vector<OrchestratorLane> orchestrator_lanes;
  std::vector<std::vector<HostSubmit>> host_submit_lanes;
  std::vector<HostUpload> host_uploads;
  std::vector<LifecycleRecord> lifecycle;

  size_t aicore_row_count() const;
  size_t scheduler_row_count() const;
};

struct Capture {
  int level = 0;  // 1..4
  Generation generation = Generation::kG3;
  Producer task_producer = Producer::kAicpu;  // who stamped scheduler_tasks
  Metadata metadata;
  std::vector<Run> runs;            // at least one
  std::vector<OpaqueField> opaque;  // unknown top-level keys, in file order
  std::vector<Warning> warnings;

  CycleScale scale() const { return CycleScale(metadata.clock_freq_hz); }
};

// True when the orchestrator ran on the host (by metadata or because host records exist).
bool IsHostOrchestrated(const Capture& capture, const Run& run);

// The run's time zero: the smallest positive stamp over all its device streams (receive, start and
// end of AICore rows; scheduler rows, matched or not; phases; orchestrator records; lifecycle).
// Zero when the run has no stamp.
DeviceCycles EarliestStamp(const Run& run);

}  // namespace simpler::capture
