// Which `resolve` records are part of a `complete` or `dummy` record and must not be counted twice.
#pragma once

#include <vector>

#include "analysis/capture/capture.h"

namespace simpler::overhead {

// True when the run holds a `resolve_standalone` record: its writer tells the two apart by kind.
bool MarksStandaloneResolves(const capture::Run& run);

// One flag per record of the stream in emission order: true for nested `resolve` records.
// With `marked`, every plain `resolve` is nested. Otherwise (captures older than the distinction)
// one is nested iff, of the complete and dummy records that start no later, the last one ends
// strictly after it. `resolve_standalone` is never nested, nor is anything an AICore scheduler
// wrote: its lanes are flat. O(records log records).
std::vector<bool> NestedResolves(const capture::SchedulerStream& stream, bool marked);

}  // namespace simpler::overhead
