#include "collector/device/aicpu_launch.h"

#include <algorithm>

#include "collector/protocol/level.h"
#include "collector/protocol/shared_word.h"

namespace simpler::device {

using protocol::BufferKind;
using protocol::RegionLayout;

namespace {

RegionLayout LayoutOf(const LaunchConfig& config) {
  return {*config.architecture, config.num_cores};
}

// Without waiting and without an account of the failure: what a lane starts with.
void TakeFirstBuffer(Lane* lane, const DeviceMemory& memory,
                     const protocol::BufferCapacities& capacities) {
  protocol::StoreRelaxed(lane->pool->head.current_buf_ptr, 0);
  protocol::StoreRelaxed(lane->pool->head.current_buf_seq, 0);
  if (lane->HasFreeBuffer()) lane->ClaimBuffer(0, memory, capacities);
}

}  // namespace

bool AicpuLaunch::Begin(const LaunchConfig& config) {
  config_ = config;
  level_ = 0;
  has_phases_ = false;
  cores_.fill({});
  sched_.fill({});
  orch_ = {};
  if (!HasRegion()) return false;

  const RegionLayout layout = LayoutOf(config_);
  const uint32_t level = protocol::LoadAcquire(*HeaderWord(layout.Level()));
  auto* table = config_.memory.FindAs<uint64_t>(config_.rotation_table, config_.num_cores);
  if (table == nullptr || level == 0 || level > protocol::kMaxLevel) return false;
  level_ = level;
  for (uint32_t core = 0; core < config_.num_cores; ++core) {
    CoreLanes& lanes = cores_[core];
    lanes.aicpu_task = MakeLane(BufferKind::kAicpuTask, core);
    lanes.aicore_task = MakeLane(BufferKind::kAicoreTask, core);
    TakeFirstBuffer(&lanes.aicpu_task, config_.memory, config_.capacities);
    TakeFirstBuffer(&lanes.aicore_task, config_.memory, config_.capacities);
    protocol::StoreRelease(table[core],
                           config_.region + layout.Pool(BufferKind::kAicoreTask, core));
  }
  return true;
}

void AicpuLaunch::BeginPhases(uint32_t sched_threads, uint32_t orchestrators) {
  if (level_ < protocol::kLevelSchedPhases) return;
  const RegionLayout layout = LayoutOf(config_);
  has_phases_ = true;
  protocol::StoreRelaxed(*HeaderWord(layout.NumPhaseCores()), 0);
  protocol::StoreRelaxed(*HeaderWord(layout.NumOrchPhaseThreads()), orchestrators);
  protocol::StoreRelease(*HeaderWord(layout.NumSchedPhaseThreads()), sched_threads);
  // A thread beyond the count may still record, as an orchestrator does that turns into a
  // scheduler; it takes its first buffer then.
  for (uint32_t thread = 0; thread < layout.max_threads(); ++thread) {
    sched_[thread] = MakeLane(BufferKind::kSchedPhase, thread);
    if (thread < sched_threads) {
      TakeFirstBuffer(&sched_[thread], config_.memory, config_.capacities);
    }
  }
  // At level 3 the orchestrator's pool has no buffers.
  if (level_ < protocol::kLevelOrchPhases || orchestrators == 0) return;
  orch_ = MakeLane(BufferKind::kOrchPhase, 0);
  TakeFirstBuffer(&orch_, config_.memory, config_.capacities);
}

void AicpuLaunch::PublishCoreToThread(const int8_t* threads) {
  if (!has_phases_) return;
  const RegionLayout layout = LayoutOf(config_);
  std::byte* region = config_.memory.Find(config_.region, layout.size(), 64);
  std::copy_n(threads, config_.num_cores,
              reinterpret_cast<int8_t*>(region + layout.CoreToThread(0)));
  protocol::StoreRelease(*HeaderWord(layout.NumPhaseCores()), config_.num_cores);
}

RunSummary AicpuLaunch::Summarize() const {
  RunSummary summary;
  summary.num_cores = num_cores();
  for (uint32_t core = 0; core < num_cores(); ++core) {
    summary.aicpu_task[core] = cores_[core].aicpu_task.lost;
    summary.aicore_task[core] = cores_[core].aicore_task.lost;
  }
  for (uint32_t thread = 0; thread < protocol::kMaxThreads; ++thread) {
    summary.sched_phase[thread] = sched_[thread].lost;
  }
  summary.orch_phase = orch_.lost;
  return summary;
}

Lane AicpuLaunch::MakeLane(BufferKind kind, uint32_t instance) const {
  const uint64_t pool = config_.region + LayoutOf(config_).Pool(kind, instance);
  return {.pool = config_.memory.FindAs<protocol::PoolState>(pool),
          .kind = kind,
          .instance = instance,
          .capacity = config_.capacities.Records(kind)};
}

bool AicpuLaunch::HasRegion() const {
  if (config_.region == 0 || config_.architecture == nullptr || config_.num_cores == 0)
    return false;
  if (config_.num_cores > config_.architecture->max_cores) return false;
  const RegionLayout layout = LayoutOf(config_);
  if (config_.memory.Find(config_.region, layout.size(), 64) == nullptr) return false;
  return protocol::LoadAcquire(*HeaderWord(layout.NumCores())) == config_.num_cores;
}

uint32_t* AicpuLaunch::HeaderWord(uint64_t offset) const {
  return config_.memory.FindAs<uint32_t>(config_.region + offset);
}

}  // namespace simpler::device
