// How many tasks of each engine are ready but not dispatched, over time.
#pragma once

#include <vector>

#include "analysis/capture/task_table.h"
#include "analysis/overhead/count_changes.h"
#include "analysis/overhead/overhead_report.h"
#include "analysis/overhead/readiness.h"

namespace simpler::overhead {

// A task waits during [ready, dispatch), cut to the window; it counts for every engine it has rows
// on (a MIX needs all of them). Tasks without scheduler stamps are not counted: nobody knows when
// they were placed. Sorted.
PerEngine<CountChanges> ReadyTasks(const std::vector<capture::Task>& tasks,
                                   const Readiness& readiness, const capture::Window& window);

// The same, from the end of the task's submission on: `submitted[task]` is the end of its
// orch_submit, or the beginning of time when it is not known to have been late.
PerEngine<CountChanges> SubmittedReadyTasks(const std::vector<capture::Task>& tasks,
                                            const Readiness& readiness,
                                            const std::vector<capture::DeviceCycles>& submitted,
                                            const capture::Window& window);

}  // namespace simpler::overhead
