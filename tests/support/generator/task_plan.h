// The tasks of a synthetic capture before they are scheduled.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "analysis/capture/dependency_graph.h"
#include "analysis/capture/labels.h"
#include "tests/support/capture_generator.h"
#include "tests/support/generator/random.h"

namespace simpler::support {

enum class TaskKind : uint8_t { kPlain, kMix, kDummy, kSkip, kAlloc };

struct PlannedTask {
  uint64_t id = 0;
  float micros = 0;  // mean duration of one row
  TaskKind kind = TaskKind::kPlain;
  uint8_t kernels = 0;  // index into KernelSlots
  uint16_t blocks = 1;
};

class TaskPlan {
 public:
  TaskPlan(const GeneratorOptions& options, Random& random);

  const std::vector<PlannedTask>& tasks() const { return tasks_; }
  // Indices of earlier tasks, ascending and distinct.
  std::span<const uint32_t> Predecessors(uint32_t task) const {
    return {predecessors_.data() + predecessor_begin_[task],
            predecessors_.data() + predecessor_begin_[task + 1]};
  }
  capture::DependencyGraph BuildGraph() const;

 private:
  std::vector<PlannedTask> tasks_;
  std::vector<uint32_t> predecessor_begin_;
  std::vector<uint32_t> predecessors_;
};

// Kernel ids (AIC, AIV0, AIV1) of a planned task.
const std::array<int32_t, 3>& KernelSlots(const PlannedTask& task);
// The names of all kernels a plan uses.
capture::NameMap KernelNames();

}  // namespace simpler::support
