// A built capture with everything a timeline is made from.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "analysis/capture/joined_run.h"
#include "analysis/capture/task_table.h"
#include "analysis/timeline/trace.h"
#include "tests/support/capture_builder.h"

namespace simpler::support {

// Throws when the capture cannot be joined. Members refer to each other, so it stays where it is.
class TracedRun {
 public:
  explicit TracedRun(const CaptureBuilder& builder, bool with_graph = true)
      : TracedRun(builder.BuildCapture(), builder.BuildGraph(), builder.names(), with_graph) {}
  TracedRun(capture::Capture capture, capture::DependencyGraph graph, capture::NameMap names,
            bool with_graph)
      : capture_(std::move(capture)),
        graph_(std::move(graph)),
        names_(std::move(names)),
        with_graph_(with_graph),
        rows_(Join(capture_)),
        tasks_(capture::FoldTasks(rows_)),
        nodes_(capture::MatchTasks(tasks_, graph_)) {}
  TracedRun(const TracedRun&) = delete;
  TracedRun& operator=(const TracedRun&) = delete;

  timeline::TimelineInputs inputs() const {
    timeline::TimelineInputs inputs;
    inputs.rows = &rows_;
    inputs.tasks = &tasks_;
    inputs.graph = with_graph_ ? &graph_ : nullptr;
    inputs.nodes = with_graph_ ? &nodes_ : nullptr;
    inputs.names = &names_;
    return inputs;
  }
  const capture::JoinedRun& rows() const { return rows_; }
  const std::vector<capture::Task>& tasks() const { return tasks_; }
  const capture::DependencyGraph& graph() const { return graph_; }

 private:
  static capture::JoinedRun Join(const capture::Capture& capture) {
    auto rows = capture::JoinedRun::Join(capture, 0);
    if (!rows.ok()) throw std::runtime_error(std::string(rows.status().message()));
    return *std::move(rows);
  }

  const capture::Capture capture_;
  const capture::DependencyGraph graph_;
  const capture::NameMap names_;
  const bool with_graph_;
  const capture::JoinedRun rows_;
  const std::vector<capture::Task> tasks_;
  const capture::TaskNodes nodes_;
};

}  // namespace simpler::support
