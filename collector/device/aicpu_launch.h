// One launch with collection: what the AICPU threads share.
#pragma once

#include <array>
#include <cstdint>

#include "collector/device/back_pressure.h"
#include "collector/device/device_memory.h"
#include "collector/device/lane.h"
#include "collector/device/run_summary.h"
#include "collector/protocol/architecture.h"
#include "collector/protocol/records.h"
#include "collector/protocol/region.h"

namespace simpler::device {

struct LaunchConfig {
  const protocol::Architecture* architecture = nullptr;
  protocol::BufferCapacities capacities;
  DeviceMemory memory;
  uint64_t region = 0;          // device address; 0: this launch collects nothing
  uint64_t rotation_table = 0;  // device address of one entry per core
  uint32_t num_cores = 0;       // as the host was told
  BackPressure back_pressure;
  WaitingRoom waiting;  // `now` is required
};

// Reused for one launch after the other; Begin forgets everything about the last one. Allocates
// nothing. Begin and BeginPhases run on one thread before others use the launch; how a core's lanes
// move from one AICPU thread to another is up to the caller, who orders it.
class AicpuLaunch {
 public:
  // Gives every core a first pair of buffers and publishes where cores find their heads. The caller
  // opens the cores' register windows after it. False: the config is unusable or names memory that
  // does not hold a region, and the launch collects nothing.
  bool Begin(const LaunchConfig& config);

  // From level 3 on: gives the first `sched_threads` threads a phase buffer, and the orchestrator
  // one at level 4. Never waits: the host may not have started yet. `orchestrators` is 1 or 0.
  void BeginPhases(uint32_t sched_threads, uint32_t orchestrators);

  // Which thread serves a core, once that is known (-1: none); one entry per core, num_cores in
  // all. Only from level 3 on. Any one thread.
  void PublishCoreToThread(const int8_t* threads);

  // 0: nothing is collected.
  uint32_t level() const { return level_; }
  uint32_t num_cores() const { return level_ == 0 ? 0 : config_.num_cores; }

  // What the launch lost and why. Call it after every thread has flushed, with their stalls added
  // by AicpuWriter::AddTo.
  RunSummary Summarize() const;

 private:
  friend class AicpuWriter;

  Lane MakeLane(protocol::BufferKind kind, uint32_t instance) const;
  bool HasRegion() const;
  uint32_t* HeaderWord(uint64_t offset) const;

  LaunchConfig config_;
  uint32_t level_ = 0;
  bool has_phases_ = false;
  std::array<CoreLanes, protocol::kMaxCores> cores_;
  std::array<Lane, protocol::kMaxThreads> sched_;
  Lane orch_;
};

}  // namespace simpler::device
