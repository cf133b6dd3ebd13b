#include <memory>

#include "analysis/report/stats.h"
#include "client/simplerctl/commands.h"
#include "client/simplerctl/inputs.h"
#include "client/simplerctl/output.h"
#include "client/simplerctl/output_options.h"

namespace simpler::simplerctl {
namespace {

struct StatsOptions {
  InputOptions inputs;
  OutputOptions output;
};

std::string Render(const report::Analysis& analysis, OutputForm form) {
  switch (form) {
    case OutputForm::kJson:
      return report::StatsJson(analysis);
    case OutputForm::kCsv:
      return report::StatsCsv(analysis);
    case OutputForm::kText:
      break;
  }
  return report::StatsText(analysis);
}

absl::StatusOr<ExitCode> Run(const StatsOptions& options) {
  Progress progress(WorkUnits(options.inputs));
  absl::StatusOr<AnalyzedInputs> loaded = LoadAndAnalyze(options.inputs, {}, &progress);
  if (!loaded.ok()) return loaded.status();
  progress.Finish();
  const std::string text = Render(loaded->analysis, options.output.form());
  if (absl::Status status = WriteOutput(options.output.path, text); !status.ok()) return status;
  return ExitCode::kOk;
}

}  // namespace

void AddStatsCommand(CLI::App* app, Action* action) {
  CLI::App* command = app->add_subcommand("stats", "Table of kernel functions");
  auto options = std::make_shared<StatsOptions>();
  AddInputOptions(command, &options->inputs);
  AddOutputOptions(command, /*has_table=*/true, &options->output);
  command->footer(
      "Examples:\n"
      "  simplerctl stats outputs/case_20260101_120000\n"
      "  simplerctl stats --csv -o functions.csv");
  command->callback([options, action] { *action = [options] { return Run(*options); }; });
}

}  // namespace simpler::simplerctl
