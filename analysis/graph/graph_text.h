// A task graph as text for people.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "analysis/capture/dependency_graph.h"
#include "analysis/capture/labels.h"
#include "analysis/capture/warning.h"
#include "analysis/formats/edge_annotations_reader.h"

namespace simpler::graph {

enum class EdgeMode : uint8_t {
  kFull,     // every edge
  kReduced,  // without the edges that follow from others; edges of creators are kept
  kOmitted,  // only the edges that kReduced leaves out
};

struct GraphTextRequest {
  std::string deps_name;  // shown as the source
  EdgeMode mode = EdgeMode::kFull;
  const capture::NameMap* names = nullptr;  // may be null
  // Ids of tasks that ran, of a capture of the same case: those that the graph lacks are listed
  // too.
  std::span<const uint64_t> executed_tasks;
};

struct GraphText {
  std::string text;
  // Edges that follow from others, which kReduced leaves out and kOmitted shows alone: "a -> b" in
  // the notation of the text, ascending.
  std::vector<std::string> redundant_edges;
  // Code graph_cycle: nothing could be reduced, the text shows the full graph.
  std::vector<capture::Warning> warnings;
  // Whether `mode` was applied, which a cycle prevents.
  bool reduced = false;
};

// Three sections: SUMMARY (counts and sources), TASK INDEX (one line per task in id order) and one
// block per task with its neighbours in id order. A task is written as its local number, or as
// "(ring, local)" for all tasks when any of them has a ring above 0.
GraphText RenderGraphText(const capture::DependencyGraph& graph,
                          const formats::EdgeAnnotations& annotations,
                          const GraphTextRequest& request);

}  // namespace simpler::graph
