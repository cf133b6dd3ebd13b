// Which scheduler thread serves a core.
#pragma once

#include <vector>

#include "analysis/capture/capture.h"
#include "analysis/timeline/scheduler_index.h"
#include "analysis/timeline/task_index.h"

namespace simpler::timeline {

inline constexpr int kNoThread = -1;

// By core id: a stream of the run, or kNoThread.
using ThreadOfCore = std::vector<int>;

// As the capture's core_to_thread says; empty when it says nothing. Entries without a stream are
// kNoThread.
ThreadOfCore RecordedThreads(const capture::Metadata& metadata, size_t stream_count);

// For captures without that map: every row votes for each thread with a dispatch phase around its
// dispatch, and the thread with most votes serves the core (equal votes: the smaller thread).
// O(rows * threads * log phases).
ThreadOfCore VoteForThreads(const TaskIndex& tasks, const SchedulerIndex& phases);

}  // namespace simpler::timeline
