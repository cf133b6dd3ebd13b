#include <memory>

#include "client/simplerctl/answer_source.h"
#include "client/simplerctl/commands.h"
#include "client/simplerctl/output.h"

namespace simpler::simplerctl {
namespace {

struct StatsOptions {
  InputOptions inputs;
  OutputOptions output;
};

absl::StatusOr<ExitCode> Run(const StatsOptions& options) {
  absl::StatusOr<std::unique_ptr<AnswerSource>> source = OpenSource(options.inputs);
  if (!source.ok()) return source.status();
  return WriteAnswer(options.output.path, (*source)->Stats(options.output.form()));
}

}  // namespace

void AddStatsCommand(const CommandLine& line) {
  CLI::App* command = line.app->add_subcommand("stats", "Table of kernel functions");
  auto options = std::make_shared<StatsOptions>();
  AddInputOptions(command, line.daemon, &options->inputs);
  AddOutputOptions(command, /*has_table=*/true, &options->output);
  command->footer(
      "Examples:\n"
      "  simplerctl stats outputs/case_20260101_120000\n"
      "  simplerctl stats --csv -o functions.csv");
  command->callback(
      [options, action = line.action] { *action = [options] { return Run(*options); }; });
}

}  // namespace simpler::simplerctl
