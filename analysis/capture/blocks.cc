#include "analysis/capture/blocks.h"

#include <string_view>

namespace simpler::capture {
namespace {

constexpr std::string_view kPhaseNames[] = {
    "complete",      "async_poll",     "dispatch",        "release",
    "dummy",         "early_dispatch", "drain",           "graph_prepare",
    "drain_prepare", "drain_publish",  "resolve",         "resolve_standalone",
    "bootstrap",     "state_probe",    "worksteal",       "refill",
    "idle",          "fanin",          "ready_claim",     "ready_steal",
    "direct_refill", "dummy_task",     "predicated_skip", "scan",
    "poll",          "unknown"};
static_assert(std::size(kPhaseNames) == static_cast<size_t>(PhaseKind::kUnknown) + 1);

constexpr std::string_view kOrchestratorNames[] = {"orch_submit", "orch_sync",   "orch_alloc",
                                                   "orch_params", "orch_lookup", "orch_insert",
                                                   "orch_fanin"};
static_assert(std::size(kOrchestratorNames) ==
              static_cast<size_t>(OrchestratorPhaseKind::kFanin) + 1);

}  // namespace

const char* PhaseKindName(PhaseKind kind) { return kPhaseNames[static_cast<size_t>(kind)].data(); }

PhaseKind ParsePhaseKind(std::string_view name) {
  if (name == "fanout") return PhaseKind::kResolve;
  if (name == "prestage") return PhaseKind::kEarlyDispatch;
  for (size_t i = 0; i < std::size(kPhaseNames); ++i) {
    if (name == kPhaseNames[i]) return static_cast<PhaseKind>(i);
  }
  return PhaseKind::kUnknown;
}

const char* OrchestratorPhaseKindName(OrchestratorPhaseKind kind) {
  return kOrchestratorNames[static_cast<size_t>(kind)].data();
}

std::optional<OrchestratorPhaseKind> ParseOrchestratorPhaseKind(std::string_view name) {
  for (size_t i = 0; i < std::size(kOrchestratorNames); ++i) {
    if (name == kOrchestratorNames[i]) return static_cast<OrchestratorPhaseKind>(i);
  }
  return std::nullopt;
}

}  // namespace simpler::capture
