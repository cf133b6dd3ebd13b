// simplerctl: answers about captures, on the command line.

#include <cstdio>
#include <new>

#include "CLI/CLI.hpp"
#include "client/simplerctl/commands.h"

namespace simpler::simplerctl {
namespace {

constexpr const char* kVersion = "simplerctl " SIMPLER_VERSION;

int Fail(const std::string& message) {
  std::fputs(("simplerctl: " + message + '\n').c_str(), stderr);
  return static_cast<int>(ExitCode::kRefused);
}

int RunAction(const Action& action) {
  const absl::StatusOr<ExitCode> result = action();
  return result.ok() ? static_cast<int>(*result) : Fail(std::string(result.status().message()));
}

int Main(int argc, char** argv) {
  CLI::App app(
      "Answers about recorded runs of accelerator chips: what limits them and where to look",
      "simplerctl");
  app.set_version_flag("--version", kVersion);
  app.require_subcommand(1);
  app.footer(
      "Examples:\n"
      "  simplerctl report                    the newest capture below ./outputs\n"
      "  simplerctl trace path/to/capture     a trace for https://ui.perfetto.dev\n"
      "  simplerctl import path/to/capture    hands it to simplerd, which answers by its id\n"
      "Run `simplerctl COMMAND --help` for the options of a command.\n\n"
      "Exit codes: 0 done, 1 input refused, 2 wrong usage, 3 limit exceeded, 4 partial result.");
  app.failure_message([](const CLI::App*, const CLI::Error& error) {
    return std::string("simplerctl: ") + error.what() + "; see simplerctl --help\n";
  });

  DaemonOptions daemon;
  AddDaemonOptions(&app, &daemon);
  app.fallthrough();  // these options may also follow the command
  Action action;
  const CommandLine line{&app, &action, &daemon};
  AddReportCommand(line);
  AddTraceCommand(line);
  AddStatsCommand(line);
  AddCriticalPathCommand(line);
  AddInfoCommand(line);
  AddGraphCommand(line);
  AddPackCommand(line);
  AddUnpackCommand(line);
  AddImportCommand(line);
  AddListCommand(line);
  AddFetchCommand(line);
  AddDeleteCommand(line);
  AddStatusCommand(line);
  AddCompletionCommand(line);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : static_cast<int>(ExitCode::kUsage);
  }
  try {
    return RunAction(action);
  } catch (const std::bad_alloc&) {
    return Fail("out of memory; the inputs are too large for this machine");
  }
}

}  // namespace
}  // namespace simpler::simplerctl

int main(int argc, char** argv) { return simpler::simplerctl::Main(argc, argv); }
