#include "analysis/timeline/selection.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "fmt/format.h"
#include "fmt/ranges.h"

namespace simpler::timeline {
namespace {

// To the nearest, so that a window from a slice's printed start includes the slice.
int64_t NanosOf(double micros) {
  constexpr double kLimit = 9.2e18;
  return static_cast<int64_t>(std::clamp(std::round(micros * 1000.0), -kLimit, kLimit));
}

constexpr size_t kNamedTasks = 5;

}  // namespace

NanoWindow WindowOf(const TimelineOptions& options) {
  if (!options.window) return {};
  return {NanosOf(options.window->from_us), NanosOf(options.window->to_us)};
}

bool Keeps(const Model& model, const NanoWindow& window, Anchor anchor, TaskView view) {
  if (!model.lanes.lanes()[LaneOf(model, anchor, view)].kept) return false;
  return window.is_everything() || window.HoldsSlice(model.axis.Nanos(StartOf(model, anchor, view)),
                                                     model.axis.Nanos(EndOf(model, anchor, view)));
}

absl::Status CheckPathIsKept(const Model& model, const TimelineOptions& options) {
  if (options.on_path == nullptr) return absl::OkStatus();
  const NanoWindow window = WindowOf(options);
  size_t missing = 0;
  std::vector<std::string> named;
  for (uint32_t task = 0; task < options.on_path->size(); ++task) {
    if (!(*options.on_path)[task]) continue;
    const capture::Task& t = model.tasks.tasks()[task];
    bool kept = true;
    for (uint32_t row = t.first_row; row < t.first_row + t.row_count; ++row) {
      kept &= Keeps(model, window, {false, row}, TaskView::kWorker);
    }
    if (kept) continue;
    ++missing;
    if (named.size() < kNamedTasks) named.push_back(model.tasks.Display(t.id));
  }
  if (missing == 0) return absl::OkStatus();
  return absl::FailedPreconditionError(
      fmt::format("the time window or lane filter leaves out the Worker View bars of {} task(s) of "
                  "the critical path: {}{}; widen the selection or do not highlight the path",
                  missing, fmt::join(named, ", "), missing > named.size() ? ", …" : ""));
}

}  // namespace simpler::timeline
