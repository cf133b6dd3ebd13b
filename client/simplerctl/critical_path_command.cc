#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "analysis/overhead/critical_path.h"
#include "analysis/report/critical_path.h"
#include "analysis/report/trace_summary.h"
#include "analysis/timeline/byte_sink.h"
#include "analysis/timeline/trace_request.h"
#include "client/simplerctl/answer_source.h"
#include "client/simplerctl/commands.h"
#include "client/simplerctl/local_source.h"
#include "client/simplerctl/output.h"
#include "fmt/format.h"

namespace simpler::simplerctl {
namespace {

using report::Analysis;
using timeline::FileSink;

struct CriticalPathOptions {
  InputOptions inputs;
  OutputOptions output;
  std::optional<std::string> report_file;
  std::optional<std::string> traces_directory;
  std::string format = "perfetto";
  size_t top = report::CriticalPathTextOptions{}.top_families;
  int64_t tolerance = overhead::CriticalPathOptions{}.tolerance;
};

// A trace in which the bars of one path keep their names. Not committed yet.
absl::StatusOr<std::unique_ptr<FileSink>> WriteTrace(const CriticalPathOptions& options,
                                                     const Analysis& analysis,
                                                     const std::vector<overhead::PathTask>& path,
                                                     const std::string& file) {
  timeline::TraceRequest request;
  if (options.format == "json") request.format = timeline::TraceFormat::kChromeJson;
  absl::StatusOr<timeline::TimelineOptions> model = timeline::OptionsFor(request);
  if (!model.ok()) return model.status();
  const std::vector<bool> on_path = overhead::OnPath(path, analysis.tasks.size());
  model->on_path = &on_path;
  absl::StatusOr<std::unique_ptr<FileSink>> sink = FileSink::Create(file);
  if (!sink.ok()) return sink.status();
  const absl::StatusOr<timeline::TraceSummary> summary =
      timeline::WriteTrace(request.format, report::TimelineInputsOf(analysis), *model, **sink);
  if (!summary.ok()) return summary.status();
  return sink;
}

// Both traces or none: neither is committed before both are complete.
absl::Status WriteTraces(const CriticalPathOptions& options, const Analysis& analysis) {
  const std::string& directory = *options.traces_directory;
  std::error_code error;
  std::filesystem::create_directories(directory, error);
  if (error) {
    return absl::FailedPreconditionError(
        fmt::format("{}: cannot create the directory: {}; choose another with --traces", directory,
                    error.message()));
  }
  const char* extension = options.format == "json" ? ".json" : ".pftrace";
  const std::string static_file = directory + "/CPM_static" + extension;
  const std::string observed_file = directory + "/CPM_observed" + extension;
  auto static_sink =
      WriteTrace(options, analysis, analysis.critical_path->static_path.tasks, static_file);
  if (!static_sink.ok()) return static_sink.status();
  auto observed_sink =
      WriteTrace(options, analysis, analysis.critical_path->observed.tasks, observed_file);
  if (!observed_sink.ok()) return observed_sink.status();
  if (absl::Status status = (*static_sink)->Commit(); !status.ok()) return status;
  if (absl::Status status = (*observed_sink)->Commit(); !status.ok()) return status;
  Note("Traces written to: " + static_file + ", " + observed_file);
  return absl::OkStatus();
}

// Traces of a path are made from an analysis in this process, which then answers the rest as well.
absl::StatusOr<std::unique_ptr<AnswerSource>> WriteTracesFirst(const CriticalPathOptions& options,
                                                               const SourceUse& use) {
  absl::StatusOr<std::unique_ptr<LocalSource>> source = LocalSource::Open(options.inputs, use);
  if (!source.ok()) return source.status();
  absl::StatusOr<const Analysis*> analysis = (*source)->AnalyzePath();
  if (!analysis.ok()) return analysis.status();
  if (absl::Status status = WriteTraces(options, **analysis); !status.ok()) return status;
  return *std::move(source);
}

absl::Status WriteReportFile(const CriticalPathOptions& options, AnswerSource* source) {
  absl::StatusOr<CriticalPathAnswer> answer = source->CriticalPath(OutputForm::kText, options.top);
  if (!answer.ok()) return answer.status();
  absl::Status status = WriteOutput(options.report_file, answer->document);
  if (status.ok()) Note("Report written to: " + *options.report_file);
  return status;
}

absl::StatusOr<ExitCode> Run(const CriticalPathOptions& options) {
  const SourceUse use{.tolerance = options.tolerance};
  absl::StatusOr<std::unique_ptr<AnswerSource>> source =
      options.traces_directory ? WriteTracesFirst(options, use) : OpenSource(options.inputs, use);
  if (!source.ok()) return source.status();
  if (options.report_file) {
    if (absl::Status status = WriteReportFile(options, source->get()); !status.ok()) return status;
  }
  const OutputForm form = options.output.form();
  absl::StatusOr<CriticalPathAnswer> answer = (*source)->CriticalPath(form, options.top);
  if (!answer.ok()) return answer.status();
  const bool one_line = options.report_file && form == OutputForm::kText;
  return WriteAnswer(options.output.path, one_line ? answer->summary + '\n' : answer->document);
}

}  // namespace

void AddCriticalPathCommand(const CommandLine& line) {
  CLI::App* command = line.app->add_subcommand(
      "critical-path", "The longest dependency chain, and what really held the run up");
  auto options = std::make_shared<CriticalPathOptions>();
  AddInputOptions(command, line.daemon, &options->inputs);
  AddOutputOptions(command, /*has_table=*/true, &options->output);
  command
      ->add_option("--report", options->report_file,
                   "Write the Markdown report to this file and print one line")
      ->group("Output");
  command
      ->add_option("--traces", options->traces_directory,
                   "Write two traces to this directory that name only the tasks on the static and "
                   "on the observed path")
      ->group("Output");
  command->add_option("--format", options->format, "Encoding of the traces")
      ->check(CLI::IsMember({"perfetto", "json"}))
      ->capture_default_str()
      ->group("Output");
  command->add_option("--top", options->top, "Rows of the kernel-family table")
      ->check(CLI::Range(1, 1'000'000))
      ->capture_default_str();
  command
      ->add_option("--tol", options->tolerance,
                   "Cycles by which a successor may start before its predecessor's end")
      ->check(CLI::Range(0, 1'000'000))
      ->capture_default_str();
  command->footer(
      "Examples:\n"
      "  simplerctl critical-path outputs/case_20260101_120000\n"
      "  simplerctl critical-path --report path.md --traces .\n"
      "  simplerctl critical-path --json | jq .observed.blame");
  command->callback(
      [options, action = line.action] { *action = [options] { return Run(*options); }; });
}

}  // namespace simpler::simplerctl
