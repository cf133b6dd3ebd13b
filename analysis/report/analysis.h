// One call that answers everything about one run, shared by every front end so that all of them
// give the same answers.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "analysis/capture/capture.h"
#include "analysis/capture/dependency_graph.h"
#include "analysis/capture/joined_run.h"
#include "analysis/capture/labels.h"
#include "analysis/capture/task_table.h"
#include "analysis/capture/warning.h"
#include "analysis/overhead/blame.h"
#include "analysis/overhead/critical_path.h"
#include "analysis/overhead/function_stats.h"
#include "analysis/overhead/kernel_family.h"
#include "analysis/overhead/overhead_report.h"
#include "analysis/overhead/quality.h"
#include "analysis/overhead/verdict.h"
#include "analysis/report/ledger.h"

namespace simpler::report {

// What an analysis reads. All objects are borrowed.
struct Inputs {
  const capture::Capture* capture = nullptr;
  size_t run_index = 0;                             // < capture->runs.size()
  const capture::DependencyGraph* graph = nullptr;  // null: none was given
  const capture::NameMap* names = nullptr;          // null: none was given
  std::vector<capture::Warning> warnings;           // of side files; the capture's are added
  // Where capture and graph come from: the start of error messages.
  std::string capture_name;
  std::string graph_name;
};

struct Options {
  // Rows of one stream without their partner in the other are an error instead of a warning.
  bool strict = false;
  capture::CycleSpan tolerance = overhead::CriticalPathOptions{}.tolerance;
  // Asked between the steps; once it says true, Analyze gives up with Cancelled. Empty: never.
  std::function<bool()> cancelled{};
};

// Everything that was computed. Absent parts have a warning that says why.
struct Analysis {
  Inputs inputs;
  capture::DeviceCycles origin;  // the run's time zero in every output
  capture::JoinedRun rows;
  std::vector<capture::Task> tasks;
  std::optional<capture::TaskNodes> nodes;              // with a graph
  std::optional<overhead::CriticalPath> critical_path;  // with a graph and rows
  std::vector<overhead::KernelFamilyShare> families;    // of the observed path
  std::optional<overhead::Blame> blame;                 // with scheduler stamps as well
  overhead::FunctionTable functions;
  overhead::OverheadReport overhead;
  Ledger ledger;
  overhead::Quality quality;
  overhead::Verdict verdict;
  std::vector<capture::Warning> warnings;  // of inputs, join and model, in this order

  const capture::Capture& capture() const { return *inputs.capture; }
  capture::CycleScale scale() const { return inputs.capture->scale(); }
};

// Joins, folds and runs every part of the model. The result borrows what `inputs` points to.
// InvalidArgument, naming the file: a join key occurs twice, the graph has a cycle, or (strict)
// rows lack their partner. Cancelled: see Options. O(n log n).
absl::StatusOr<Analysis> Analyze(Inputs inputs, const Options& options = {});

}  // namespace simpler::report
