// What the scheduler of a synthetic chip did while a schedule was played.
#pragma once

#include <vector>

#include "analysis/capture/capture.h"
#include "tests/support/capture_generator.h"
#include "tests/support/generator/random.h"
#include "tests/support/generator/schedule.h"
#include "tests/support/generator/task_plan.h"

namespace simpler::support {

// Phase streams of the scheduler that `options.runtime` has: one per scheduler thread (and one for
// the resolving thread), or one per cluster. Records of a stream are ordered by end, as writers
// emit them.
std::vector<capture::SchedulerStream> SchedulerPhases(const TaskPlan& plan,
                                                      const GeneratorOptions& options,
                                                      const Chip& chip, const Schedule& schedule,
                                                      Random& random);

}  // namespace simpler::support
