// The commands, one file each.
#pragma once

#include <functional>

#include "CLI/App.hpp"
#include "absl/status/statusor.h"
#include "client/simplerctl/daemon_options.h"
#include "client/simplerctl/exit_code.h"

namespace simpler::simplerctl {

// The work of the chosen command. A failure is printed once, after "simplerctl: ".
using Action = std::function<absl::StatusOr<ExitCode>()>;

// What the command line is built into. Everything outlives the parse.
struct CommandLine {
  CLI::App* app = nullptr;
  Action* action = nullptr;               // set by parsing to the chosen command's
  const DaemonOptions* daemon = nullptr;  // options of the whole command line
};

// Each adds one command with its options.
void AddReportCommand(const CommandLine& line);
void AddTraceCommand(const CommandLine& line);
void AddStatsCommand(const CommandLine& line);
void AddCriticalPathCommand(const CommandLine& line);
void AddInfoCommand(const CommandLine& line);
void AddGraphCommand(const CommandLine& line);
void AddPackCommand(const CommandLine& line);
void AddUnpackCommand(const CommandLine& line);
void AddImportCommand(const CommandLine& line);
void AddListCommand(const CommandLine& line);
void AddFetchCommand(const CommandLine& line);
void AddDeleteCommand(const CommandLine& line);
void AddStatusCommand(const CommandLine& line);
void AddCompletionCommand(const CommandLine& line);

}  // namespace simpler::simplerctl
