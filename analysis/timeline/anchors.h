// What the arrows of a task are tied to: bars of its rows, or markers of a task without rows.
#pragma once

#include <cstdint>

#include "analysis/timeline/model.h"

namespace simpler::timeline {

struct Anchor {
  bool is_marker = false;
  uint32_t index = 0;  // a row, or a position in Model::markers
};

// Calls `visit(Anchor)` for every bar of a graph node in a view. Markers are in the Worker View.
template <typename Visitor>
void ForEachAnchor(const Model& model, capture::DependencyGraph::NodeIndex node, TaskView view,
                   Visitor&& visit) {
  const uint32_t task = model.tasks.TaskOfNode(node);
  if (task != capture::TaskNodes::kNoTask) {
    model.tasks.ForEachAnchor(task, view, [&](uint32_t row) { visit(Anchor{false, row}); });
  } else if (view == TaskView::kWorker) {
    for (uint32_t marker : model.markers.OfNode(node)) visit(Anchor{true, marker});
  }
}

// Whether the node has a bar in the view.
bool HasAnchor(const Model& model, capture::DependencyGraph::NodeIndex node, TaskView view);

// Where its bar starts and ends; a marker's end is that of its record.
inline Instant StartOf(const Model& model, Anchor anchor, TaskView view) {
  if (anchor.is_marker) return model.StartOf(model.markers.all()[anchor.index]);
  return Instant::Device(view == TaskView::kWorker ? model.rows().receive(anchor.index)
                                                   : model.rows().dispatch(anchor.index));
}
inline Instant EndOf(const Model& model, Anchor anchor, TaskView view) {
  if (anchor.is_marker) return model.EndOf(model.markers.all()[anchor.index]);
  return Instant::Device(view == TaskView::kWorker ? model.rows().end(anchor.index)
                                                   : model.rows().finish(anchor.index));
}

inline uint32_t NumberOf(const Model& model, Anchor anchor, TaskView view) {
  if (anchor.is_marker) return model.NumberOf(model.markers.all()[anchor.index]);
  return view == TaskView::kWorker ? model.numbers.Worker(anchor.index)
                                   : model.numbers.SchedulerView(anchor.index);
}

// Lane of the bar, without regard to overlaps.
inline uint32_t LaneOf(const Model& model, Anchor anchor, TaskView view) {
  if (anchor.is_marker) return model.LaneOf(model.markers.all()[anchor.index]);
  const capture::CoreId core = model.rows().core(anchor.index);
  return view == TaskView::kWorker
             ? model.lanes.Worker(core)
             : model.lanes.SchedulerView(core, model.row_lanes.SubLaneOf(anchor.index));
}

// The producer's bar ends behind the start of the consumer's: the order that the edge demands was
// not kept (or not seen: stamps of two cores are compared).
bool Violates(const Model& model, Anchor producer, Anchor consumer, TaskView view);

}  // namespace simpler::timeline
