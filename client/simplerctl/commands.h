// The commands, one file each.
#pragma once

#include <functional>

#include "CLI/App.hpp"
#include "absl/status/statusor.h"
#include "client/simplerctl/exit_code.h"

namespace simpler::simplerctl {

// The work of the chosen command. A failure is printed once, after "simplerctl: ".
using Action = std::function<absl::StatusOr<ExitCode>()>;

// Each adds one command with its options to `app`. When the command line chooses the command,
// parsing sets `action`, which must outlive `app`.
void AddReportCommand(CLI::App* app, Action* action);
void AddTraceCommand(CLI::App* app, Action* action);
void AddStatsCommand(CLI::App* app, Action* action);
void AddCriticalPathCommand(CLI::App* app, Action* action);
void AddInfoCommand(CLI::App* app, Action* action);
void AddGraphCommand(CLI::App* app, Action* action);
void AddPackCommand(CLI::App* app, Action* action);
void AddUnpackCommand(CLI::App* app, Action* action);
void AddCompletionCommand(CLI::App* app, Action* action);

}  // namespace simpler::simplerctl
