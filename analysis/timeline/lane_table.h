// The lanes of a trace: processes, numbers, names, and which of them the options keep.
//
// Numbers (pid, tid) are those that users of existing traces know; docs/timeline.md lists them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "analysis/capture/capture.h"
#include "analysis/capture/labels.h"
#include "analysis/timeline/graph_instances.h"
#include "analysis/timeline/lifecycle_bars.h"
#include "analysis/timeline/orchestrator_index.h"
#include "analysis/timeline/row_lanes.h"
#include "analysis/timeline/scheduler_index.h"

namespace simpler::timeline {

// Also the process id.
enum class Process : uint8_t {
  kOrchestrator = 1,
  kScheduler = 2,
  kSchedulerView = 3,
  kWorkerView = 4,
  kGraphExecution = 5,
  kLifecycle = 6,
};

enum class LaneKind : uint8_t {
  kOrchestrator,   // key: orchestrator lane
  kUploads,        //
  kScheduler,      // key: stream
  kResolve,        // key: stream
  kSchedulerView,  // key: position of the core among those that ran, sub: its sub-lane
  kWorker,         // key: as above
  kAicpuWorker,    // key: AICPU number
  kGraph,          // key: graph lane
  kLifecycle,      // key: AICPU thread
};

struct Lane {
  Process process;
  LaneKind kind;
  int32_t tid;
  uint32_t key = 0;
  uint32_t sub = 0;
  std::string name;
  bool kept = true;  // by the lane filter
};

// Lane filter of TimelineOptions::lanes.
bool LaneMatches(const std::vector<std::string>& patterns, const std::string& process,
                 const std::string& lane);

inline constexpr const char* kReadyQueueTrack = "shared_ready_queue (global)";
inline constexpr int32_t kReadyQueueTid = 3999;
inline constexpr int32_t kUploadTid = 4100;

class LaneTable {
 public:
  struct Parts {
    const capture::Capture& capture;
    const capture::Run& run;
    const capture::NameMap* names;  // may be null
    const RowLanes& rows;
    const SchedulerIndex& phases;
    const OrchestratorIndex& orchestrator;
    const std::vector<GraphInstance>& graphs;
    const LifecycleBars& lifecycle;
    const std::vector<std::string>& patterns;  // empty keeps every lane
  };
  explicit LaneTable(const Parts& parts);

  // Grouped by process, in the order in which viewers should show them.
  const std::vector<Lane>& lanes() const { return lanes_; }
  bool HasProcess(Process process) const;
  std::string ProcessName(Process process) const;
  bool has_uploads() const { return has_uploads_; }
  bool keeps_counters() const { return keeps_counters_; }

  // Index in lanes().
  uint32_t Worker(capture::CoreId core) const { return worker_[core]; }
  uint32_t SchedulerView(capture::CoreId core, uint32_t sub) const {
    return scheduler_view_[core] + sub;
  }
  uint32_t Scheduler(size_t stream) const { return scheduler_[stream]; }
  // The main lane when the stream has no sub-lane.
  uint32_t Resolve(size_t stream) const { return resolve_[stream]; }
  uint32_t AicpuWorker(size_t number) const { return aicpu_worker_[number]; }
  uint32_t Orchestrator(size_t lane) const { return orchestrator_[lane]; }
  uint32_t Graph(size_t lane) const { return graph_[lane]; }
  uint32_t Uploads() const { return uploads_; }
  uint32_t Lifecycle(int thread) const { return lifecycle_.at(thread); }

  // AICPU number of the first orchestrator: scheduler threads come before it.
  uint32_t first_orchestrator_aicpu() const { return scheduler_aicpus_; }
  // A number for a lane beyond the table, unique in the trace.
  int32_t ExtraTid(uint32_t n) const { return first_extra_tid_ + static_cast<int32_t>(n); }

 private:
  uint32_t Add(Process process, LaneKind kind, int32_t tid, uint32_t key, std::string name,
               uint32_t sub = 0);
  void AddOrchestrators(const Parts& parts);
  void AddSchedulers(const Parts& parts);
  void AddSchedulerView(const Parts& parts);
  void AddWorkers(const Parts& parts);
  void AddGraphs(const Parts& parts);
  void AddLifecycle(const Parts& parts);

  std::vector<Lane> lanes_;
  std::string orchestrator_process_;
  std::string scheduler_process_;
  bool has_uploads_ = false;
  bool keeps_counters_ = true;
  uint32_t scheduler_aicpus_ = 0;
  int32_t first_extra_tid_ = 1'000'000;

  std::vector<uint32_t> worker_, scheduler_view_;  // by core id
  std::vector<uint32_t> scheduler_, resolve_, aicpu_worker_, orchestrator_, graph_;
  std::unordered_map<int, uint32_t> lifecycle_;
  uint32_t uploads_ = 0;
};

}  // namespace simpler::timeline
