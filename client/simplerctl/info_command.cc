#include <memory>

#include "client/simplerctl/answer_source.h"
#include "client/simplerctl/commands.h"
#include "client/simplerctl/output.h"

namespace simpler::simplerctl {
namespace {

struct InfoOptions {
  InputOptions inputs;
  OutputOptions output;
};

absl::StatusOr<ExitCode> Run(const InfoOptions& options) {
  absl::StatusOr<std::unique_ptr<AnswerSource>> source = OpenSource(options.inputs);
  if (!source.ok()) return source.status();
  return WriteAnswer(options.output.path, (*source)->Info(options.output.form()));
}

}  // namespace

void AddInfoCommand(const CommandLine& line) {
  CLI::App* command = line.app->add_subcommand("info", "What the inputs hold and can answer");
  auto options = std::make_shared<InfoOptions>();
  AddInputOptions(command, line.daemon, &options->inputs);
  AddOutputOptions(command, /*has_table=*/false, &options->output);
  command->footer(
      "Examples:\n"
      "  simplerctl info outputs/case_20260101_120000\n"
      "  simplerctl info --json | jq '.capabilities[] | select(.available | not)'");
  command->callback(
      [options, action = line.action] { *action = [options] { return Run(*options); }; });
}

}  // namespace simpler::simplerctl
