// Every arrow of a timeline, in the order of existing JSON traces.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "analysis/timeline/anchors.h"
#include "analysis/timeline/model.h"
#include "analysis/timeline/scheduler_threads.h"

namespace simpler::timeline {

struct DependencyFlow {
  capture::DependencyGraph::NodeIndex producer_node;
  capture::DependencyGraph::NodeIndex consumer_node;
  Anchor producer;
  Anchor consumer;
};

// Every pair of bars of every edge of the graph: edges by first appearance of their producer, pairs
// by producer. Does nothing without a graph. Edges with an end that has no bar have no pairs.
void ForEachDependency(const Model& model, TaskView view,
                       const std::function<void(const DependencyFlow&)>& visit);

// Edges of the graph with an end that left no bar in the Worker View.
uint64_t CountEdgesToAbsentTasks(const Model& model);

// The `complete` phases that saw tasks finish. Needs core_to_thread; without it there are none.
class Completions {
 public:
  explicit Completions(const Model& model);

  struct Completion {
    PhaseId phase;
    capture::DeviceCycles at;  // where in the phase: the last finish, or the phase's start
  };
  // The phase in which the task's last finish was processed: of the thread that serves its core,
  // the one that covers the finish, else the next one to start. Absent when there is none.
  std::optional<Completion> Of(size_t task) const;

  // Rows whose finish was processed in a `complete` phase.
  uint32_t FinishesIn(PhaseId id) const {
    return finishes_[id.stream].empty() ? 0 : finishes_[id.stream][id.record];
  }

  // Calls `visit(PhaseId released_by, uint32_t task, DeviceCycles dispatch, int thread)` for every
  // task that became ready when its last producer completed in a phase, and was dispatched (first
  // row) when that phase had ended. Producers that never complete hold their consumers back.
  void ForEachRelease(
      const std::function<void(PhaseId, uint32_t, capture::DeviceCycles, int)>& visit) const;

 private:
  struct Dispatched {
    capture::DeviceCycles at;
    int thread;
  };
  int ThreadOf(size_t row) const;
  std::optional<Dispatched> FirstDispatch(size_t task) const;

  const Model& model_;
  ThreadOfCore threads_;
  std::vector<PhaseSearch> completes_;           // by stream
  std::vector<std::vector<uint32_t>> finishes_;  // by stream and record; empty: none at all
};

// Where rows were dispatched: by core_to_thread, or by a vote when the capture lacks it.
class Dispatches {
 public:
  explicit Dispatches(const Model& model);

  // The stream that dispatched the row; absent when the row has no stamps or no thread serves its
  // core.
  std::optional<uint32_t> StreamOf(size_t row) const;

  // Calls `visit(size_t row, uint32_t stream)` for every row with a stream, in order.
  template <typename Visitor>
  void ForEachRow(Visitor&& visit) const {
    for (size_t row = 0; row < model_.rows().size(); ++row) {
      if (const auto stream = StreamOf(row)) visit(row, *stream);
    }
  }

 private:
  const Model& model_;
  ThreadOfCore threads_;
};

// By task, the orchestrator record that submitted it: the first orch_submit, else (old captures)
// the first orch_fanin or orch_params. Empty with a host orchestrator: its clock is unrelated.
std::vector<std::optional<SubmitId>> SubmitsOfTasks(const Model& model);

}  // namespace simpler::timeline
