#include <memory>
#include <optional>
#include <string>

#include "analysis/archive/archive_writer.h"
#include "client/simplerctl/archive_name.h"
#include "client/simplerctl/commands.h"
#include "client/simplerctl/inputs.h"
#include "client/simplerctl/output.h"

namespace simpler::simplerctl {
namespace {

struct PackOptions {
  InputOptions inputs;
  std::optional<std::string> path;
};

absl::StatusOr<ExitCode> Run(const PackOptions& options) {
  const uint64_t bytes = InputBytes(options.inputs);
  Progress progress(bytes + bytes / 4);
  absl::StatusOr<std::unique_ptr<LoadedInputs>> loaded =
      LoadWholeCapture(options.inputs, &progress);
  if (!loaded.ok()) return loaded.status();
  const std::string path = options.path.value_or((*loaded)->label + kArchiveSuffix);
  absl::StatusOr<std::unique_ptr<timeline::ByteSink>> sink = OpenOutput(path);
  if (!sink.ok()) return sink.status();
  progress.Begin("writing the archive", bytes / 4);
  absl::Status status = archive::WriteArchive((*loaded)->bundle, sink->get());
  if (status.ok()) status = (*sink)->Commit();
  if (!status.ok()) return status;
  progress.Finish();
  NoteArchive(path, (*sink)->bytes_written());
  return ExitCode::kOk;
}

}  // namespace

void AddPackCommand(const CommandLine& line) {
  CLI::App* command =
      line.app->add_subcommand("pack", "Put a capture and its side files into one small archive");
  auto options = std::make_shared<PackOptions>();
  AddFileOptions(command, line.daemon, &options->inputs);
  command
      ->add_option("-o,--output", options->path,
                   "Archive, - for standard output (default: the name of the capture's directory "
                   "and .simpler, in the current directory)")
      ->group("Output");
  command->footer(
      "Examples:\n"
      "  simplerctl pack outputs/case_20260101_120000\n"
      "  simplerctl pack --func-names names.json -o run.simpler");
  command->callback(
      [options, action = line.action] { *action = [options] { return Run(*options); }; });
}

}  // namespace simpler::simplerctl
