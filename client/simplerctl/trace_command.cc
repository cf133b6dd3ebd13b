#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "analysis/report/trace_summary.h"
#include "analysis/timeline/trace.h"
#include "analysis/timeline/trace_request.h"
#include "client/simplerctl/commands.h"
#include "client/simplerctl/inputs.h"
#include "client/simplerctl/output.h"
#include "fmt/format.h"

namespace simpler::simplerctl {
namespace {

using timeline::ByteSink;
using timeline::TimelineInputs;
using timeline::TimelineOptions;
using timeline::TraceFormat;
using timeline::TraceSummary;

struct TraceOptions {
  InputOptions inputs;
  std::string format = "perfetto";
  std::vector<std::string> flows;
  std::string names;
  std::optional<double> from_us, to_us;
  std::vector<std::string> lanes;
  uint64_t max_bytes = 0;
  bool overhead = false;
  bool json = false;
  std::optional<std::string> path;

  TraceFormat trace_format() const {
    return format == "json" ? TraceFormat::kChromeJson : TraceFormat::kPerfetto;
  }
};

timeline::TraceRequest RequestOf(const TraceOptions& options) {
  timeline::TraceRequest request;
  request.format = options.trace_format();
  request.flows = options.flows;
  request.from_us = options.from_us;
  request.to_us = options.to_us;
  request.lanes = options.lanes;
  request.overhead_counters = options.overhead;
  if (options.names == "function") request.naming = timeline::TaskNaming::kFunction;
  if (options.names == "task") request.naming = timeline::TaskNaming::kTask;
  return request;
}

const char* Extension(TraceFormat format) {
  return format == TraceFormat::kPerfetto ? ".pftrace" : ".json";
}

std::string OutputPath(const TraceOptions& options, const LoadedInputs& inputs) {
  return options.path.value_or(inputs.directory + "/merged_swimlane" +
                               Extension(options.trace_format()));
}

// "run.pftrace" -> "run.part2.pftrace".
std::string PartPath(const std::string& path, uint32_t index) {
  const size_t name_begin = path.find_last_of('/') + 1;
  const size_t dot = path.find_last_of('.');
  const size_t stem_end = dot == std::string::npos || dot < name_begin ? path.size() : dot;
  return fmt::format("{}.part{}{}", path.substr(0, stem_end), index, path.substr(stem_end));
}

absl::StatusOr<TraceSummary> WriteWhole(TraceFormat format, const TimelineInputs& inputs,
                                        const TimelineOptions& model, const std::string& path) {
  absl::StatusOr<std::unique_ptr<ByteSink>> sink = OpenOutput(path);
  if (!sink.ok()) return sink.status();
  absl::StatusOr<TraceSummary> summary = timeline::WriteTrace(format, inputs, model, **sink);
  if (!summary.ok()) return summary.status();
  if (absl::Status status = (*sink)->Commit(); !status.ok()) return status;
  return summary;
}

absl::StatusOr<TraceSummary> Write(const TraceOptions& options, const report::Analysis& analysis,
                                   const TimelineOptions& model, const std::string& path) {
  const TimelineInputs inputs = report::TimelineInputsOf(analysis);
  if (options.max_bytes == 0) return WriteWhole(options.trace_format(), inputs, model, path);
  return timeline::WriteTraceInParts(
      options.trace_format(), inputs, model, options.max_bytes,
      [&path](uint32_t index) { return OpenOutput(PartPath(path, index)); });
}

std::string Destination(const std::string& path, const TraceOptions& options,
                        const TraceSummary& summary) {
  if (path == kStandardOutput) return "standard output";
  if (options.max_bytes == 0) return path;
  if (summary.parts <= 1) return PartPath(path, 0);
  return fmt::format("{} .. {}", PartPath(path, 0), PartPath(path, summary.parts - 1));
}

absl::StatusOr<ExitCode> Run(const TraceOptions& options) {
  absl::StatusOr<TimelineOptions> model = timeline::OptionsFor(RequestOf(options));
  if (!model.ok()) return model.status();
  const uint64_t loading = WorkUnits(options.inputs);
  Progress progress(2 * loading);
  absl::StatusOr<AnalyzedInputs> loaded = LoadAndAnalyze(options.inputs, {}, &progress);
  if (!loaded.ok()) return loaded.status();
  const std::string path = OutputPath(options, *loaded->inputs);
  progress.Begin("writing the trace", loading);
  absl::StatusOr<TraceSummary> summary = Write(options, loaded->analysis, *model, path);
  if (!summary.ok()) return summary.status();
  progress.Finish();

  if (!loaded->inputs->bundle.graph) {
    Note("Flow events: 0 (no deps.json — re-run dep_gen and pass --deps-json to add arrows)");
  }
  const std::string destination = Destination(path, options, *summary);
  const std::string text = options.json
                               ? report::TraceSummaryJson(*summary)
                               : report::TraceDestinationText(destination, summary->bytes) +
                                     report::TraceSummaryText(*summary);
  if (path == kStandardOutput) {
    Note(text);
    return ExitCode::kOk;
  }
  if (absl::Status status = WriteOutput(std::nullopt, text); !status.ok()) return status;
  if (!options.json) Note("Open https://ui.perfetto.dev and drop the file there.");
  return ExitCode::kOk;
}

// Validator of one --flows name.
std::string CheckFlows(const std::string& name) {
  return std::string(timeline::ParseFlows(name).status().message());
}

void CheckWindow(const TraceOptions& options) {
  if (options.from_us && options.to_us && *options.from_us >= *options.to_us) {
    throw CLI::ValidationError("--to", "the window is empty: --to must be above --from");
  }
}

void AddModelOptions(CLI::App* command, TraceOptions* options) {
  const std::string group = "Content";
  command
      ->add_option("--flows", options->flows,
                   "Arrows to draw: dependency, complete, complete_ready, dispatch, "
                   "submit_dispatch, each also as NAME.worker or NAME.scheduler, all or none "
                   "(default: dependency.worker for perfetto, all for json)")
      ->delimiter(',')
      ->check(CheckFlows)
      ->group(group);
  command
      ->add_option("--names", options->names,
                   "Call task bars by function or task (default: function for perfetto)")
      ->check(CLI::IsMember({"function", "task"}))
      ->group(group);
  command->add_option("--from", options->from_us, "Leave out what ends before this time, in µs")
      ->group(group);
  command->add_option("--to", options->to_us, "Leave out what begins after this time, in µs")
      ->group(group);
  command
      ->add_option("--lanes", options->lanes,
                   "Keep lanes whose process/lane contains this text, or matches this glob")
      ->delimiter(',')
      ->group(group);
  command
      ->add_flag("--overhead", options->overhead, "Add the eight overhead counters; needs a graph")
      ->group(group);
}

}  // namespace

void AddTraceCommand(CLI::App* app, Action* action) {
  CLI::App* command = app->add_subcommand("trace", "Write a trace for a viewer");
  auto options = std::make_shared<TraceOptions>();
  AddInputOptions(command, &options->inputs);
  AddModelOptions(command, options.get());
  command->add_option("--format", options->format, "Encoding of the trace")
      ->check(CLI::IsMember({"perfetto", "json"}))
      ->capture_default_str()
      ->group("Output");
  command
      ->add_option("--max-bytes", options->max_bytes,
                   "Split into self-contained parts of at most this size; accepts K, M and G")
      ->transform(CLI::AsSizeValue(/*kb_is_1000=*/false))
      ->group("Output");
  command
      ->add_option("-o,--output", options->path,
                   "Trace file, - for standard output (default: merged_swimlane.pftrace or .json "
                   "beside the records)")
      ->group("Output");
  command->add_flag("--json", options->json, "Say what was written, and left out, as JSON")
      ->group("Output");
  command->footer(
      "Examples:\n"
      "  simplerctl trace outputs/case_20260101_120000\n"
      "  simplerctl trace --format json -o run.json       for chrome://tracing and speedscope\n"
      "  simplerctl trace --from 1000 --to 2000 --lanes 'Worker View'\n"
      "  simplerctl trace --max-bytes 100M --flows all");
  command->callback([options, action] {
    CheckWindow(*options);
    *action = [options] { return Run(*options); };
  });
}

}  // namespace simpler::simplerctl
