#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "analysis/archive/archive_reader.h"
#include "client/profiler/profiler_client.h"
#include "client/simplerctl/archive_name.h"
#include "client/simplerctl/captures.h"
#include "client/simplerctl/commands.h"
#include "client/simplerctl/inputs.h"
#include "client/simplerctl/labels.h"
#include "client/simplerctl/output.h"
#include "fmt/format.h"

namespace simpler::simplerctl {
namespace {

namespace v1 = profiler::v1;

struct ImportOptions {
  InputOptions inputs;
  std::optional<std::string> name;
  std::vector<std::string> labels;
  std::string key;

  // An archive that nothing is replaced in needs no unpacking.
  bool is_ready_archive() const {
    return inputs.path && archive::IsArchiveFile(*inputs.path) && !inputs.deps &&
           !inputs.func_names;
  }
};

v1::ImportHeader HeaderOf(const ImportOptions& options, const std::string& label) {
  v1::ImportHeader header;
  header.set_name(options.name.value_or(label));
  *header.mutable_labels() = LabelsOf(options.labels);
  header.set_idempotency_key(options.key);
  return header;
}

absl::StatusOr<v1::ImportCaptureResponse> Import(const ImportOptions& options,
                                                 profiler::ProfilerClient* client) {
  if (options.is_ready_archive()) {
    const std::string& path = *options.inputs.path;
    return client->ImportArchiveFile(HeaderOf(options, ArchiveLabel(path)), path);
  }
  Progress progress(InputBytes(options.inputs));
  absl::StatusOr<std::unique_ptr<LoadedInputs>> loaded =
      LoadWholeCapture(options.inputs, &progress);
  if (!loaded.ok()) return loaded.status();
  return client->ImportCapture(HeaderOf(options, (*loaded)->label), (*loaded)->bundle);
}

absl::StatusOr<ExitCode> Run(const ImportOptions& options) {
  absl::StatusOr<std::unique_ptr<profiler::ProfilerClient>> client =
      Connect(*options.inputs.daemon);
  if (!client.ok()) return client.status();
  absl::StatusOr<v1::ImportCaptureResponse> response = Import(options, client->get());
  if (!response.ok()) return response.status();
  if (response->already_stored()) {
    Note(fmt::format("The key '{}' is known: nothing new was stored", options.key));
  }
  for (const v1::Eviction& eviction : response->evictions()) Note(EvictionText(eviction));
  return WriteAnswer(std::nullopt, response->capture().id() + '\n');
}

}  // namespace

void AddImportCommand(const CommandLine& line) {
  CLI::App* command =
      line.app->add_subcommand("import", "Hand a capture to the daemon and print its id");
  auto options = std::make_shared<ImportOptions>();
  AddFileOptions(command, line.daemon, &options->inputs);
  command->add_option("--name", options->name,
                      "What lists call it (default: the name of the capture's directory)");
  AddLabelOption(command, "Label KEY=VALUE, such as job=17; may be repeated", &options->labels);
  command->add_option("--key", options->key,
                      "A second import with this key stores nothing and prints the first id");
  command->footer(
      "Examples:\n"
      "  simplerctl import outputs/case_20260101_120000\n"
      "  id=$(simplerctl import run.simpler --label job=17 --label rank=0)");
  command->callback(
      [options, action = line.action] { *action = [options] { return Run(*options); }; });
}

}  // namespace simpler::simplerctl
