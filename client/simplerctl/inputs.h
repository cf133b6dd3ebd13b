// The options by which every command is told what to read, and the reading itself.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "CLI/App.hpp"
#include "absl/status/statusor.h"
#include "analysis/capture/bundle.h"
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

// Adds PATH, --deps and --func-names. `options` must outlive the parse.
void AddFileOptions(CLI::App* command, InputOptions* options);

// The same, and --run and --strict: for commands that judge one run.
void AddInputOptions(CLI::App* command, InputOptions* options);

// Everything read for one command. Not movable: analyses borrow from it.
struct LoadedInputs {
  capture::CaptureBundle bundle;
  report::Inputs inputs;  // of the chosen run; borrows `bundle`
  std::string directory;  // of the records file: where outputs go by default
  std::string label;  // what a report is called: the directory's last component, or an archive's
                      // name without its suffix

  LoadedInputs() = default;
  LoadedInputs(const LoadedInputs&) = delete;
  LoadedInputs& operator=(const LoadedInputs&) = delete;
};

// What LoadAndAnalyze reports to a Progress in total: one unit per input byte, and a quarter of
// that for the analysis. 0 when the inputs cannot be found; reading then says why.
uint64_t WorkUnits(const InputOptions& options);

// Finds and reads the files, or an archive; files that the options name replace its parts. Fails
// with one message that names the file.
absl::StatusOr<std::unique_ptr<LoadedInputs>> LoadInputs(const InputOptions& options,
                                                         Progress* progress);

// The same with everything that an archive keeps: also the dispatch identity, which answers do not
// need, so that a broken one refuses only what has to store it.
absl::StatusOr<std::unique_ptr<LoadedInputs>> LoadWholeCapture(const InputOptions& options,
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
