#include "analysis/overhead/ready_tasks.h"

#include <algorithm>

namespace simpler::overhead {
namespace {

using capture::CoreType;
using capture::DeviceCycles;
using capture::Task;
using capture::Window;

// `waits_from(task)` is the index-based begin of the waiting.
template <typename WaitsFrom>
PerEngine<CountChanges> Collect(const std::vector<Task>& tasks, const Window& window,
                                WaitsFrom&& waits_from) {
  PerEngine<CountChanges> waiting;
  for (size_t i = 0; i < tasks.size(); ++i) {
    const Task& task = tasks[i];
    if (!task.has_scheduler) continue;
    const DeviceCycles begin = std::clamp(waits_from(i), window.begin, window.end);
    const DeviceCycles end = std::clamp(task.dispatch, window.begin, window.end);
    for (CoreType type : {CoreType::kAic, CoreType::kAiv}) {
      if (task.RunsOn(type)) waiting[type].Add(begin, end);
    }
  }
  for (CountChanges& changes : waiting.values) changes.Sort();
  return waiting;
}

}  // namespace

PerEngine<CountChanges> ReadyTasks(const std::vector<Task>& tasks, const Readiness& readiness,
                                   const Window& window) {
  return Collect(tasks, window, [&](size_t i) { return readiness.ready[i]; });
}

PerEngine<CountChanges> SubmittedReadyTasks(const std::vector<Task>& tasks,
                                            const Readiness& readiness,
                                            const std::vector<DeviceCycles>& submitted,
                                            const Window& window) {
  return Collect(tasks, window,
                 [&](size_t i) { return std::max(readiness.ready[i], submitted[i]); });
}

}  // namespace simpler::overhead
