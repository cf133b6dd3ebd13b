// Bars of the threads that control a run: their life, the scheduler's loop, submissions and
// uploads, and what AICPU threads do as workers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "analysis/timeline/chrome_section.h"
#include "analysis/timeline/flows.h"

namespace simpler::timeline {

class ChromeControlBars : private ChromeSection {
 public:
  // `completions` is borrowed.
  ChromeControlBars(ChromeCanvas* canvas, const Completions& completions)
      : ChromeSection(canvas), completions_(completions) {}

  void WriteLifecycle();
  // With the ready-queue samples and the markers of scheduler threads.
  void WriteSchedulers();
  void WriteUploads();
  // With the markers of allocations.
  void WriteOrchestrators();

 private:
  void WritePhase(PhaseId id, size_t& next_marker);
  void WritePhaseBar(PhaseId id, uint32_t lane);
  static void WriteDepths(JsonText& json, const capture::SchedulerPhaseBlock& block, size_t row);
  void WriteQueueSample(PhaseId id);
  void WriteMarker(size_t index);
  void WriteLoopAndTask(JsonText& json, const Markers::Marker& marker);
  void WriteDummy(JsonText& json, const Markers::Marker& marker);
  void WriteSkip(JsonText& json, const Markers::Marker& marker);
  void WriteAlloc(JsonText& json, const Markers::Marker& marker);
  void WriteSubmit(SubmitId id, const OrchestratorRecord& record);

  const Completions& completions_;
  JsonText values_;  // scratch
};

}  // namespace simpler::timeline
