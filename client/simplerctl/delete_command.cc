#include <memory>
#include <string>
#include <vector>

#include "client/profiler/profiler_client.h"
#include "client/simplerctl/commands.h"
#include "client/simplerctl/output.h"

namespace simpler::simplerctl {
namespace {

struct DeleteOptions {
  const DaemonOptions* daemon = nullptr;
  std::vector<std::string> ids;
};

// Deletes what it can; the last failure is the result, earlier ones are noted.
absl::StatusOr<ExitCode> Run(const DeleteOptions& options) {
  absl::StatusOr<std::unique_ptr<profiler::ProfilerClient>> client = Connect(*options.daemon);
  if (!client.ok()) return client.status();
  absl::Status failure;
  for (const std::string& id : options.ids) {
    profiler::v1::DeleteCaptureRequest request;
    request.set_capture_id(id);
    const absl::Status status = (*client)->DeleteCapture(request).status();
    if (status.ok()) continue;
    if (!failure.ok()) Note("simplerctl: " + std::string(failure.message()));
    failure = status;
    if (absl::IsUnavailable(status)) break;
  }
  if (!failure.ok()) return failure;
  return ExitCode::kOk;
}

}  // namespace

void AddDeleteCommand(const CommandLine& line) {
  CLI::App* command = line.app->add_subcommand("delete", "Remove captures from the daemon");
  auto options = std::make_shared<DeleteOptions>();
  options->daemon = line.daemon;
  command->add_option("id", options->ids, "Captures in the daemon")->required();
  command->footer(
      "Examples:\n"
      "  simplerctl delete cap-0123456789ab\n"
      "  simplerctl delete $(simplerctl list --label job=17 --json | jq -r '.captures[].id')");
  command->callback(
      [options, action = line.action] { *action = [options] { return Run(*options); }; });
}

}  // namespace simpler::simplerctl
