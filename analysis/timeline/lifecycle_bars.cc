#include "analysis/timeline/lifecycle_bars.h"

#include <optional>

namespace simpler::timeline {
namespace {

using capture::DeviceCycles;
using capture::LifecycleRecord;
using capture::LifecycleStamp;

struct IntervalKind {
  const char* name;
  LifecycleStamp start;
  LifecycleStamp end;
};

constexpr IntervalKind kIntervals[] = {
    {"handshake_partition", LifecycleStamp::kHandshakeStart, LifecycleStamp::kHandshakeComplete},
    {"topology_config", LifecycleStamp::kConfigStart, LifecycleStamp::kTopologyComplete},
    {"context_publish", LifecycleStamp::kContextPublishStart,
     LifecycleStamp::kContextPublishComplete},
    {"bootstrap_wait", LifecycleStamp::kBootstrapWaitStart, LifecycleStamp::kBootstrapComplete},
    {"register_release", LifecycleStamp::kRegisterReleaseStart,
     LifecycleStamp::kRegisterReleaseEnd},
    {"exit_signal", LifecycleStamp::kExitSignalStart, LifecycleStamp::kExitSignalEnd},
    {"exit_wait", LifecycleStamp::kExitWaitStart, LifecycleStamp::kExitWaitEnd},
    // The older form of the record: one interval and three instants.
    {"handshake_partition", LifecycleStamp::kHandshakeObserved,
     LifecycleStamp::kHandshakePartitionComplete},
    {"register_release", LifecycleStamp::kRegisterRelease, LifecycleStamp::kRegisterRelease},
    {"exit_signal", LifecycleStamp::kExitSignal, LifecycleStamp::kExitSignal},
    {"exit_ack", LifecycleStamp::kExitAck, LifecycleStamp::kExitAck},
};

// Lanes are numbered by thread, so the number must stay small.
constexpr int kLargestThreadId = 9999;

int ThreadOf(const LifecycleRecord& record, size_t position) {
  const int thread = record.thread_id.value_or(-1);
  return thread >= 0 && thread <= kLargestThreadId
             ? thread
             : static_cast<int>(position % (kLargestThreadId + 1));
}

}  // namespace

LifecycleBars CollectLifecycleBars(const capture::Run& run) {
  LifecycleBars result;
  for (size_t i = 0; i < run.lifecycle.size(); ++i) {
    const LifecycleRecord& record = run.lifecycle[i];
    for (const IntervalKind& kind : kIntervals) {
      const std::optional<DeviceCycles>& start = record.at(kind.start);
      const std::optional<DeviceCycles>& end = record.at(kind.end);
      if (!start && !end) continue;
      if (start && end && *start <= *end) {
        result.bars.push_back({ThreadOf(record, i), kind.name, *start, *end});
      } else {
        ++result.incomplete;
      }
    }
  }
  return result;
}

}  // namespace simpler::timeline
