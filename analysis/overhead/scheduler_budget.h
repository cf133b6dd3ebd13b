// Part 5: where the scheduler threads spend their time.
#pragma once

#include <optional>
#include <vector>

#include "analysis/capture/dependency_graph.h"
#include "analysis/capture/joined_run.h"
#include "analysis/capture/task_table.h"
#include "analysis/overhead/overhead_report.h"

namespace simpler::overhead {

// Absent when no stream holds a phase record. `graph` and `nodes` may be null together.
//
// AICPU streams: the outer phases and standalone resolves count; idle is the sum of the gaps
// between them (nothing before the first or after the last); nested resolves, drain_prepare /
// drain_publish and per-task markers never count. A stream without countable work is left out.
// A stream is a resolver (P) iff it holds some of {resolve, async_poll, dummy}, no other outer
// phase, and either a standalone resolve or no core although core_to_thread assigns others.
//
// AICore streams: every recorded kind counts; `busy` is the time covered by any record that is not
// idle, so that a resolve inside a complete counts once there; per-kind totals are plain sums.
//
// Tasks of a thread: each task once, at the thread of its row with the largest finish among the
// rows whose core is mapped. Fan-out and fan-in: each task once, at the thread of its first row,
// self edges and producers without rows included.
std::optional<SchedulerBudget> MeasureScheduler(const capture::JoinedRun& rows,
                                                const std::vector<capture::Task>& tasks,
                                                const capture::DependencyGraph* graph,
                                                const capture::TaskNodes* nodes);

}  // namespace simpler::overhead
