#include <memory>
#include <optional>
#include <string>

#include "analysis/report/comparison.h"
#include "analysis/report/percent.h"
#include "analysis/report/report_json.h"
#include "analysis/report/report_text.h"
#include "client/simplerctl/commands.h"
#include "client/simplerctl/inputs.h"
#include "client/simplerctl/output.h"
#include "client/simplerctl/output_options.h"
#include "fmt/format.h"

namespace simpler::simplerctl {
namespace {

struct ReportOptions {
  InputOptions inputs;
  OutputOptions output;
  std::optional<std::string> against;
  std::optional<double> max_overhead;
};

std::string RenderReport(const report::Analysis& analysis, OutputForm form) {
  return form == OutputForm::kJson ? report::ReportJson(analysis) : report::ReportText(analysis);
}

std::string RenderComparison(const report::Analysis& after, const report::Analysis& before,
                             OutputForm form) {
  switch (form) {
    case OutputForm::kJson:
      return report::ComparisonJson(after, before);
    case OutputForm::kCsv:
      return report::ComparisonCsv(after, before);
    case OutputForm::kText:
      break;
  }
  return report::ComparisonText(after, before);
}

// Compares the scheduler's overhead with --max-overhead.
ExitCode CheckLimit(const report::Analysis& analysis, double limit_percent) {
  const std::optional<double> has = report::HasOverheadPercent(analysis);
  if (!has) {
    Note("simplerctl: overhead.has_percent is unknown, so --max-overhead cannot be checked");
    return ExitCode::kPartial;
  }
  if (analysis.quality.quality == overhead::QualityClass::kInvalid) {
    Note("simplerctl: the capture is INVALID, so --max-overhead cannot be checked");
    return ExitCode::kPartial;
  }
  if (*has > limit_percent) {
    Note(fmt::format("simplerctl: overhead.has_percent is {:.1f} %, above the limit of {} %", *has,
                     limit_percent));
    return ExitCode::kLimitExceeded;
  }
  return ExitCode::kOk;
}

absl::StatusOr<ExitCode> Run(const ReportOptions& options) {
  InputOptions against;
  against.path = options.against;
  against.strict = options.inputs.strict;
  Progress progress(WorkUnits(options.inputs) + (options.against ? WorkUnits(against) : 0));

  absl::StatusOr<AnalyzedInputs> loaded = LoadAndAnalyze(options.inputs, {}, &progress);
  if (!loaded.ok()) return loaded.status();
  std::string text;
  if (options.against) {
    absl::StatusOr<AnalyzedInputs> before = LoadAndAnalyze(against, {}, &progress);
    if (!before.ok()) return before.status();
    text = RenderComparison(loaded->analysis, before->analysis, options.output.form());
  } else {
    text = RenderReport(loaded->analysis, options.output.form());
  }
  progress.Finish();
  if (absl::Status status = WriteOutput(options.output.path, text); !status.ok()) return status;
  return options.max_overhead ? CheckLimit(loaded->analysis, *options.max_overhead) : ExitCode::kOk;
}

}  // namespace

void AddReportCommand(CLI::App* app, Action* action) {
  CLI::App* command =
      app->add_subcommand("report", "What limits the run, and the numbers behind it");
  auto options = std::make_shared<ReportOptions>();
  AddInputOptions(command, &options->inputs);
  AddOutputOptions(command, /*has_table=*/true, &options->output);
  CLI::Option* against = command->add_option("--against", options->against,
                                             "Compare with this capture, the one before a change");
  command->get_option("--csv")->needs(against);
  command
      ->add_option("--max-overhead", options->max_overhead,
                   "Exit with 3 when overhead.has_percent is above this, with 4 when it is unknown "
                   "or the capture is invalid")
      ->check(CLI::Range(0.0, 100.0));
  command->footer(
      "Examples:\n"
      "  simplerctl report                              newest capture below ./outputs\n"
      "  simplerctl report outputs/case_20260101_120000 --json\n"
      "  simplerctl report after/ --against before/\n"
      "  simplerctl report --max-overhead 10            gate of a test run");
  command->callback([options, action] { *action = [options] { return Run(*options); }; });
}

}  // namespace simpler::simplerctl
