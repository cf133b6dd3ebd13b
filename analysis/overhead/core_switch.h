// Part 2: what cores spend picking up a row that was dispatched to them while they were busy.
#pragma once

#include "analysis/overhead/core_rows.h"
#include "analysis/overhead/interval_set.h"
#include "analysis/overhead/overhead_report.h"

namespace simpler::overhead {

// On each core, rows in order of (start, end, dispatch), unstamped ones first among equals: the gap
// between the end of one row and the start of the next is a switch iff it is positive and the next
// row was dispatched strictly before the previous one ended. With `waiting` (when each engine has
// ready, undispatched tasks), the part of a gap during which its engine has any is overhead, the
// rest independent. O(rows log rows).
SwitchReport MeasureSwitches(const CoreRows& rows, const PerEngine<IntervalSet>* waiting);

}  // namespace simpler::overhead
