#include "analysis/timeline/scheduler_threads.h"

#include <algorithm>
#include <cstdint>
#include <map>

namespace simpler::timeline {

ThreadOfCore RecordedThreads(const capture::Metadata& metadata, size_t stream_count) {
  if (!metadata.core_to_thread) return {};
  ThreadOfCore threads(metadata.core_to_thread->begin(), metadata.core_to_thread->end());
  for (int& thread : threads) {
    if (thread < 0 || static_cast<size_t>(thread) >= stream_count) thread = kNoThread;
  }
  return threads;
}

ThreadOfCore VoteForThreads(const TaskIndex& tasks, const SchedulerIndex& phases) {
  std::vector<PhaseSearch> dispatches;
  for (uint32_t stream = 0; stream < phases.streams().size(); ++stream) {
    dispatches.push_back(PhasesOfKind(phases, stream, capture::PhaseKind::kDispatch));
  }
  std::map<capture::CoreId, std::vector<uint64_t>> votes;
  const capture::JoinedRun& rows = tasks.rows();
  for (size_t row = 0; row < rows.size(); ++row) {
    if (!rows.has_scheduler(row)) continue;
    std::vector<uint64_t>& of_core = votes[rows.core(row)];
    of_core.resize(dispatches.size());
    for (size_t thread = 0; thread < dispatches.size(); ++thread) {
      if (dispatches[thread].Covering(rows.dispatch(row))) ++of_core[thread];
    }
  }
  ThreadOfCore threads;
  for (const auto& [core, of_core] : votes) {
    threads.resize(size_t{core} + 1, kNoThread);
    const auto most = std::max_element(of_core.begin(), of_core.end());
    if (most != of_core.end() && *most > 0)
      threads[core] = static_cast<int>(most - of_core.begin());
  }
  return threads;
}

}  // namespace simpler::timeline
