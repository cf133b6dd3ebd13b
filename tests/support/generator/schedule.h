// Plays a task plan on the cores.
#pragma once

#include <algorithm>
#include <compare>
#include <cstdint>
#include <vector>

#include "analysis/capture/capture.h"
#include "tests/support/capture_generator.h"
#include "tests/support/generator/block_list.h"
#include "tests/support/generator/random.h"
#include "tests/support/generator/task_plan.h"

namespace simpler::support {

// Clock and cores of the synthetic chip. Core ids: all AIC cores, then all AIV cores.
class Chip {
 public:
  static constexpr int64_t kBoot = 1'000'000'000'000;  // cycle count at which the capture begins

  explicit Chip(const GeneratorOptions& options)
      : clusters_(options.clusters),
        threads_(options.threads),
        frequency_hz_(options.runtime == SyntheticRuntime::kHostAicore ? 1'000'000'000
                                                                       : 50'000'000) {}

  int64_t frequency_hz() const { return frequency_hz_; }
  // A span in cycles, at least one.
  int64_t Cycles(double micros) const {
    return std::max(int64_t{1},
                    static_cast<int64_t>(micros * static_cast<double>(frequency_hz_) / 1e6));
  }

  uint32_t clusters() const { return clusters_; }
  uint32_t core_count() const { return clusters_ * 3; }
  bool IsAic(uint32_t core) const { return core < clusters_; }
  uint32_t ClusterOf(uint32_t core) const { return IsAic(core) ? core : (core - clusters_) / 2; }
  uint32_t FirstAivOf(uint32_t cluster) const { return clusters_ + 2 * cluster; }
  uint32_t ThreadOf(uint32_t core) const { return ClusterOf(core) % threads_; }

 private:
  uint32_t clusters_;
  uint32_t threads_;
  int64_t frequency_hz_;
};

// When the scheduler dispatched the n-th task of a core and when it saw it finish.
struct DispatchStamps {
  int64_t dispatch = 0;
  int64_t finish = 0;
};

struct CoreSchedule {
  BlockList<capture::AicoreTaskBlock> kernels;
  std::vector<DispatchStamps> stamps;  // by token
};

// A dummy or skipped task that a scheduler thread retired.
struct RetirementMark {
  uint32_t thread = 0;
  int64_t at = 0;
  uint32_t task = 0;  // index in the plan
  friend auto operator<=>(const RetirementMark&, const RetirementMark&) = default;
};

struct Schedule {
  std::vector<int64_t> submit_begin;  // by task
  std::vector<int64_t> submit_end;
  std::vector<int64_t> retired;     // by task
  std::vector<CoreSchedule> cores;  // by core id
  std::vector<RetirementMark> marks;
};

Schedule PlayTasks(const TaskPlan& plan, const GeneratorOptions& options, const Chip& chip,
                   Random& random);

}  // namespace simpler::support
