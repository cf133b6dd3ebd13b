#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <utility>

#include "analysis/report/trace_summary.h"
#include "client/simplerctl/answer_source.h"
#include "client/simplerctl/commands.h"
#include "client/simplerctl/local_source.h"
#include "client/simplerctl/output.h"
#include "client/simplerctl/trace_announcement.h"
#include "client/simplerctl/trace_content.h"
#include "fmt/format.h"

namespace simpler::simplerctl {
namespace {

using timeline::ByteSink;
using timeline::TraceSummary;

struct TraceOptions {
  InputOptions inputs;
  TraceContent content;
  uint64_t max_bytes = 0;
  bool json = false;
  std::optional<std::string> path;
};

std::string OutputPath(const TraceOptions& options, const AnswerSource& source) {
  return options.path.value_or(source.DefaultTracePath() + ExtensionOf(options.content));
}

void NoteMissingGraph(bool has_graph) {
  if (has_graph) return;
  Note("Flow events: 0 (no deps.json — re-run dep_gen and pass --deps-json to add arrows)");
}

absl::StatusOr<ExitCode> WriteWhole(const TraceOptions& options) {
  absl::StatusOr<std::unique_ptr<AnswerSource>> source =
      OpenSource(options.inputs, {.writes_trace = true});
  if (!source.ok()) return source.status();
  const std::string path = OutputPath(options, **source);
  absl::StatusOr<std::unique_ptr<ByteSink>> sink = OpenOutput(path);
  if (!sink.ok()) return sink.status();
  const OutputForm form = options.json ? OutputForm::kJson : OutputForm::kText;
  absl::StatusOr<TraceAnswer> trace =
      (*source)->WriteTrace(RequestOf(options.content), form, sink->get());
  if (!trace.ok()) return trace.status();
  if (absl::Status status = (*sink)->Commit(); !status.ok()) return status;
  NoteMissingGraph(trace->has_graph);
  return Announce({path, (*sink)->bytes_written(), std::move(trace->summary), options.json});
}

// "run.pftrace" -> "run.part2.pftrace".
std::string PartPath(const std::string& path, uint32_t index) {
  const size_t name_begin = path.find_last_of('/') + 1;
  const size_t dot = path.find_last_of('.');
  const size_t stem_end = dot == std::string::npos || dot < name_begin ? path.size() : dot;
  return fmt::format("{}.part{}{}", path.substr(0, stem_end), index, path.substr(stem_end));
}

std::string PartsName(const std::string& path, uint32_t parts) {
  if (parts <= 1) return PartPath(path, 0);
  return fmt::format("{} .. {}", PartPath(path, 0), PartPath(path, parts - 1));
}

// Parts of an earlier, longer split would be taken for the end of this one.
absl::Status RemovePartsFrom(const std::string& path, uint32_t first) {
  std::error_code error;
  for (uint32_t index = first; std::filesystem::remove(PartPath(path, index), error);) ++index;
  if (!error) return absl::OkStatus();
  return absl::FailedPreconditionError(
      fmt::format("{}: cannot remove the parts of an earlier trace from part {} on: {}; remove "
                  "them by hand",
                  path, first, error.message()));
}

// Where to cut is found by writing, so parts are made where the analysis is: here.
absl::StatusOr<ExitCode> WriteParts(const TraceOptions& options) {
  absl::StatusOr<std::unique_ptr<LocalSource>> source =
      LocalSource::Open(options.inputs, {.writes_trace = true});
  if (!source.ok()) return source.status();
  const std::string path = OutputPath(options, **source);
  absl::StatusOr<TraceSummary> summary = (*source)->WriteTraceParts(
      RequestOf(options.content), options.max_bytes,
      [&path](uint32_t index) { return OpenOutput(PartPath(path, index)); });
  if (!summary.ok()) return summary.status();
  if (absl::Status status = RemovePartsFrom(path, summary->parts); !status.ok()) return status;
  NoteMissingGraph((*source)->has_graph());
  return Announce(
      {PartsName(path, summary->parts), summary->bytes,
       options.json ? report::TraceSummaryJson(*summary) : report::TraceSummaryText(*summary),
       options.json});
}

absl::StatusOr<ExitCode> Run(const TraceOptions& options) {
  return options.max_bytes == 0 ? WriteWhole(options) : WriteParts(options);
}

}  // namespace

void AddTraceCommand(const CommandLine& line) {
  CLI::App* command = line.app->add_subcommand("trace", "Write a trace for a viewer");
  auto options = std::make_shared<TraceOptions>();
  AddInputOptions(command, line.daemon, &options->inputs);
  AddTraceContentOptions(command, {"perfetto", "json"}, &options->content);
  command
      ->add_option("--max-bytes", options->max_bytes,
                   "Split into self-contained parts of at most this size; accepts K, M and G")
      ->transform(CLI::AsSizeValue(/*kb_is_1000=*/false))
      ->group("Output");
  command
      ->add_option("-o,--output", options->path,
                   "Trace file, - for standard output (default: merged_swimlane.pftrace or .json "
                   "beside the records; ID.pftrace or .json for a capture in the daemon)")
      ->group("Output");
  command->add_flag("--json", options->json, "Say what was written, and left out, as JSON")
      ->group("Output");
  command->footer(
      "Examples:\n"
      "  simplerctl trace outputs/case_20260101_120000\n"
      "  simplerctl trace --format json -o run.json       for chrome://tracing and speedscope\n"
      "  simplerctl trace --from 1000 --to 2000 --lanes 'Worker View'\n"
      "  simplerctl trace --max-bytes 100M --flows all");
  command->callback([options, action = line.action] {
    CheckTraceContent(options->content);
    *action = [options] { return Run(*options); };
  });
}

}  // namespace simpler::simplerctl
