#include "tests/support/generator/schedule.h"

#include <functional>
#include <queue>

namespace simpler::support {
namespace {

using capture::AicoreTaskBlock;
using capture::CoreId;
using capture::DeviceCycles;

class Player {
 public:
  Player(const TaskPlan& plan, const GeneratorOptions& options, const Chip& chip, Random& random)
      : plan_(plan),
        options_(options),
        chip_(chip),
        random_(random),
        running_until_(chip.core_count(), Chip::kBoot),
        slot_free_at_(chip.core_count(), Chip::kBoot) {
    schedule_.cores.resize(chip.core_count());
  }

  Schedule Play() {
    SubmitAll();
    LinkSuccessors();
    RunReadyTasks();
    return std::move(schedule_);
  }

 private:
  size_t task_count() const { return plan_.tasks().size(); }

  void SubmitAll() {
    schedule_.submit_begin.reserve(task_count());
    schedule_.submit_end.reserve(task_count());
    int64_t now = Chip::kBoot;
    for (size_t i = 0; i < task_count(); ++i) {
      schedule_.submit_begin.push_back(now);
      now += chip_.Cycles(options_.submit_micros * random_.Between(0.5, 1.5));
      schedule_.submit_end.push_back(now);
    }
  }

  void LinkSuccessors() {
    successor_begin_.assign(task_count() + 1, 0);
    for (uint32_t i = 0; i < task_count(); ++i) {
      for (uint32_t pred : plan_.Predecessors(i)) ++successor_begin_[pred + 1];
    }
    for (size_t i = 0; i < task_count(); ++i) successor_begin_[i + 1] += successor_begin_[i];
    successors_.resize(successor_begin_.back());
    std::vector<uint32_t> next(successor_begin_.begin(), successor_begin_.end() - 1);
    for (uint32_t i = 0; i < task_count(); ++i) {
      for (uint32_t pred : plan_.Predecessors(i)) successors_[next[pred]++] = i;
    }
  }

  void RunReadyTasks() {
    using Ready = std::pair<int64_t, uint32_t>;
    std::priority_queue<Ready, std::vector<Ready>, std::greater<>> ready;
    std::vector<uint8_t> missing(task_count());
    std::vector<int64_t> ready_at = schedule_.submit_end;
    for (uint32_t i = 0; i < task_count(); ++i) {
      missing[i] = static_cast<uint8_t>(plan_.Predecessors(i).size());
      if (missing[i] == 0) ready.emplace(ready_at[i], i);
    }
    schedule_.retired.resize(task_count());
    while (!ready.empty()) {
      const auto [now, task] = ready.top();
      ready.pop();
      const int64_t retired = Run(task, now);
      schedule_.retired[task] = retired;
      for (uint32_t i = successor_begin_[task]; i < successor_begin_[task + 1]; ++i) {
        const uint32_t succ = successors_[i];
        ready_at[succ] = std::max(ready_at[succ], retired);
        if (--missing[succ] == 0) ready.emplace(ready_at[succ], succ);
      }
    }
  }

  // Runs a whole task that became ready at `now`; returns when its consumers may start.
  int64_t Run(uint32_t index, int64_t now) {
    const PlannedTask& task = plan_.tasks()[index];
    switch (task.kind) {
      case TaskKind::kAlloc:
        return now;
      case TaskKind::kDummy:
      case TaskKind::kSkip: {
        const int64_t retired = now + chip_.Cycles(random_.Between(0.1, 0.3));
        schedule_.marks.push_back({index % options_.threads, retired, index});
        return retired;
      }
      case TaskKind::kMix:
      case TaskKind::kPlain:
        break;
    }
    int64_t retired = 0;
    for (int block = 0; block < task.blocks; ++block) {
      const uint32_t core = LeastLoadedCore(/*aic=*/KernelSlots(task)[0] >= 0);
      retired = std::max(retired, RunRow(task, core, now));
      if (task.kind != TaskKind::kMix) continue;
      const uint32_t aiv = chip_.FirstAivOf(chip_.ClusterOf(core));
      retired = std::max({retired, RunRow(task, aiv, now), RunRow(task, aiv + 1, now)});
    }
    return retired;
  }

  uint32_t LeastLoadedCore(bool aic) const {
    const uint32_t begin = aic ? 0 : chip_.clusters();
    const uint32_t end = aic ? chip_.clusters() : chip_.core_count();
    const auto least = std::min_element(slot_free_at_.begin() + begin, slot_free_at_.begin() + end);
    return static_cast<uint32_t>(least - slot_free_at_.begin());
  }

  int64_t RunRow(const PlannedTask& task, uint32_t core, int64_t now) {
    const auto cycles = [&](double low, double high) {
      return chip_.Cycles(random_.Between(low, high));
    };
    const int64_t dispatch = std::max(now, slot_free_at_[core]) + cycles(0.08, 0.33);
    const int64_t receive =
        std::max(dispatch + cycles(0.15, 0.35), running_until_[core] + chip_.Cycles(0.1));
    const int64_t setup = cycles(0.25, 0.6);
    const int64_t start = receive + setup;
    const int64_t end = start + chip_.Cycles(task.micros * random_.Between(0.9, 1.1));
    // Now and then the scheduler is late, so that completions of a core overtake each other.
    const int64_t finish = end + (random_.Chance(0.02) ? cycles(2, 12) : cycles(0.2, 1.4));
    slot_free_at_[core] = running_until_[core];
    running_until_[core] = end;

    CoreSchedule& lane = schedule_.cores[core];
    AicoreTaskBlock& block = lane.kernels.open();
    block.has_receive = true;
    block.core_id.push_back(static_cast<CoreId>(core));
    block.task_id.push_back(task.id);
    block.reg_task_id.push_back(static_cast<uint32_t>(lane.stamps.size()));
    block.start.push_back({start});
    block.end.push_back({end});
    block.receive_to_start.push_back(static_cast<uint32_t>(setup));
    lane.stamps.push_back({dispatch, finish});
    return finish;
  }

  const TaskPlan& plan_;
  const GeneratorOptions& options_;
  const Chip& chip_;
  Random& random_;
  std::vector<uint32_t> successor_begin_;
  std::vector<uint32_t> successors_;
  std::vector<int64_t> running_until_;  // by core: end of the last task placed there
  std::vector<int64_t> slot_free_at_;   // by core: when a task may be dispatched again
  Schedule schedule_;
};

}  // namespace

Schedule PlayTasks(const TaskPlan& plan, const GeneratorOptions& options, const Chip& chip,
                   Random& random) {
  return Player(plan, options, chip, random).Play();
}

}  // namespace simpler::support
