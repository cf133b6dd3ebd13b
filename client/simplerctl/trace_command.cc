#include <unistd.h>

#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "analysis/report/trace_summary.h"
#include "analysis/timeline/trace.h"
#include "client/simplerctl/commands.h"
#include "client/simplerctl/inputs.h"
#include "client/simplerctl/output.h"
#include "fmt/format.h"

namespace simpler::simplerctl {
namespace {

using timeline::ByteSink;
using timeline::FileSink;
using timeline::TimelineInputs;
using timeline::TimelineOptions;
using timeline::TraceFormat;
using timeline::TraceSummary;

constexpr const char* kToStdout = "-";

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

absl::StatusOr<TimelineOptions> ModelOptions(const TraceOptions& options) {
  TimelineOptions model = options.trace_format() == TraceFormat::kPerfetto
                              ? timeline::PerfettoDefaults()
                              : timeline::ChromeDefaults();
  if (!options.flows.empty()) model.flows.reset();
  for (const std::string& name : options.flows) {
    absl::StatusOr<timeline::FlowSet> kinds = timeline::ParseFlows(name);
    if (!kinds.ok()) return kinds.status();
    model.flows |= *kinds;
  }
  if (options.names == "function") model.naming = timeline::TaskNaming::kFunction;
  if (options.names == "task") model.naming = timeline::TaskNaming::kTask;
  if (options.from_us || options.to_us) {
    model.window = timeline::TimeWindow{
        .from_us = options.from_us.value_or(0),
        .to_us = options.to_us.value_or(std::numeric_limits<double>::infinity())};
  }
  model.lanes = options.lanes;
  model.overhead_counters = options.overhead;
  return model;
}

const char* Extension(TraceFormat format) {
  return format == TraceFormat::kPerfetto ? ".pftrace" : ".json";
}

std::string OutputPath(const TraceOptions& options, const LoadedInputs& inputs) {
  return options.path.value_or(inputs.Directory() + "/merged_swimlane" +
                               Extension(options.trace_format()));
}

// "run.pftrace" -> "run.part2.pftrace".
std::string PartPath(const std::string& path, uint32_t index) {
  const size_t name_begin = path.find_last_of('/') + 1;
  const size_t dot = path.find_last_of('.');
  const size_t stem_end = dot == std::string::npos || dot < name_begin ? path.size() : dot;
  return fmt::format("{}.part{}{}", path.substr(0, stem_end), index, path.substr(stem_end));
}

absl::StatusOr<std::unique_ptr<ByteSink>> OpenSink(const std::string& path) {
  if (path == kToStdout) {
    return std::make_unique<timeline::FdSink>(STDOUT_FILENO, "standard output");
  }
  absl::StatusOr<std::unique_ptr<FileSink>> file = FileSink::Create(path);
  if (!file.ok()) return file.status();
  return *std::move(file);
}

absl::StatusOr<TraceSummary> WriteWhole(TraceFormat format, const TimelineInputs& inputs,
                                        const TimelineOptions& model, const std::string& path) {
  absl::StatusOr<std::unique_ptr<ByteSink>> sink = OpenSink(path);
  if (!sink.ok()) return sink.status();
  absl::StatusOr<TraceSummary> summary = format == TraceFormat::kPerfetto
                                             ? timeline::WritePerfettoTrace(inputs, model, **sink)
                                             : timeline::WriteChromeTrace(inputs, model, **sink);
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
      [&path](uint32_t index) { return OpenSink(PartPath(path, index)); });
}

std::string Destination(const std::string& path, const TraceOptions& options,
                        const TraceSummary& summary) {
  if (path == kToStdout) return "standard output";
  if (options.max_bytes == 0) return path;
  if (summary.parts <= 1) return PartPath(path, 0);
  return fmt::format("{} .. {}", PartPath(path, 0), PartPath(path, summary.parts - 1));
}

absl::StatusOr<ExitCode> Run(const TraceOptions& options) {
  absl::StatusOr<TimelineOptions> model = ModelOptions(options);
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

  if (!loaded->inputs->graph) {
    Note("Flow events: 0 (no deps.json — re-run dep_gen and pass --deps-json to add arrows)");
  }
  const std::string destination = Destination(path, options, *summary);
  const std::string text = options.json
                               ? report::TraceSummaryJson(*summary)
                               : report::TraceDestinationText(destination, summary->bytes) +
                                     report::TraceSummaryText(*summary);
  if (path == kToStdout) {
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
