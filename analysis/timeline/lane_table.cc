#include "analysis/timeline/lane_table.h"

#include <fnmatch.h>

#include <algorithm>
#include <cctype>
#include <set>

#include "fmt/format.h"

namespace simpler::timeline {
namespace {

using capture::CoreId;
using capture::Producer;

constexpr int32_t kOrchestratorTids = 4000;
constexpr int32_t kGraphTids = 5000;
constexpr int32_t kCoreTids = 10000;
constexpr int32_t kTidsPerCore = 10;
constexpr int32_t kAicpuTids = 19000;
constexpr int32_t kSchedulerTids = 30000;
constexpr int32_t kTidsPerScheduler = 10;
constexpr int32_t kLifecycleTids = 60000;

std::string UpperCase(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return text;
}

std::string CoreLaneName(const capture::Metadata& metadata, CoreId core) {
  return fmt::format("{}_{}", UpperCase(capture::CoreTypeName(metadata.TypeOf(core))), core);
}

int32_t CoreTid(CoreId core) { return kCoreTids + kTidsPerCore * core; }

std::string SchedulerLaneName(const capture::SchedulerStream& stream) {
  return stream.producer == Producer::kAicore ? fmt::format("Scheduler_{}", stream.worker_id)
                                              : fmt::format("Sched_{}", stream.scheduler_id);
}

// AICPU threads that schedule: one more than the largest thread that serves a core or recorded a
// phase, or all streams when that says nothing.
uint32_t SchedulerThreadCount(const LaneTable::Parts& parts) {
  int largest = -1;
  if (parts.capture.metadata.core_to_thread) {
    for (int thread : *parts.capture.metadata.core_to_thread) largest = std::max(largest, thread);
  }
  const size_t streams = parts.phases.streams().size();
  for (size_t stream = 0; stream < streams; ++stream) {
    if (parts.phases.size(stream) > 0) largest = std::max(largest, static_cast<int>(stream));
  }
  return largest >= 0 ? static_cast<uint32_t>(largest) + 1 : static_cast<uint32_t>(streams);
}

bool OnlyAicoreSchedulers(const std::vector<capture::SchedulerStream>& streams) {
  bool any = false;
  for (const capture::SchedulerStream& stream : streams) {
    if (stream.recorded && stream.producer == Producer::kAicpu) return false;
    any |= stream.recorded;
  }
  return any;
}

bool IsGlob(const std::string& pattern) {
  return pattern.find_first_of("*?[") != std::string::npos;
}

}  // namespace

bool LaneMatches(const std::vector<std::string>& patterns, const std::string& process,
                 const std::string& lane) {
  if (patterns.empty()) return true;
  const std::string path = process + "/" + lane;
  return std::any_of(patterns.begin(), patterns.end(), [&](const std::string& pattern) {
    if (!IsGlob(pattern)) return path.find(pattern) != std::string::npos;
    return fnmatch(pattern.c_str(), path.c_str(), 0) == 0 ||
           fnmatch(pattern.c_str(), lane.c_str(), 0) == 0;
  });
}

LaneTable::LaneTable(const Parts& parts) {
  AddOrchestrators(parts);
  AddSchedulers(parts);
  AddSchedulerView(parts);
  AddWorkers(parts);
  AddGraphs(parts);
  AddLifecycle(parts);
  for (Lane& lane : lanes_) {
    lane.kept = LaneMatches(parts.patterns, ProcessName(lane.process), lane.name);
  }
  keeps_counters_ = LaneMatches(parts.patterns, scheduler_process_, kReadyQueueTrack);
}

uint32_t LaneTable::Add(Process process, LaneKind kind, int32_t tid, uint32_t key, std::string name,
                        uint32_t sub) {
  lanes_.push_back({process, kind, tid, key, sub, std::move(name), true});
  return static_cast<uint32_t>(lanes_.size() - 1);
}

void LaneTable::AddOrchestrators(const Parts& parts) {
  const bool on_host = parts.orchestrator.on_host();
  has_uploads_ = !parts.run.host_uploads.empty();
  if (on_host) {
    orchestrator_process_ =
        parts.orchestrator.lane_count() > 0 ? "Host Orchestrator" : "Host Prepare";
  } else {
    const bool named = parts.names != nullptr && parts.names->orchestrator_name;
    orchestrator_process_ =
        "AICPU " + (named ? *parts.names->orchestrator_name : std::string("Orchestrator"));
  }
  for (uint32_t lane = 0; lane < parts.orchestrator.lane_count(); ++lane) {
    // Uploads have a number in the middle; a hundredth orchestrator would take it.
    const int32_t tid = kOrchestratorTids + static_cast<int32_t>(lane);
    orchestrator_.push_back(Add(Process::kOrchestrator, LaneKind::kOrchestrator,
                                tid < kUploadTid ? tid : tid + 1, lane,
                                fmt::format("{}_{}", on_host ? "Host" : "Orch", lane)));
  }
  if (has_uploads_) {
    uploads_ = Add(Process::kOrchestrator, LaneKind::kUploads, kUploadTid, 0, "H2D");
  }
}

void LaneTable::AddSchedulers(const Parts& parts) {
  const auto& streams = parts.phases.streams();
  scheduler_process_ = OnlyAicoreSchedulers(streams) ? "AICore Scheduler" : "AICPU Scheduler";
  for (uint32_t stream = 0; stream < streams.size(); ++stream) {
    const int32_t tid = kSchedulerTids + kTidsPerScheduler * static_cast<int32_t>(stream);
    const uint32_t main = Add(Process::kScheduler, LaneKind::kScheduler, tid, stream,
                              SchedulerLaneName(streams[stream]));
    scheduler_.push_back(main);
    resolve_.push_back(parts.phases.HasNestedResolve(stream)
                           ? Add(Process::kScheduler, LaneKind::kResolve, tid + 1, stream,
                                 fmt::format("Sched_{}", stream))
                           : main);
  }
}

void LaneTable::AddSchedulerView(const Parts& parts) {
  if (!parts.rows.has_scheduler_view()) return;
  uint32_t extra = 0;
  for (uint32_t index = 0; index < parts.rows.cores().size(); ++index) {
    const CoreId core = parts.rows.cores()[index];
    const std::string name = CoreLaneName(parts.capture.metadata, core);
    scheduler_view_.resize(size_t{core} + 1);
    scheduler_view_[core] = static_cast<uint32_t>(lanes_.size());
    for (uint32_t sub = 0; sub < parts.rows.SubLaneCount(index); ++sub) {
      const bool has_number = sub < kTidsPerCore;
      Add(Process::kSchedulerView, LaneKind::kSchedulerView,
          has_number ? CoreTid(core) + static_cast<int32_t>(sub) : ExtraTid(extra++), index,
          sub == 0 ? name : fmt::format("{} ({})", name, sub + 1), sub);
    }
  }
  first_extra_tid_ += static_cast<int32_t>(extra);
}

void LaneTable::AddWorkers(const Parts& parts) {
  int32_t aicpu_tids = kAicpuTids;
  for (uint32_t index = 0; index < parts.rows.cores().size(); ++index) {
    const CoreId core = parts.rows.cores()[index];
    worker_.resize(size_t{core} + 1);
    worker_[core] = Add(Process::kWorkerView, LaneKind::kWorker, CoreTid(core), index,
                        CoreLaneName(parts.capture.metadata, core));
    aicpu_tids = std::max(aicpu_tids, CoreTid(core) + kTidsPerCore);
  }
  scheduler_aicpus_ = SchedulerThreadCount(parts);
  const auto aicpus = scheduler_aicpus_ + static_cast<uint32_t>(parts.orchestrator.lane_count());
  for (uint32_t number = 0; number < aicpus; ++number) {
    aicpu_worker_.push_back(Add(Process::kWorkerView, LaneKind::kAicpuWorker,
                                aicpu_tids + static_cast<int32_t>(number), number,
                                fmt::format("AICPU_{}", number)));
  }
}

void LaneTable::AddGraphs(const Parts& parts) {
  uint32_t count = 0;
  for (const GraphInstance& graph : parts.graphs) count = std::max(count, graph.lane + 1);
  for (uint32_t lane = 0; lane < count; ++lane) {
    graph_.push_back(Add(Process::kGraphExecution, LaneKind::kGraph,
                         kGraphTids + static_cast<int32_t>(lane), lane,
                         fmt::format("Graph_{}", lane)));
  }
}

void LaneTable::AddLifecycle(const Parts& parts) {
  std::set<int> threads;
  for (const LifecycleBar& bar : parts.lifecycle.bars) threads.insert(bar.thread);
  for (int thread : threads) {
    lifecycle_[thread] = Add(Process::kLifecycle, LaneKind::kLifecycle, kLifecycleTids + thread,
                             static_cast<uint32_t>(thread), fmt::format("AICPU Thread {}", thread));
  }
}

bool LaneTable::HasProcess(Process process) const {
  return std::any_of(lanes_.begin(), lanes_.end(),
                     [&](const Lane& lane) { return lane.process == process; });
}

std::string LaneTable::ProcessName(Process process) const {
  switch (process) {
    case Process::kOrchestrator:
      return orchestrator_process_;
    case Process::kScheduler:
      return scheduler_process_;
    case Process::kSchedulerView:
      return "Scheduler View";
    case Process::kWorkerView:
      return "Worker View";
    case Process::kGraphExecution:
      return "Graph Execution";
    case Process::kLifecycle:
      return "AICPU Lifecycle";
  }
  return "";
}

}  // namespace simpler::timeline
