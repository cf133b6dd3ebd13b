// What the inputs of a run cannot support, in words.
#pragma once

#include <vector>

#include "analysis/capture/warning.h"
#include "analysis/overhead/analyze_overhead.h"
#include "analysis/overhead/overhead_report.h"

namespace simpler::overhead {

// One warning per cause; parts of `report` that are absent are explained by at least one of them.
// Codes: no_rows, no_scheduler_stamps, rows_without_scheduler, scheduler_rows_without_core,
// no_dependency_graph, tasks_not_in_graph, edges_to_absent_tasks, no_submissions,
// no_scheduler_phases, no_core_to_thread, dropped_phase_records.
std::vector<capture::Warning> ExplainLimits(const OverheadInputs& inputs,
                                            const OverheadReport& report);

}  // namespace simpler::overhead
