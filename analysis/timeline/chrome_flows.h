// The arrows of a trace.
#pragma once

#include <cstddef>
#include <cstdint>

#include "analysis/timeline/chrome_section.h"
#include "analysis/timeline/flows.h"

namespace simpler::timeline {

class ChromeFlows : private ChromeSection {
 public:
  // `completions` is borrowed.
  ChromeFlows(ChromeCanvas* canvas, const Completions& completions)
      : ChromeSection(canvas), completions_(completions), dispatches_(canvas->model) {}

  void WriteFlows();

 private:
  bool Wants(FlowKind kind) const;
  // Whether both ends are in the trace; counts the flow either way.
  bool AdmitFlow(FlowKind kind, bool from_is_kept, bool to_is_kept);
  bool KeepsAnchor(Anchor anchor, TaskView view) const;
  bool KeepsPoint(uint32_t lane, capture::DeviceCycles at) const;
  // The bar that an arrow of a row names.
  uint64_t BoundBarId(uint32_t row, TaskView view) const;
  // A point on the bar of an anchor.
  ChromePoint OnBar(Anchor anchor, TaskView view, double ts) const;
  ChromePoint OnScheduler(uint32_t stream, double ts) const;
  void WriteDependencies(TaskView view);
  void WriteCompletions(uint32_t task);
  void WriteCompletion(uint32_t task, const Completions::Completion& completion, TaskView view);
  void WriteReleases();
  void WriteDispatch(size_t row, uint32_t stream);
  void WriteSubmitDispatches();
  void WriteSubmitDispatch(SubmitId submit, size_t row, uint32_t stream);

  const Completions& completions_;
  const Dispatches dispatches_;
  JsonText values_;  // scratch
};

}  // namespace simpler::timeline
