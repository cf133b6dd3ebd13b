#include "client/simplerctl/inputs.h"

#include <filesystem>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "analysis/archive/archive_reader.h"
#include "analysis/formats/deps_reader.h"
#include "analysis/formats/dispatch_identity_reader.h"
#include "analysis/formats/input_discovery.h"
#include "analysis/formats/name_map_reader.h"
#include "analysis/formats/records_reader.h"
#include "analysis/report/bundle_inputs.h"
#include "client/simplerctl/archive_name.h"

namespace simpler::simplerctl {
namespace {

namespace fs = std::filesystem;
using capture::CaptureBundle;

// What to read: an archive, or the files of a capture. Files that the user named replace parts of
// an archive.
struct Sources {
  std::optional<std::string> archive;
  formats::InputPaths files;  // `records` is empty when there is an archive

  const std::string& main_file() const { return archive ? *archive : files.records; }
};

absl::StatusOr<Sources> Discover(const InputOptions& options) {
  formats::InputRequest request;
  request.path = options.path;
  request.deps = options.deps;
  request.name_map = options.func_names;
  absl::StatusOr<formats::InputPaths> files = formats::DiscoverInputs(request);
  if (!files.ok()) return files.status();
  Sources sources;
  if (archive::IsArchiveFile(files->records)) {
    // An archive has everything in it: what lies beside it belongs to something else.
    sources.archive = files->records;
    sources.files.deps = options.deps;
    sources.files.name_map = options.func_names;
  } else {
    sources.files = *std::move(files);
  }
  return sources;
}

uint64_t FileBytes(const std::string& path) {
  std::error_code error;
  const uintmax_t size = fs::file_size(path, error);
  return error ? 0 : size;
}

uint64_t ReadingUnits(const Sources& sources) {
  return FileBytes(sources.main_file()) + (sources.files.deps ? FileBytes(*sources.files.deps) : 0);
}

uint64_t AnalysisUnits(uint64_t reading_units) { return reading_units / 4; }

absl::Status ReadRecords(const formats::InputPaths& files, CaptureBundle* bundle) {
  absl::StatusOr<capture::Capture> capture = formats::ReadRecords(files.records);
  if (!capture.ok()) return capture.status();
  bundle->capture = *std::move(capture);
  bundle->sources.records = files.records;
  bundle->warnings = files.warnings;
  return absl::OkStatus();
}

absl::Status ReadArchive(const std::string& path, CaptureBundle* bundle) {
  absl::StatusOr<CaptureBundle> read = archive::ReadArchive(path);
  if (!read.ok()) return read.status();
  *bundle = *std::move(read);
  return absl::OkStatus();
}

absl::Status ReadGraph(const std::string& path, CaptureBundle* bundle) {
  absl::StatusOr<formats::DepsFile> deps = formats::ReadDeps(path);
  if (!deps.ok()) return deps.status();
  bundle->graph = std::move(deps->graph);
  bundle->sources.deps = path;
  for (capture::Warning& warning : deps->warnings) bundle->warnings.push_back(std::move(warning));
  return absl::OkStatus();
}

absl::Status ReadNames(const std::string& path, CaptureBundle* bundle) {
  absl::StatusOr<capture::NameMap> names = formats::ReadNameMap(path);
  if (!names.ok()) return names.status();
  bundle->names = *std::move(names);
  bundle->sources.name_map = path;
  return absl::OkStatus();
}

absl::Status ReadIdentity(const std::string& path, CaptureBundle* bundle) {
  absl::StatusOr<capture::DispatchIdentity> identity = formats::ReadDispatchIdentity(path);
  if (!identity.ok()) return identity.status();
  bundle->dispatch_identity = *std::move(identity);
  bundle->sources.dispatch_identity = path;
  return absl::OkStatus();
}

absl::Status ReadParts(const Sources& sources, Progress* progress, CaptureBundle* bundle) {
  progress->Begin("reading the capture", FileBytes(sources.main_file()));
  absl::Status status =
      sources.archive ? ReadArchive(*sources.archive, bundle) : ReadRecords(sources.files, bundle);
  if (status.ok() && sources.files.deps) {
    progress->Begin("reading the task graph", FileBytes(*sources.files.deps));
    status = ReadGraph(*sources.files.deps, bundle);
  }
  if (status.ok() && sources.files.name_map) status = ReadNames(*sources.files.name_map, bundle);
  return status;
}

std::string DirectoryOf(const std::string& file) {
  const std::string directory = fs::path(file).parent_path().string();
  return directory.empty() ? "." : directory;
}

std::string LabelOf(const Sources& sources) {
  if (sources.archive) return WithoutArchiveSuffix(fs::path(*sources.archive).filename().string());
  const std::string directory = DirectoryOf(sources.files.records);
  std::error_code error;
  const fs::path canonical = fs::weakly_canonical(directory, error);
  return error ? directory : canonical.filename().string();
}

absl::StatusOr<std::unique_ptr<LoadedInputs>> Load(const Sources& sources,
                                                   const InputOptions& options,
                                                   Progress* progress) {
  auto loaded = std::make_unique<LoadedInputs>();
  absl::Status status = ReadParts(sources, progress, &loaded->bundle);
  if (!status.ok()) return status;
  absl::StatusOr<report::Inputs> inputs = report::InputsOf(loaded->bundle, options.run);
  if (!inputs.ok()) return inputs.status();
  loaded->inputs = *std::move(inputs);
  loaded->directory = DirectoryOf(sources.main_file());
  loaded->label = LabelOf(sources);
  return loaded;
}

}  // namespace

void AddFileOptions(CLI::App* command, InputOptions* options) {
  const std::string group = "Inputs";
  command->add_option("path", options->path,
                      "Records file, a directory that holds one, or an archive (default: the "
                      "newest capture below ./outputs)");
  command
      ->add_option("--deps,--deps-json", options->deps,
                   "Task graph (default: deps.json beside the records)")
      ->group(group);
  command
      ->add_option("--func-names", options->func_names,
                   "Function names (default: the only name_map*.json beside the records)")
      ->group(group);
}

void AddInputOptions(CLI::App* command, InputOptions* options) {
  AddFileOptions(command, options);
  const std::string group = "Inputs";
  command
      ->add_option("--run", options->run,
                   "Which run of a capture with several, from 0 (default: 0)")
      ->group(group);
  command
      ->add_flag("--strict", options->strict,
                 "Refuse scheduler and AICore rows that lack their partner")
      ->group(group);
}

uint64_t WorkUnits(const InputOptions& options) {
  const absl::StatusOr<Sources> sources = Discover(options);
  if (!sources.ok()) return 0;
  const uint64_t bytes = ReadingUnits(*sources);
  return bytes + AnalysisUnits(bytes);
}

absl::StatusOr<std::unique_ptr<LoadedInputs>> LoadInputs(const InputOptions& options,
                                                         Progress* progress) {
  absl::StatusOr<Sources> sources = Discover(options);
  if (!sources.ok()) return sources.status();
  return Load(*sources, options, progress);
}

absl::StatusOr<std::unique_ptr<LoadedInputs>> LoadWholeCapture(const InputOptions& options,
                                                               Progress* progress) {
  absl::StatusOr<Sources> sources = Discover(options);
  if (!sources.ok()) return sources.status();
  absl::StatusOr<std::unique_ptr<LoadedInputs>> loaded = Load(*sources, options, progress);
  if (!loaded.ok() || !sources->files.identity) return loaded;
  absl::Status status = ReadIdentity(*sources->files.identity, &(*loaded)->bundle);
  if (!status.ok()) return status;
  return loaded;
}

absl::StatusOr<AnalyzedInputs> LoadAndAnalyze(const InputOptions& options,
                                              const report::Options& analysis_options,
                                              Progress* progress) {
  absl::StatusOr<Sources> sources = Discover(options);
  if (!sources.ok()) return sources.status();
  absl::StatusOr<std::unique_ptr<LoadedInputs>> loaded = Load(*sources, options, progress);
  if (!loaded.ok()) return loaded.status();
  progress->Begin("analysing", AnalysisUnits(ReadingUnits(*sources)));
  report::Options with_strictness = analysis_options;
  with_strictness.strict = options.strict;
  absl::StatusOr<report::Analysis> analysis = report::Analyze((*loaded)->inputs, with_strictness);
  if (!analysis.ok()) return analysis.status();
  return AnalyzedInputs{*std::move(loaded), *std::move(analysis)};
}

}  // namespace simpler::simplerctl
