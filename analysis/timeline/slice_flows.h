// The arrows of one slice, for formats that tie arrows to slices.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "analysis/timeline/flow_table.h"
#include "analysis/timeline/flows.h"
#include "analysis/timeline/model.h"
#include "analysis/timeline/node_bars.h"
#include "analysis/timeline/selection.h"
#include "analysis/timeline/trace_counts.h"

namespace simpler::timeline {

// Arrows between tasks are enumerated from the graph, those of other kinds are collected first
// (eight bytes each). An arrow is drawn when both slices are in the trace and the
// second one does not start earlier. Every arrow with at least one end in the trace is counted
// once: as drawn, or with the reason why it is not.
class SliceFlows {
 public:
  SliceFlows(const Model& model, const TimelineOptions& options, const NanoWindow& window,
             TraceCounts* counts);

  // Asks for the memory that FindOfAnchor will read about a row: some slices ahead for lists of
  // neighbours, half as many ahead for what the lists name.
  void PrefetchLists(uint32_t row, TaskView view) const;
  void PrefetchNeighbours(uint32_t row, TaskView view) const;

  // The following calls replace the results of the previous one. Call once per slice in the trace.
  void FindOfAnchor(Anchor anchor, TaskView view);
  void FindOfSlice(uint32_t number);

  const std::vector<uint64_t>& outgoing() const { return outgoing_; }
  const std::vector<uint64_t>& incoming() const { return incoming_; }
  // Producers of the anchor's task whose bars ended too late (Violates).
  uint64_t violations() const { return violations_; }

 private:
  bool Wants(FlowKind kind) const { return options_.flows.test(static_cast<size_t>(kind)); }
  bool KeepsAnchor(Anchor anchor, TaskView view) const {
    return keeps_everything_ || Keeps(model_, window_, anchor, view);
  }
  bool KeepsPhase(PhaseId id) const;
  bool KeepsSubmit(SubmitId id) const;

  void FindDependencies(Anchor anchor, TaskView view);
  capture::DependencyGraph::NodeIndex NodeOf(Anchor anchor) const;
  struct End {
    uint32_t number;
    Instant start;
    bool kept;
  };
  static End AtBar(const NodeBars::Bar& bar) {
    return {bar.number, Instant::Device(capture::DeviceCycles{bar.start}), true};
  }
  End AtAnchor(Anchor anchor, TaskView view) const;
  End AtPhase(PhaseId id) const;
  void Collect(FlowKind kind, const End& from, const End& to);
  void ReserveTable();
  void CollectCompletions();
  void CollectReleases();
  void CollectDispatches();
  void CollectDispatch(uint32_t row, const std::optional<PhaseId>& bar);
  void CollectSubmit(const std::optional<SubmitId>& submit, const std::optional<PhaseId>& bar);
  // The bar of a scheduler's main lane that covers the instant.
  std::optional<PhaseId> BarAt(uint32_t stream, capture::DeviceCycles at) const {
    return bars_[stream].Covering(at);
  }
  const NodeBars& BarsIn(TaskView view) const { return node_bars_[static_cast<size_t>(view)]; }
  void AddConsumer(FlowKind kind, const End& from, const End& to);
  void AddProducer(const End& from, const End& to, bool violates);
  bool StartsEarlier(Instant a, Instant b) const;

  const Model& model_;
  const TimelineOptions& options_;
  const NanoWindow window_;
  TraceCounts& counts_;
  bool keeps_everything_;
  std::vector<PhaseSearch> bars_;      // by stream; empty unless needed
  std::array<NodeBars, 2> node_bars_;  // by view; of those whose dependencies are wanted
  FlowTable table_;
  std::vector<uint64_t> outgoing_;
  std::vector<uint64_t> incoming_;
  uint64_t violations_ = 0;
};

}  // namespace simpler::timeline
