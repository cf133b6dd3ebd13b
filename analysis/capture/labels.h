// How tasks and functions are named for people.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "analysis/capture/capture.h"
#include "analysis/capture/dependency_graph.h"

namespace simpler::capture {

// Function id -> human name, as written beside a capture.
struct NameMap {
  std::optional<int> level;
  std::optional<std::string> orchestrator_name;
  std::map<int32_t, std::string> names;
};

// How the 64 bits of a task id are read.
enum class IdLayout : uint8_t {
  kRing,         // ring in bits 32..39, local id below
  kGraphSpaces,  // space in bits 62..63, parent task in 51..32, local id below
};
// kGraphSpaces for host_build_graph captures that name their runtime in metadata, else kRing.
IdLayout IdLayoutOf(const Capture& capture);

// "t5", "r2t5"; with kGraphSpaces "t5", "g<parent>t5", "p5".
std::string TaskDisplay(uint64_t task_id, IdLayout layout = IdLayout::kRing);

// "<n>_<letters>": bijective base 26 of n + 1. 0 -> 0_a, 25 -> 25_z, 26 -> 26_aa. n >= 0.
std::string FunctionLetterForm(int32_t func_id);

// Kernel slot of a node for a row on `type`: AIC uses slot 0, anything else slot 1 and, when that
// is inactive, slot 2. -1 when the node has no kernels or the slot is inactive.
int32_t ResolveFunction(const DependencyGraph::Node& node, CoreType type);
// First active slot, for nodes without a row. -1 when there is none.
int32_t FirstActiveFunction(const DependencyGraph::Node& node);

// Name of a function without task id: the name map's, else "func_<letter form>", else "task" when
// func_id < 0. `names` may be null.
std::string FunctionName(int32_t func_id, const NameMap* names);

// "<name>(<display>)". With `spmd`, "_spmd" goes before "(" unless the name already contains
// "spmd" in any case.
std::string TaskLabel(const std::string& function_name, const std::string& display, bool spmd);

}  // namespace simpler::capture
