// A built capture, joined with its graph and prepared for the analyses.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "analysis/capture/capture.h"
#include "analysis/capture/dependency_graph.h"
#include "analysis/capture/joined_run.h"
#include "analysis/overhead/analyze_overhead.h"
#include "tests/support/capture_builder.h"

namespace simpler::support {

// Throws when the capture cannot be joined or its graph has a cycle. Members refer to each other,
// so it stays where it was built.
struct PreparedRun {
  PreparedRun(capture::Capture built_capture, capture::DependencyGraph built_graph)
      : capture(std::move(built_capture)),
        graph(std::move(built_graph)),
        rows(OrThrow(capture::JoinedRun::Join(capture, 0))),
        inputs(OrThrow(overhead::OverheadInputs::Prepare(rows, &graph))) {}
  explicit PreparedRun(const CaptureBuilder& builder)
      : PreparedRun(builder.BuildCapture(), builder.BuildGraph()) {}
  PreparedRun(const PreparedRun&) = delete;
  PreparedRun& operator=(const PreparedRun&) = delete;

  const capture::Capture capture;
  const capture::DependencyGraph graph;
  const capture::JoinedRun rows;
  const overhead::OverheadInputs inputs;

 private:
  template <typename T>
  static T OrThrow(absl::StatusOr<T> value) {
    if (!value.ok()) throw std::runtime_error(std::string(value.status().message()));
    return *std::move(value);
  }
};

}  // namespace simpler::support
