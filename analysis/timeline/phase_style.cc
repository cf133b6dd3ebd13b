#include "analysis/timeline/phase_style.h"

namespace simpler::timeline {

using capture::OrchestratorPhaseKind;
using capture::PhaseKind;
using capture::Producer;

PhaseRole RoleOf(PhaseKind kind, Producer producer) {
  switch (kind) {
    case PhaseKind::kDummyTask:
    case PhaseKind::kPredicatedSkip:
      return PhaseRole::kMarker;
    case PhaseKind::kScan:
    case PhaseKind::kPoll:
    case PhaseKind::kUnknown:
      return PhaseRole::kHidden;
    case PhaseKind::kIdle:
      // The idle time of AICPU threads is the space between their bars.
      return producer == Producer::kAicore ? PhaseRole::kBar : PhaseRole::kHidden;
    case PhaseKind::kDrainPrepare:
    case PhaseKind::kDrainPublish:
      return PhaseRole::kInnerBar;
    case PhaseKind::kResolve:
      return producer == Producer::kAicore ? PhaseRole::kBar : PhaseRole::kResolveBar;
    default:
      return PhaseRole::kBar;
  }
}

const char* PhaseArgument(PhaseKind kind) {
  return capture::PhaseKindName(kind == PhaseKind::kResolveStandalone ? PhaseKind::kResolve : kind);
}

const char* PhaseDisplayName(PhaseKind kind, Producer producer) {
  if (producer == Producer::kAicore) {
    switch (kind) {
      case PhaseKind::kComplete:
        return "Completion";
      case PhaseKind::kResolve:
      case PhaseKind::kResolveStandalone:
        return "Resolve";
      case PhaseKind::kStateProbe:
        return "StateProbe";
      case PhaseKind::kDispatch:
        return "Dispatch";
      case PhaseKind::kWorksteal:
        return "Worksteal";
      case PhaseKind::kRefill:
        return "Refill";
      default:
        break;
    }
  }
  return PhaseArgument(kind);
}

std::string_view ShortPhaseName(OrchestratorPhaseKind kind) {
  return std::string_view(capture::OrchestratorPhaseKindName(kind))
      .substr(std::string_view("orch_").size());
}

const char* PhaseColour(PhaseKind kind) {
  switch (kind) {
    case PhaseKind::kComplete:
      return "good";
    case PhaseKind::kAsyncPoll:
      return "yellow";
    case PhaseKind::kDispatch:
      return "terrible";
    case PhaseKind::kRelease:
      return "olive";
    case PhaseKind::kDummy:
    case PhaseKind::kIdle:
      return "grey";
    case PhaseKind::kEarlyDispatch:
    case PhaseKind::kGraphPrepare:
    case PhaseKind::kBootstrap:
      return "rail_animation";
    case PhaseKind::kDrain:
    case PhaseKind::kStateProbe:
    case PhaseKind::kFanin:
      return "cq_build_running";
    case PhaseKind::kDrainPrepare:
    case PhaseKind::kReadyClaim:
      return "cq_build_attempt_runnable";
    case PhaseKind::kDrainPublish:
    case PhaseKind::kRefill:
    case PhaseKind::kDirectRefill:
      return "cq_build_attempt_passed";
    case PhaseKind::kWorksteal:
    case PhaseKind::kReadySteal:
      return "cq_build_attempt_failed";
    case PhaseKind::kResolve:
    case PhaseKind::kResolveStandalone:
      return "vsync_highlight_color";
    default:
      return "generic_work";
  }
}

const char* OrchestratorColour(OrchestratorPhaseKind kind) {
  switch (kind) {
    case OrchestratorPhaseKind::kSubmit:
    case OrchestratorPhaseKind::kFanin:
      return "rail_animation";
    case OrchestratorPhaseKind::kSync:
      return "thread_state_iowait";
    case OrchestratorPhaseKind::kAlloc:
      return "terrible";
    case OrchestratorPhaseKind::kParams:
      return "good";
    case OrchestratorPhaseKind::kLookup:
      return "thread_state_running";
    case OrchestratorPhaseKind::kInsert:
      return "olive";
  }
  return "generic_work";
}

}  // namespace simpler::timeline
