// Bars of tasks in both views, and of recorded sub-graphs.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/timeline/chrome_section.h"

namespace simpler::timeline {

class ChromeTaskBars : private ChromeSection {
 public:
  explicit ChromeTaskBars(ChromeCanvas* canvas);

  void WriteGraphs();
  // Names the lanes of both views, too.
  void WriteTaskViews();

 private:
  void WriteGraph(uint32_t index);
  void WriteWorkerBars(uint32_t task);
  void WriteWorkerBar(uint32_t task, uint32_t row, uint32_t lane, const std::string& display);
  void WriteEventHint(JsonText& json, uint32_t row, int32_t function, const std::string& display);
  // The fan-out and fan-in arguments of a task's bars.
  void ComposeHints(uint32_t task);
  // Producers are listed in the order in which each first appears as one in the graph's edges.
  void RankProducers();
  void ComposeHint(std::string_view key,
                   std::span<const capture::DependencyGraph::NodeIndex> nodes);
  void WriteSchedulerViewBars(uint32_t task);
  void WriteSchedulerViewBar(uint32_t task, uint32_t row, uint32_t lane,
                             const std::string& display);

  std::vector<FunctionLabel> escaped_;                          // by label, as JSON text
  std::vector<uint32_t> producer_rank_;                         // by node
  std::vector<capture::DependencyGraph::NodeIndex> producers_;  // of the task being written
  JsonText hints_;                                              // of the task being written
};

}  // namespace simpler::timeline
