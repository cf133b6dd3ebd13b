#include <memory>
#include <string>

#include "client/profiler/profiler_client.h"
#include "client/simplerctl/commands.h"
#include "client/simplerctl/daemon_status.h"
#include "client/simplerctl/output.h"
#include "client/simplerctl/output_options.h"

namespace simpler::simplerctl {
namespace {

struct StatusOptions {
  const DaemonOptions* daemon = nullptr;
  double wait_seconds = 0;
  OutputOptions output;
};

absl::StatusOr<ExitCode> Run(const StatusOptions& options) {
  absl::StatusOr<std::unique_ptr<profiler::ProfilerClient>> client = Connect(*options.daemon);
  if (!client.ok()) return client.status();
  absl::StatusOr<profiler::v1::DescribeResponse> status =
      (*client)->Describe(MillisOf(options.wait_seconds));
  if (!status.ok()) return status.status();
  return WriteAnswer(options.output.path, options.output.form() == OutputForm::kJson
                                              ? DaemonStatusJson(*status)
                                              : DaemonStatusText(*status));
}

}  // namespace

void AddStatusCommand(const CommandLine& line) {
  CLI::App* command = line.app->add_subcommand("status", "Version, limits and load of the daemon");
  auto options = std::make_shared<StatusOptions>();
  options->daemon = line.daemon;
  command
      ->add_option("--wait", options->wait_seconds,
                   "Seconds to wait for a daemon that is not there yet")
      ->check(CLI::Range(0.0, 1e6));
  AddOutputOptions(command, /*has_table=*/false, &options->output);
  command->footer(
      "Examples:\n"
      "  simplerctl status --wait 30              until a daemon that was just started answers\n"
      "  simplerctl status --json | jq .store");
  command->callback(
      [options, action = line.action] { *action = [options] { return Run(*options); }; });
}

}  // namespace simpler::simplerctl
