#include "analysis/timeline/queue_samples.h"

#include <algorithm>
#include <cstdint>
#include <queue>
#include <tuple>
#include <vector>

namespace simpler::timeline {
namespace {

using capture::DeviceCycles;

// Records of a stream that hold a sample, by end.
std::vector<uint32_t> SampledRecords(const SchedulerIndex& phases, uint32_t stream) {
  std::vector<uint32_t> records;
  for (uint32_t record = 0; record < phases.size(stream); ++record) {
    if (phases.HasQueueSample({stream, record})) records.push_back(record);
  }
  const auto earlier = [&](uint32_t a, uint32_t b) {
    return phases.End({stream, a}) < phases.End({stream, b});
  };
  if (!std::is_sorted(records.begin(), records.end(), earlier)) {
    std::stable_sort(records.begin(), records.end(), earlier);
  }
  return records;
}

struct Next {
  DeviceCycles at;
  uint32_t stream;
  size_t position;  // in the stream's records
};

struct IsLater {
  bool operator()(const Next& a, const Next& b) const {
    return std::tie(a.at, a.stream) > std::tie(b.at, b.stream);
  }
};

}  // namespace

void ForEachQueueSample(
    const SchedulerIndex& phases,
    const std::function<void(DeviceCycles, const capture::QueueDepths&)>& visit) {
  std::vector<std::vector<uint32_t>> records;
  std::priority_queue<Next, std::vector<Next>, IsLater> queue;
  const auto push = [&](uint32_t stream, size_t position) {
    if (position == records[stream].size()) return;
    queue.push({phases.End({stream, records[stream][position]}), stream, position});
  };
  for (uint32_t stream = 0; stream < phases.streams().size(); ++stream) {
    records.push_back(SampledRecords(phases, stream));
    push(stream, 0);
  }
  while (!queue.empty()) {
    const Next next = queue.top();
    queue.pop();
    const auto [block, row] = phases.At({next.stream, records[next.stream][next.position]});
    visit(next.at, block->depths_at_end[row]);
    push(next.stream, next.position + 1);
  }
}

}  // namespace simpler::timeline
