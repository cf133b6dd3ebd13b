#include "analysis/overhead/verdict.h"

#include "analysis/overhead/verdict_sentences.h"

namespace simpler::overhead {
namespace {

using capture::CycleSpan;

// part / whole >= percent / 100, exactly.
bool ReachesPercent(CycleSpan part, CycleSpan whole, int percent) {
  __extension__ using Wide = __int128;
  return Wide{part} * 100 >= Wide{whole} * percent;
}

VerdictClass Classify(const OverheadInputs& inputs, const OverheadReport& report) {
  if (!report.sweep || report.window->length() == 0) return VerdictClass::kUnknown;
  if (KnownTasksPercent(inputs) < kMinKnownTasksPercent) return VerdictClass::kUnknown;
  const CycleSpan has = report.sweep->headline.has;
  if (ReachesPercent(has, report.window->length(), 25)) return VerdictClass::kSchedulerBound;
  if (ReachesPercent(has, report.window->length(), 8)) {
    return VerdictClass::kPartiallySchedulerLimited;
  }
  return VerdictClass::kComputeOrDependencyBound;
}

std::optional<VerdictBlame> AssignBlame(VerdictClass verdict, const OverheadReport& report) {
  if (verdict == VerdictClass::kUnknown) return std::nullopt;
  const OverheadSweep& sweep = *report.sweep;
  const CycleSpan united = sweep.headline.united;
  if (sweep.unsubmitted && *sweep.unsubmitted > united - *sweep.unsubmitted) {
    return VerdictBlame::kHost;
  }
  return verdict == VerdictClass::kComputeOrDependencyBound ? VerdictBlame::kDependencies
                                                            : VerdictBlame::kScheduler;
}

}  // namespace

const char* VerdictClassName(VerdictClass verdict) {
  switch (verdict) {
    case VerdictClass::kSchedulerBound:
      return "scheduler_bound";
    case VerdictClass::kPartiallySchedulerLimited:
      return "partially_scheduler_limited";
    case VerdictClass::kComputeOrDependencyBound:
      return "compute_or_dependency_bound";
    case VerdictClass::kUnknown:
      break;
  }
  return "unknown";
}

const char* VerdictBlameName(VerdictBlame blame) {
  switch (blame) {
    case VerdictBlame::kHost:
      return "host";
    case VerdictBlame::kScheduler:
      return "scheduler";
    case VerdictBlame::kDependencies:
      break;
  }
  return "dependencies";
}

Verdict ReachVerdict(const VerdictInputs& inputs) {
  Verdict verdict;
  verdict.verdict = Classify(*inputs.inputs, *inputs.report);
  verdict.blame = AssignBlame(verdict.verdict, *inputs.report);
  verdict.sentences = WriteSentences(inputs, verdict);
  return verdict;
}

}  // namespace simpler::overhead
