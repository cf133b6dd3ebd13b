// The options by which every command is told what to read, and the reading itself.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "CLI/App.hpp"
#include "absl/status/statusor.h"
#include "analysis/capture/capture.h"
#include "analysis/capture/dependency_graph.h"
#include "analysis/capture/labels.h"
#include "analysis/capture/warning.h"
#include "analysis/formats/input_discovery.h"
#include "analysis/report/analysis.h"
#include "client/simplerctl/progress.h"

namespace simpler::simplerctl {

struct InputOptions {
  std::optional<std::string> path;  // absent: the newest capture below ./outputs
  std::optional<std::string> deps;
  std::optional<std::string> func_names;
  size_t run = 0;
  bool strict = false;
};

// Adds PATH, --deps, --func-names, --run and --strict. `options` must outlive the parse.
void AddInputOptions(CLI::App* command, InputOptions* options);

// Everything read for one command. Not movable: analyses borrow from it.
struct LoadedInputs {
  formats::InputPaths paths;
  capture::Capture capture;
  std::optional<capture::DependencyGraph> graph;
  std::optional<capture::NameMap> names;
  std::vector<capture::Warning> warnings;  // of discovery and side files
  size_t run_index = 0;

  LoadedInputs() = default;
  LoadedInputs(const LoadedInputs&) = delete;
  LoadedInputs& operator=(const LoadedInputs&) = delete;

  // What the analysis reads; valid as long as this object.
  report::Inputs ForAnalysis() const;
  // The directory of the records file: where outputs go by default.
  std::string Directory() const;
  // The last component of that directory: what a report is called.
  std::string Label() const;
};

// What LoadAndAnalyze reports to a Progress in total: one unit per input byte, and a quarter of
// that for the analysis. 0 when the inputs cannot be found; reading then says why.
uint64_t WorkUnits(const InputOptions& options);

// Finds and reads the files. Fails with one message that names the file.
absl::StatusOr<std::unique_ptr<LoadedInputs>> LoadInputs(const InputOptions& options,
                                                         Progress* progress);

// LoadInputs and Analyze with the options' strictness.
struct AnalyzedInputs {
  std::unique_ptr<LoadedInputs> inputs;
  report::Analysis analysis;
};
absl::StatusOr<AnalyzedInputs> LoadAndAnalyze(const InputOptions& options,
                                              const report::Options& analysis_options,
                                              Progress* progress);

}  // namespace simpler::simplerctl
