#include "analysis/timeline/anchors.h"

namespace simpler::timeline {

bool HasAnchor(const Model& model, capture::DependencyGraph::NodeIndex node, TaskView view) {
  bool found = false;
  ForEachAnchor(model, node, view, [&](Anchor) { found = true; });
  return found;
}

bool Violates(const Model& model, Anchor producer, Anchor consumer, TaskView view) {
  const Instant end = EndOf(model, producer, view);
  const Instant start = StartOf(model, consumer, view);
  const bool one_clock = end.on_host == start.on_host;
  if (one_clock ? end.value > start.value : model.axis.Nanos(end) > model.axis.Nanos(start)) {
    return true;
  }
  return producer.is_marker &&
         model.axis.Nanos(StartOf(model, producer, view)) + kShortestMarkerNanos >
             model.axis.Nanos(start);
}

}  // namespace simpler::timeline
