#include "tests/support/generator/task_plan.h"

#include <algorithm>

namespace simpler::support {
namespace {

using capture::DependencyGraph;

constexpr std::array kKernelNames = {"matmul_qk",  "matmul_pv", "matmul_gate",
                                     "softmax",    "rope",      "norm",
                                     "activation", "fused_aic", "fused_vector"};

// Entries 0..2 are AIC kernels, 3..6 AIV kernels; then the MIX pair and no kernel at all.
constexpr uint8_t kFirstAiv = 3;
constexpr uint8_t kMixSlots = 7;
constexpr uint8_t kNoSlots = 8;
constexpr std::array<std::array<int32_t, 3>, 9> kSlots = {{{0, -1, -1},
                                                           {1, -1, -1},
                                                           {2, -1, -1},
                                                           {-1, 3, -1},
                                                           {-1, 4, -1},
                                                           {-1, 5, -1},
                                                           {-1, 6, -1},
                                                           {7, 8, 8},
                                                           {-1, -1, -1}}};

constexpr uint32_t kTasksPerRingTurn = 257;

class Planner {
 public:
  Planner(const GeneratorOptions& options, Random& random)
      : options_(options),
        random_(random),
        rings_(options.runtime == SyntheticRuntime::kTensormap ? std::max(options.rings, 1u) : 1),
        next_local_(rings_) {}

  PlannedTask NextTask(uint32_t index) {
    const uint32_t ring = index / kTasksPerRingTurn % rings_;
    PlannedTask task;
    task.id = uint64_t{ring} << 32 | next_local_[ring]++;
    task.kind = ChooseKind();
    task.kernels = ChooseKernels(task.kind);
    task.blocks = ChooseBlocks(task.kind);
    const double base = 4.0 + 3.0 * (task.kernels % 5);
    task.micros = static_cast<float>(base * random_.Between(0.6, 1.4));
    return task;
  }

  // Appends the predecessors of a task, ascending and distinct.
  void AppendPredecessors(uint32_t index, TaskKind kind, std::vector<uint32_t>& list) {
    if (index == 0 || kind == TaskKind::kAlloc || random_.Chance(options_.root_share)) return;
    constexpr uint32_t kFanIns[] = {1, 1, 2, 2, 3, 4};
    const uint32_t wanted = random_.Choose(kFanIns);
    const uint32_t reach = std::clamp(options_.window, 1u, index);
    const auto begin = static_cast<ptrdiff_t>(list.size());
    for (uint32_t i = 0; i < wanted; ++i) list.push_back(index - 1 - random_.Below(reach));
    std::sort(list.begin() + begin, list.end());
    list.erase(std::unique(list.begin() + begin, list.end()), list.end());
  }

 private:
  TaskKind ChooseKind() {
    double left = random_.Uniform();
    const auto falls_into = [&](double share) { return (left -= share) < 0; };
    if (falls_into(options_.dummy_share)) return TaskKind::kDummy;
    if (falls_into(options_.skip_share)) return TaskKind::kSkip;
    if (falls_into(options_.alloc_share)) return TaskKind::kAlloc;
    if (falls_into(options_.mix_share)) return TaskKind::kMix;
    return TaskKind::kPlain;
  }

  uint8_t ChooseKernels(TaskKind kind) {
    if (kind == TaskKind::kDummy || kind == TaskKind::kAlloc) return kNoSlots;
    if (kind == TaskKind::kMix) return kMixSlots;
    const bool aic = random_.Chance(0.45);
    return static_cast<uint8_t>(aic ? random_.Below(kFirstAiv)
                                    : kFirstAiv + random_.Below(kMixSlots - kFirstAiv));
  }

  uint16_t ChooseBlocks(TaskKind kind) {
    const bool runs = kind == TaskKind::kPlain || kind == TaskKind::kMix;
    if (!runs || !random_.Chance(options_.spmd_share)) return 1;
    const uint32_t most = kind == TaskKind::kMix ? options_.clusters / 2 : options_.max_blocks;
    return static_cast<uint16_t>(2 + random_.Below(std::max(most, 2u) - 1));
  }

  const GeneratorOptions& options_;
  Random& random_;
  uint32_t rings_;
  std::vector<uint32_t> next_local_;
};

}  // namespace

const std::array<int32_t, 3>& KernelSlots(const PlannedTask& task) { return kSlots[task.kernels]; }

capture::NameMap KernelNames() {
  capture::NameMap map;
  map.level = 2;
  for (size_t i = 0; i < kKernelNames.size(); ++i) {
    map.names[static_cast<int32_t>(i)] = kKernelNames[i];
  }
  return map;
}

TaskPlan::TaskPlan(const GeneratorOptions& options, Random& random) {
  Planner planner(options, random);
  tasks_.reserve(options.tasks);
  predecessor_begin_.reserve(size_t{options.tasks} + 1);
  predecessor_begin_.push_back(0);
  for (uint32_t i = 0; i < options.tasks; ++i) {
    tasks_.push_back(planner.NextTask(i));
    planner.AppendPredecessors(i, tasks_.back().kind, predecessors_);
    predecessor_begin_.push_back(static_cast<uint32_t>(predecessors_.size()));
  }
}

DependencyGraph TaskPlan::BuildGraph() const {
  DependencyGraph::Builder builder;
  for (uint32_t i = 0; i < tasks_.size(); ++i) {
    const PlannedTask& task = tasks_[i];
    // Allocations are known from their edges only.
    if (task.kind != TaskKind::kAlloc) {
      DependencyGraph::Node node;
      node.id = task.id;
      node.has_kernels = true;
      node.kernel_ids = KernelSlots(task);
      node.has_block_num = true;
      node.block_num = task.blocks;
      builder.AddTask(node);
    }
    for (uint32_t pred : Predecessors(i)) builder.AddEdge(tasks_[pred].id, task.id);
  }
  return builder.Build();
}

}  // namespace simpler::support
