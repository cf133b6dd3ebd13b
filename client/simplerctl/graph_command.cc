#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <utility>

#include "analysis/archive/archive_reader.h"
#include "analysis/formats/deps_reader.h"
#include "analysis/formats/edge_annotations_reader.h"
#include "analysis/formats/input_discovery.h"
#include "analysis/formats/json_file.h"
#include "analysis/formats/name_map_reader.h"
#include "analysis/graph/graph_text.h"
#include "client/simplerctl/capture_id.h"
#include "client/simplerctl/commands.h"
#include "client/simplerctl/output.h"
#include "fmt/format.h"

namespace simpler::simplerctl {
namespace {

namespace fs = std::filesystem;
using graph::EdgeMode;

struct GraphOptions {
  std::optional<std::string> path;
  std::optional<std::string> func_names;
  std::string mode = "full";
  std::optional<std::string> output;
};

EdgeMode ModeOf(const std::string& name) {
  if (name == "reduced") return EdgeMode::kReduced;
  return name == "omitted" ? EdgeMode::kOmitted : EdgeMode::kFull;
}

// The graph that a path stands for: its own file, or the deps.json of a directory or beside a
// records file.
std::string GraphFile(const std::string& path) {
  std::error_code error;
  if (fs::is_directory(path, error)) return fs::path(path) / "deps.json";
  if (path.ends_with("_records.json")) return fs::path(path).parent_path() / "deps.json";
  return path;
}

absl::StatusOr<formats::InputPaths> Discover(const GraphOptions& options) {
  formats::InputRequest request;
  request.name_map = options.func_names;
  if (options.path && (archive::IsArchiveFile(*options.path) || IsCaptureId(*options.path))) {
    return absl::FailedPreconditionError(
        fmt::format("{}: archives and the daemon keep edges without what dep_gen says about them; "
                    "name the deps.json, or fetch and unpack the archive to see the edges alone",
                    *options.path));
  }
  if (options.path) {
    request.path = GraphFile(*options.path);
    request.deps = request.path;
  }
  absl::StatusOr<formats::InputPaths> paths = formats::DiscoverInputs(request);
  if (paths.ok() && !paths->deps) {
    return absl::NotFoundError(
        fmt::format("{}: there is no deps.json beside the newest capture; re-run dep_gen, or name "
                    "the graph",
                    paths->records));
  }
  return paths;
}

absl::StatusOr<graph::GraphText> Render(const formats::InputPaths& paths, EdgeMode mode) {
  absl::StatusOr<formats::JsonFile> file = formats::JsonFile::Open(*paths.deps);
  if (!file.ok()) return file.status();
  absl::StatusOr<formats::DepsFile> deps = formats::ParseDeps(*file);
  if (!deps.ok()) return deps.status();
  absl::StatusOr<formats::EdgeAnnotations> annotations =
      formats::ParseEdgeAnnotations(*file, deps->graph);
  if (!annotations.ok()) return annotations.status();
  graph::GraphTextRequest request;
  request.deps_name = *paths.deps;
  request.mode = mode;
  capture::NameMap names;
  if (paths.name_map) {
    absl::StatusOr<capture::NameMap> read = formats::ReadNameMap(*paths.name_map);
    if (!read.ok()) return read.status();
    names = *std::move(read);
    request.names = &names;
  }
  return graph::RenderGraphText(deps->graph, *annotations, request);
}

absl::StatusOr<ExitCode> Run(const GraphOptions& options) {
  absl::StatusOr<formats::InputPaths> paths = Discover(options);
  if (!paths.ok()) return paths.status();
  const EdgeMode mode = ModeOf(options.mode);
  absl::StatusOr<graph::GraphText> rendered = Render(*paths, mode);
  if (!rendered.ok()) return rendered.status();
  if (absl::Status status = WriteOutput(options.output, rendered->text); !status.ok()) {
    return status;
  }
  for (const capture::Warning& warning : rendered->warnings) Note(warning.text);
  if (mode == EdgeMode::kFull) return ExitCode::kOk;
  if (!rendered->reduced) return ExitCode::kPartial;
  Note(fmt::format("{} edges follow from others", rendered->redundant_edges.size()));
  return ExitCode::kOk;
}

}  // namespace

void AddGraphCommand(const CommandLine& line) {
  CLI::App* command = line.app->add_subcommand("graph", "The task graph as text");
  auto options = std::make_shared<GraphOptions>();
  command->add_option("path", options->path,
                      "Task graph, or a directory with deps.json (default: beside the newest "
                      "capture below ./outputs)");
  command->add_option("--func-names", options->func_names,
                      "Function names (default: the only name_map*.json beside the graph)");
  command
      ->add_option("--mode", options->mode,
                   "full: every edge; reduced: without edges that follow from others; omitted: "
                   "only those")
      ->check(CLI::IsMember({"full", "reduced", "omitted"}))
      ->capture_default_str();
  command->add_option("-o,--output", options->output,
                      "Write to this file (default: standard output)");
  command->footer(
      "Examples:\n"
      "  simplerctl graph outputs/case_20260101_120000\n"
      "  simplerctl graph deps.json --mode reduced -o graph.txt");
  command->callback(
      [options, action = line.action] { *action = [options] { return Run(*options); }; });
}

}  // namespace simpler::simplerctl
