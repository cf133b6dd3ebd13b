// The answer in words: what holds the makespan back, how much, and where to look.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analysis/capture/labels.h"
#include "analysis/overhead/analyze_overhead.h"
#include "analysis/overhead/blame.h"
#include "analysis/overhead/critical_path.h"
#include "analysis/overhead/overhead_report.h"
#include "analysis/overhead/quality.h"

namespace simpler::overhead {

enum class VerdictClass : uint8_t {
  kSchedulerBound,             // has >= 25 % of the makespan
  kPartiallySchedulerLimited,  // has >= 8 %
  kComputeOrDependencyBound,   // less
  kUnknown,                    // the inputs cannot tell
};
// "scheduler_bound", "partially_scheduler_limited", "compute_or_dependency_bound", "unknown".
const char* VerdictClassName(VerdictClass verdict);

enum class VerdictBlame : uint8_t {
  kHost,          // more than half of `united` waits for submissions
  kScheduler,     // else, in one of the first two classes
  kDependencies,  // else
};
// "host", "scheduler", "dependencies". Static storage.
const char* VerdictBlameName(VerdictBlame blame);

struct Verdict {
  VerdictClass verdict = VerdictClass::kUnknown;
  std::optional<VerdictBlame> blame;   // absent iff the class is unknown
  std::vector<std::string> sentences;  // three: who, how much, where to look
};

// What a verdict may draw on; not owned. The optional parts sharpen the last two sentences.
struct VerdictInputs {
  const OverheadInputs* inputs = nullptr;
  const OverheadReport* report = nullptr;
  const Quality* quality = nullptr;
  const CriticalPath* path = nullptr;       // may be null
  const Blame* blame = nullptr;             // may be null; of path->observed
  const capture::NameMap* names = nullptr;  // may be null
};

// The class is unknown when Part 1 is absent, the window is empty, or more than half of the tasks
// are not in the dependency graph. Nothing is said that the level or the inputs do not support; a
// capture with known losses is called INVALID in the first sentence.
Verdict ReachVerdict(const VerdictInputs& inputs);

}  // namespace simpler::overhead
