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
#include "client/simplerctl/daemon_options.h"
#include "client/simplerctl/progress.h"

namespace simpler::simplerctl {

struct InputOptions {
  const DaemonOptions* daemon = nullptr;  // asked when `path` is the id of a capture
  std::optional<std::string> path;        // absent: the newest capture below ./outputs
  std::optional<std::string> deps;
  std::optional<std::string> func_names;
  size_t run = 0;
  bool strict = false;
};

// Adds PATH, --deps and --func-names. Everything must outlive the parse.
void AddFileOptions(CLI::App* command, const DaemonOptions* daemon, InputOptions* options);

// The same, and --run and --strict: for commands that judge one run.
void AddInputOptions(CLI::App* command, const DaemonOptions* daemon, InputOptions* options);

// Adds only --run and --strict.
void AddRunOptions(CLI::App* command, InputOptions* options);

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

// The size of what LoadInputs reads: the units that it reports to a Progress. 0 for a capture in
// the daemon, and when the inputs cannot be found; reading then says why.
uint64_t InputBytes(const InputOptions& options);

// Finds and reads the files; or an archive, of which files that the options name replace parts; or
// fetches a capture from the daemon. Fails with one message that names the file.
absl::StatusOr<std::unique_ptr<LoadedInputs>> LoadInputs(const InputOptions& options,
                                                         Progress* progress);

// The same with everything that an archive keeps: also the dispatch identity, which answers do not
// need, so that a broken one refuses only what has to store it.
absl::StatusOr<std::unique_ptr<LoadedInputs>> LoadWholeCapture(const InputOptions& options,
                                                               Progress* progress);

}  // namespace simpler::simplerctl
