#include "client/simplerctl/inputs.h"

#include <filesystem>
#include <system_error>
#include <utility>

#include "absl/status/status.h"
#include "analysis/formats/deps_reader.h"
#include "analysis/formats/name_map_reader.h"
#include "analysis/formats/records_reader.h"
#include "fmt/format.h"

namespace simpler::simplerctl {
namespace {

namespace fs = std::filesystem;

absl::StatusOr<formats::InputPaths> Discover(const InputOptions& options) {
  formats::InputRequest request;
  request.path = options.path;
  request.deps = options.deps;
  request.name_map = options.func_names;
  return formats::DiscoverInputs(request);
}

uint64_t FileBytes(const std::string& path) {
  std::error_code error;
  const uintmax_t size = fs::file_size(path, error);
  return error ? 0 : size;
}

uint64_t ReadingUnits(const formats::InputPaths& paths) {
  return FileBytes(paths.records) + (paths.deps ? FileBytes(*paths.deps) : 0);
}

uint64_t AnalysisUnits(uint64_t reading_units) { return reading_units / 4; }

absl::Status CheckRun(const LoadedInputs& inputs, size_t run) {
  const size_t runs = inputs.capture.runs.size();
  if (run < runs) return absl::OkStatus();
  return absl::InvalidArgumentError(
      fmt::format("{}: there is no run {}; the file holds {} run{}, numbered from 0: choose one "
                  "with --run",
                  inputs.paths.records, run, runs, runs == 1 ? "" : "s"));
}

absl::Status ReadGraph(LoadedInputs* inputs) {
  if (!inputs->paths.deps) return absl::OkStatus();
  absl::StatusOr<formats::DepsFile> deps = formats::ReadDeps(*inputs->paths.deps);
  if (!deps.ok()) return deps.status();
  inputs->graph = std::move(deps->graph);
  for (capture::Warning& warning : deps->warnings) inputs->warnings.push_back(std::move(warning));
  return absl::OkStatus();
}

absl::Status ReadNames(LoadedInputs* inputs) {
  if (!inputs->paths.name_map) return absl::OkStatus();
  absl::StatusOr<capture::NameMap> names = formats::ReadNameMap(*inputs->paths.name_map);
  if (!names.ok()) return names.status();
  inputs->names = *std::move(names);
  return absl::OkStatus();
}

}  // namespace

void AddInputOptions(CLI::App* command, InputOptions* options) {
  const std::string group = "Inputs";
  command->add_option("path", options->path,
                      "Records file, or a directory that holds one (default: the newest capture "
                      "below ./outputs)");
  command
      ->add_option("--deps,--deps-json", options->deps,
                   "Task graph (default: deps.json beside the records)")
      ->group(group);
  command
      ->add_option("--func-names", options->func_names,
                   "Function names (default: the only name_map*.json beside the records)")
      ->group(group);
  command
      ->add_option("--run", options->run, "Which run of a file with several, from 0 (default: 0)")
      ->group(group);
  command
      ->add_flag("--strict", options->strict,
                 "Refuse scheduler and AICore rows that lack their partner")
      ->group(group);
}

report::Inputs LoadedInputs::ForAnalysis() const {
  return {.capture = &capture,
          .run_index = run_index,
          .graph = graph ? &*graph : nullptr,
          .names = names ? &*names : nullptr,
          .warnings = warnings,
          .capture_name = paths.records,
          .graph_name = paths.deps.value_or("")};
}

std::string LoadedInputs::Directory() const {
  const std::string directory = fs::path(paths.records).parent_path().string();
  return directory.empty() ? "." : directory;
}

std::string LoadedInputs::Label() const {
  std::error_code error;
  const fs::path directory = fs::weakly_canonical(Directory(), error);
  return error ? Directory() : directory.filename().string();
}

uint64_t WorkUnits(const InputOptions& options) {
  const absl::StatusOr<formats::InputPaths> paths = Discover(options);
  if (!paths.ok()) return 0;
  const uint64_t bytes = ReadingUnits(*paths);
  return bytes + AnalysisUnits(bytes);
}

absl::StatusOr<std::unique_ptr<LoadedInputs>> LoadInputs(const InputOptions& options,
                                                         Progress* progress) {
  absl::StatusOr<formats::InputPaths> paths = Discover(options);
  if (!paths.ok()) return paths.status();
  auto inputs = std::make_unique<LoadedInputs>();
  inputs->paths = *std::move(paths);
  inputs->warnings = inputs->paths.warnings;
  inputs->run_index = options.run;

  progress->Begin("reading records", FileBytes(inputs->paths.records));
  absl::StatusOr<capture::Capture> capture = formats::ReadRecords(inputs->paths.records);
  if (!capture.ok()) return capture.status();
  inputs->capture = *std::move(capture);
  if (absl::Status status = CheckRun(*inputs, options.run); !status.ok()) return status;

  if (inputs->paths.deps) progress->Begin("reading the task graph", FileBytes(*inputs->paths.deps));
  if (absl::Status status = ReadGraph(inputs.get()); !status.ok()) return status;
  if (absl::Status status = ReadNames(inputs.get()); !status.ok()) return status;
  return inputs;
}

absl::StatusOr<AnalyzedInputs> LoadAndAnalyze(const InputOptions& options,
                                              const report::Options& analysis_options,
                                              Progress* progress) {
  absl::StatusOr<std::unique_ptr<LoadedInputs>> inputs = LoadInputs(options, progress);
  if (!inputs.ok()) return inputs.status();
  progress->Begin("analysing", AnalysisUnits(ReadingUnits((*inputs)->paths)));
  report::Options with_strictness = analysis_options;
  with_strictness.strict = options.strict;
  absl::StatusOr<report::Analysis> analysis =
      report::Analyze((*inputs)->ForAnalysis(), with_strictness);
  if (!analysis.ok()) return analysis.status();
  return AnalyzedInputs{*std::move(inputs), *std::move(analysis)};
}

}  // namespace simpler::simplerctl
