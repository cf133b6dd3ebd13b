#include <memory>

#include "analysis/report/info.h"
#include "client/simplerctl/commands.h"
#include "client/simplerctl/inputs.h"
#include "client/simplerctl/output.h"
#include "client/simplerctl/output_options.h"

namespace simpler::simplerctl {
namespace {

struct InfoOptions {
  InputOptions inputs;
  OutputOptions output;
};

absl::StatusOr<ExitCode> Run(const InfoOptions& options) {
  Progress progress(WorkUnits(options.inputs));
  absl::StatusOr<std::unique_ptr<LoadedInputs>> loaded = LoadInputs(options.inputs, &progress);
  if (!loaded.ok()) return loaded.status();
  progress.Finish();
  const report::Inputs& inputs = (*loaded)->inputs;
  const std::string text = options.output.form() == OutputForm::kJson ? report::InfoJson(inputs)
                                                                      : report::InfoText(inputs);
  if (absl::Status status = WriteOutput(options.output.path, text); !status.ok()) return status;
  return ExitCode::kOk;
}

}  // namespace

void AddInfoCommand(CLI::App* app, Action* action) {
  CLI::App* command = app->add_subcommand("info", "What the inputs hold and can answer");
  auto options = std::make_shared<InfoOptions>();
  AddInputOptions(command, &options->inputs);
  AddOutputOptions(command, /*has_table=*/false, &options->output);
  command->footer(
      "Examples:\n"
      "  simplerctl info outputs/case_20260101_120000\n"
      "  simplerctl info --json | jq '.capabilities[] | select(.available | not)'");
  command->callback([options, action] { *action = [options] { return Run(*options); }; });
}

}  // namespace simpler::simplerctl
