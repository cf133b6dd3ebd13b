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
#include "client/profiler/profiler_client.h"
#include "client/simplerctl/archive_name.h"
#include "client/simplerctl/capture_id.h"
#include "client/simplerctl/daemon_messages.h"

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

uint64_t BytesOf(const Sources& sources) {
  return FileBytes(sources.main_file()) + (sources.files.deps ? FileBytes(*sources.files.deps) : 0);
}

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
  if (sources.archive) return ArchiveLabel(*sources.archive);
  const std::string directory = DirectoryOf(sources.files.records);
  std::error_code error;
  const fs::path canonical = fs::weakly_canonical(directory, error);
  return error ? directory : canonical.filename().string();
}

absl::Status LoadFiles(const Sources& sources, Progress* progress, LoadedInputs* loaded) {
  loaded->directory = DirectoryOf(sources.main_file());
  loaded->label = LabelOf(sources);
  return ReadParts(sources, progress, &loaded->bundle);
}

// The id of a capture is its path.
absl::Status FetchFromDaemon(const InputOptions& options, LoadedInputs* loaded) {
  absl::StatusOr<std::unique_ptr<profiler::ProfilerClient>> client = Connect(*options.daemon);
  if (!client.ok()) return client.status();
  profiler::v1::GetCaptureRequest request;
  request.set_capture_id(*options.path);
  absl::StatusOr<profiler::v1::GetCaptureResponse> response = (*client)->GetCapture(request);
  if (!response.ok()) return response.status();
  const std::string& name = response->capture().name();
  loaded->directory = ".";
  loaded->label = name.empty() ? *options.path : name;

  archive::ArchiveDecoder decoder(*options.path);
  const absl::Status fetched = (*client)
                                   ->FetchTrace(ArchiveRequest(*options.path),
                                                [&decoder](const profiler::v1::TraceChunk& chunk) {
                                                  return decoder.Feed(chunk.data());
                                                })
                                   .status();
  if (!fetched.ok()) return fetched;
  absl::StatusOr<CaptureBundle> bundle = decoder.Finish();
  if (!bundle.ok()) return bundle.status();
  loaded->bundle = *std::move(bundle);
  return absl::OkStatus();
}

bool NamesDaemonCapture(const InputOptions& options) {
  return options.path && IsCaptureId(*options.path);
}

void CheckFileOptions(const InputOptions& options) {
  if (!NamesDaemonCapture(options) || (!options.deps && !options.func_names)) return;
  throw CLI::ValidationError(
      options.deps ? "--deps" : "--func-names",
      "a capture in the daemon has its own; import the files again to replace it");
}

}  // namespace

void AddFileOptions(CLI::App* command, const DaemonOptions* daemon, InputOptions* options) {
  options->daemon = daemon;
  const std::string group = "Inputs";
  command->add_option(
      "path", options->path,
      "Records file, a directory that holds one, an archive, or the id of a capture "
      "in the daemon (default: the newest capture below ./outputs)");
  command
      ->add_option("--deps,--deps-json", options->deps,
                   "Task graph (default: deps.json beside the records)")
      ->group(group);
  command
      ->add_option("--func-names", options->func_names,
                   "Function names (default: the only name_map*.json beside the records)")
      ->group(group);
  command->parse_complete_callback([options] { CheckFileOptions(*options); });
}

void AddRunOptions(CLI::App* command, InputOptions* options) {
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

void AddInputOptions(CLI::App* command, const DaemonOptions* daemon, InputOptions* options) {
  AddFileOptions(command, daemon, options);
  AddRunOptions(command, options);
}

uint64_t InputBytes(const InputOptions& options) {
  if (NamesDaemonCapture(options)) return 0;
  const absl::StatusOr<Sources> sources = Discover(options);
  return sources.ok() ? BytesOf(*sources) : 0;
}

absl::StatusOr<std::unique_ptr<LoadedInputs>> LoadInputs(const InputOptions& options,
                                                         Progress* progress) {
  auto loaded = std::make_unique<LoadedInputs>();
  absl::Status status;
  if (NamesDaemonCapture(options)) {
    status = FetchFromDaemon(options, loaded.get());
  } else {
    absl::StatusOr<Sources> sources = Discover(options);
    if (!sources.ok()) return sources.status();
    status = LoadFiles(*sources, progress, loaded.get());
  }
  if (!status.ok()) return status;
  absl::StatusOr<report::Inputs> inputs = report::InputsOf(loaded->bundle, options.run);
  if (!inputs.ok()) return inputs.status();
  loaded->inputs = *std::move(inputs);
  return loaded;
}

absl::StatusOr<std::unique_ptr<LoadedInputs>> LoadWholeCapture(const InputOptions& options,
                                                               Progress* progress) {
  absl::StatusOr<std::unique_ptr<LoadedInputs>> loaded = LoadInputs(options, progress);
  if (!loaded.ok() || NamesDaemonCapture(options)) return loaded;
  absl::StatusOr<Sources> sources = Discover(options);
  if (!sources.ok()) return sources.status();
  if (!sources->files.identity) return loaded;
  absl::Status status = ReadIdentity(*sources->files.identity, &(*loaded)->bundle);
  if (!status.ok()) return status;
  return loaded;
}

}  // namespace simpler::simplerctl
