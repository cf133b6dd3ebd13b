#include "analysis/capture/capture.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace simpler::capture {
namespace {

template <typename Blocks>
size_t RowCount(const Blocks& blocks) {
  return std::accumulate(blocks.begin(), blocks.end(), size_t{0},
                         [](size_t sum, const auto& block) { return sum + block->size(); });
}

class MinimumPositive {
 public:
  void Add(DeviceCycles stamp) {
    if (stamp.value > 0) min_ = std::min(min_, stamp.value);
  }
  void Add(const std::vector<DeviceCycles>& stamps) {
    for (DeviceCycles stamp : stamps) Add(stamp);
  }
  DeviceCycles value() const { return {min_ == std::numeric_limits<int64_t>::max() ? 0 : min_}; }

 private:
  int64_t min_ = std::numeric_limits<int64_t>::max();
};

void AddReceiveStamps(const AicoreTaskBlock& block, MinimumPositive& min) {
  if (!block.has_receive) {
    min.Add(block.start);
    return;
  }
  for (size_t row = 0; row < block.size(); ++row) {
    min.Add(block.start[row] - CycleSpan{block.receive_to_start[row]});
  }
}

}  // namespace

const char* CoreTypeName(CoreType type) {
  switch (type) {
    case CoreType::kAic:
      return "aic";
    case CoreType::kAiv:
      return "aiv";
    case CoreType::kNone:
      break;
  }
  return "none";
}

const char* ProducerName(Producer producer) {
  return producer == Producer::kAicore ? "aicore" : "aicpu";
}

const char* LifecycleStampName(LifecycleStamp stamp) {
  static constexpr const char* kNames[kLifecycleStampCount] = {"handshake_start",
                                                               "handshake_complete",
                                                               "config_start",
                                                               "topology_complete",
                                                               "context_publish_start",
                                                               "context_publish_complete",
                                                               "bootstrap_wait_start",
                                                               "bootstrap_complete",
                                                               "register_release_start",
                                                               "register_release_end",
                                                               "exit_signal_start",
                                                               "exit_signal_end",
                                                               "exit_wait_start",
                                                               "exit_wait_end",
                                                               "handshake_observed",
                                                               "handshake_partition_complete",
                                                               "register_release",
                                                               "exit_signal",
                                                               "exit_ack"};
  return kNames[static_cast<size_t>(stamp)];
}

size_t SchedulerStream::size() const { return RowCount(blocks); }
size_t Run::aicore_row_count() const { return RowCount(aicore_tasks); }
size_t Run::scheduler_row_count() const { return RowCount(scheduler_tasks); }

bool IsHostOrchestrated(const Capture& capture, const Run& run) {
  const auto has_records = [](const std::vector<HostSubmit>& lane) { return !lane.empty(); };
  return capture.metadata.host_orchestrated || capture.metadata.host_capture.has_value() ||
         std::any_of(run.host_submit_lanes.begin(), run.host_submit_lanes.end(), has_records);
}

DeviceCycles EarliestStamp(const Run& run) {
  MinimumPositive min;
  for (const auto& block : run.aicore_tasks) {
    AddReceiveStamps(*block, min);
    min.Add(block->end);
  }
  for (const auto& block : run.scheduler_tasks) {
    min.Add(block->dispatch);
    min.Add(block->finish);
  }
  for (const SchedulerStream& stream : run.scheduler_streams) {
    for (const auto& block : stream.blocks) {
      min.Add(block->start);
      min.Add(block->end);
    }
  }
  for (const OrchestratorLane& lane : run.orchestrator_lanes) {
    for (const auto& block : lane) {
      min.Add(block->start);
      min.Add(block->end);
    }
  }
  for (const LifecycleRecord& record : run.lifecycle) {
    for (const auto& stamp : record.stamps) {
      if (stamp) min.Add(*stamp);
    }
  }
  return min.value();
}

}  // namespace simpler::capture
