#include <memory>
#include <optional>
#include <string>

#include "analysis/report/comparison.h"
#include "client/simplerctl/answer_source.h"
#include "client/simplerctl/commands.h"
#include "client/simplerctl/local_source.h"
#include "client/simplerctl/output.h"
#include "fmt/format.h"

namespace simpler::simplerctl {
namespace {

struct ReportOptions {
  InputOptions inputs;
  OutputOptions output;
  std::optional<std::string> against;
  std::optional<double> max_overhead;
};

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
ExitCode CheckLimit(const OverheadFigure& overhead, double limit_percent) {
  if (!overhead.has_percent) {
    Note("simplerctl: overhead.has_percent is unknown, so --max-overhead cannot be checked");
    return ExitCode::kPartial;
  }
  if (overhead.invalid_capture) {
    Note("simplerctl: the capture is INVALID, so --max-overhead cannot be checked");
    return ExitCode::kPartial;
  }
  if (*overhead.has_percent > limit_percent) {
    Note(fmt::format("simplerctl: overhead.has_percent is {:.1f} %, above the limit of {} %",
                     *overhead.has_percent, limit_percent));
    return ExitCode::kLimitExceeded;
  }
  return ExitCode::kOk;
}

absl::StatusOr<ReportAnswer> Report(const ReportOptions& options) {
  absl::StatusOr<std::unique_ptr<AnswerSource>> source = OpenSource(options.inputs);
  if (!source.ok()) return source.status();
  return (*source)->Report(options.output.form());
}

// A comparison needs both analyses in one place: here.
absl::StatusOr<ReportAnswer> Compare(const ReportOptions& options) {
  InputOptions against;
  against.daemon = options.inputs.daemon;
  against.path = options.against;
  against.strict = options.inputs.strict;
  absl::StatusOr<std::unique_ptr<LocalSource>> after_source = LocalSource::Open(options.inputs, {});
  if (!after_source.ok()) return after_source.status();
  absl::StatusOr<const report::Analysis*> after = (*after_source)->Analyze();
  if (!after.ok()) return after.status();
  absl::StatusOr<std::unique_ptr<LocalSource>> before_source = LocalSource::Open(against, {});
  if (!before_source.ok()) return before_source.status();
  absl::StatusOr<const report::Analysis*> before = (*before_source)->Analyze();
  if (!before.ok()) return before.status();
  return ReportAnswer{RenderComparison(**after, **before, options.output.form()),
                      OverheadFigureOf(**after)};
}

absl::StatusOr<ExitCode> Run(const ReportOptions& options) {
  absl::StatusOr<ReportAnswer> answer = options.against ? Compare(options) : Report(options);
  if (!answer.ok()) return answer.status();
  absl::Status status = WriteOutput(options.output.path, answer->document);
  if (!status.ok()) return status;
  return options.max_overhead ? CheckLimit(answer->overhead, *options.max_overhead) : ExitCode::kOk;
}

}  // namespace

void AddReportCommand(const CommandLine& line) {
  CLI::App* command =
      line.app->add_subcommand("report", "What limits the run, and the numbers behind it");
  auto options = std::make_shared<ReportOptions>();
  AddInputOptions(command, line.daemon, &options->inputs);
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
  command->callback(
      [options, action = line.action] { *action = [options] { return Run(*options); }; });
}

}  // namespace simpler::simplerctl
