#include "analysis/timeline/node_bars.h"

namespace simpler::timeline {
namespace {

// Of the anchors of a task the only one; kNoRow when there are none or several.
uint32_t OnlyAnchor(const TaskIndex& tasks, uint32_t task, TaskView view) {
  uint32_t only = TaskIndex::kNoRow;
  uint32_t count = 0;
  tasks.ForEachAnchor(task, view, [&](uint32_t row) {
    only = row;
    ++count;
  });
  return count == 1 ? only : TaskIndex::kNoRow;
}

}  // namespace

NodeBars::NodeBars(const Model& model, TaskView view, const std::function<bool(Anchor)>& keeps)
    : bars_(model.tasks.graph()->nodes().size(), Bar{.number = kUnknown}) {
  for (NodeIndex node = 0; node < bars_.size(); ++node) {
    const uint32_t task = model.tasks.TaskOfNode(node);
    if (task == capture::TaskNodes::kNoTask) continue;
    const Anchor anchor{false, OnlyAnchor(model.tasks, task, view)};
    if (anchor.index == TaskIndex::kNoRow || !keeps(anchor)) continue;
    const int64_t start = StartOf(model, anchor, view).value;
    const int64_t end = EndOf(model, anchor, view).value;
    // Stamps are hostile: subtract without overflow, and leave out what is not a short bar.
    const uint64_t length = static_cast<uint64_t>(end) - static_cast<uint64_t>(start);
    if (end < start || length > UINT32_MAX) continue;
    bars_[node] = {start, static_cast<uint32_t>(length), NumberOf(model, anchor, view)};
  }
}

}  // namespace simpler::timeline
