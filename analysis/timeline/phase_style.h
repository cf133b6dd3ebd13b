// How scheduler and orchestrator phases look in a trace.
#pragma once

#include <string_view>

#include "analysis/capture/blocks.h"
#include "analysis/capture/capture.h"

namespace simpler::timeline {

// Where a scheduler phase record is drawn.
enum class PhaseRole : uint8_t {
  kBar,         // on its scheduler's lane
  kInnerBar,    // on the same lane, inside another bar
  kResolveBar,  // on the scheduler's lane, or on its sub-lane when inside another bar
  kMarker,      // on the worker lane of the AICPU thread
  kHidden,      // not drawn
};
PhaseRole RoleOf(capture::PhaseKind kind, capture::Producer producer);

// Name of a bar without numbers: "resolve" for both resolve kinds; for AICore schedulers
// "Completion", "StateProbe", … where those have a name of their own. Static storage.
const char* PhaseDisplayName(capture::PhaseKind kind, capture::Producer producer);

// Name of the phase in arguments: the record's kind, "resolve" for both resolve kinds.
const char* PhaseArgument(capture::PhaseKind kind);

// Name of an orchestrator bar: its kind without "orch_".
std::string_view ShortPhaseName(capture::OrchestratorPhaseKind kind);

// Reserved colour name of Chrome's trace viewer. Static storage.
const char* PhaseColour(capture::PhaseKind kind);
const char* OrchestratorColour(capture::OrchestratorPhaseKind kind);

}  // namespace simpler::timeline
