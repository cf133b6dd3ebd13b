// The observed critical path summed by kernel family: variants of one kernel that differ in a
// trailing index and engine are one family.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "analysis/capture/clock.h"
#include "analysis/capture/dependency_graph.h"
#include "analysis/capture/labels.h"
#include "analysis/overhead/critical_path.h"

namespace simpler::overhead {

// Name of a task on a critical path: its first active kernel in the name map, else "cid<kernel>";
// "unknown" when no kernel is active or the task is not in the graph (`node` null). `names` may be
// null.
std::string KernelName(const capture::DependencyGraph::Node* node, const capture::NameMap* names);

// `name` without a trailing engine ("_aic", "_aiv") and the index ("_<digits>") that stood before
// it, each at most once: "gate_0_aic" -> "gate", "x_aic_2" -> "x_aic", "a_1_2" -> "a_1".
std::string KernelFamily(const std::string& name);

struct KernelFamilyShare {
  std::string family;
  capture::CycleSpan compute = 0;
  capture::CycleSpan stall = 0;
  uint64_t tasks = 0;
};

// Families on the observed path of `inputs` by descending compute; equal ones in path order.
// `names` may be null.
std::vector<KernelFamilyShare> SumByKernelFamily(const OverheadInputs& inputs,
                                                 const ObservedPath& path,
                                                 const capture::NameMap* names);

}  // namespace simpler::overhead
