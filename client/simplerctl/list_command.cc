#include <memory>
#include <string>
#include <vector>

#include "client/profiler/profiler_client.h"
#include "client/simplerctl/captures.h"
#include "client/simplerctl/commands.h"
#include "client/simplerctl/labels.h"
#include "client/simplerctl/output.h"
#include "client/simplerctl/output_options.h"

namespace simpler::simplerctl {
namespace {

struct ListOptions {
  const DaemonOptions* daemon = nullptr;
  std::vector<std::string> labels;
  OutputOptions output;
};

absl::StatusOr<ExitCode> Run(const ListOptions& options) {
  absl::StatusOr<std::unique_ptr<profiler::ProfilerClient>> client = Connect(*options.daemon);
  if (!client.ok()) return client.status();
  profiler::v1::ListCapturesRequest request;
  *request.mutable_labels() = LabelsOf(options.labels);
  absl::StatusOr<profiler::v1::ListCapturesResponse> captures = (*client)->ListCaptures(request);
  if (!captures.ok()) return captures.status();
  return WriteAnswer(options.output.path, options.output.form() == OutputForm::kJson
                                              ? CapturesJson(*captures)
                                              : CapturesText(*captures));
}

}  // namespace

void AddListCommand(const CommandLine& line) {
  CLI::App* command = line.app->add_subcommand("list", "Captures in the daemon, oldest first");
  auto options = std::make_shared<ListOptions>();
  options->daemon = line.daemon;
  AddLabelOption(command, "Only captures with this label KEY=VALUE; may be repeated",
                 &options->labels);
  AddOutputOptions(command, /*has_table=*/false, &options->output);
  command->footer(
      "Examples:\n"
      "  simplerctl list --label job=17\n"
      "  simplerctl list --json | jq -r '.captures[].id'");
  command->callback(
      [options, action = line.action] { *action = [options] { return Run(*options); }; });
}

}  // namespace simpler::simplerctl
