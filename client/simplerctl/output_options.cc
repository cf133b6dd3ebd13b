#include "client/simplerctl/output_options.h"

namespace simpler::simplerctl {

void AddOutputOptions(CLI::App* command, bool has_table, OutputOptions* options) {
  const std::string group = "Output";
  CLI::Option* json =
      command->add_flag("--json", options->json, "JSON with a stable schema (docs/cli.md)");
  json->group(group);
  if (has_table) {
    command->add_flag("--csv", options->csv, "The table as comma-separated values")
        ->group(group)
        ->excludes(json);
  }
  command->add_option("-o,--output", options->path, "Write to this file (default: standard output)")
      ->group(group);
}

}  // namespace simpler::simplerctl
