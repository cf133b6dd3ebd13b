// Writes a synthetic capture to a directory: records, task graph and name map.
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <string>

#include "CLI/CLI.hpp"
#include "analysis/formats/records_writer.h"
#include "fmt/format.h"
#include "tests/support/capture_generator.h"

namespace {

using simpler::support::GeneratedCapture;
using simpler::support::GeneratorOptions;
using simpler::support::SyntheticRuntime;

// False when the file could not be written completely.
template <typename Writer>
bool WriteFile(const std::filesystem::path& path, Writer write) {
  std::ofstream file(path, std::ios::binary);
  write(file);
  file.close();
  if (!file) std::cerr << fmt::format("cannot write {}\n", path.string());
  return static_cast<bool>(file);
}

bool WriteFiles(const GeneratedCapture& generated, const std::filesystem::path& directory) {
  std::error_code error;
  std::filesystem::create_directories(directory, error);
  return WriteFile(directory / "chip_swimlane_records.json",
                   [&](std::ofstream& file) {
                     const auto status = simpler::formats::WriteRecords(generated.capture, file);
                     if (!status.ok()) file.setstate(std::ios::badbit);
                   }) &&
         WriteFile(
             directory / "deps.json",
             [&](std::ofstream& file) { simpler::support::WriteDeps(generated.graph, file); }) &&
         WriteFile(directory / "name_map.json", [&](std::ofstream& file) {
           simpler::support::WriteNameMap(generated.names, file);
         });
}

}  // namespace

int main(int argc, char** argv) {
  GeneratorOptions options;
  std::string directory;
  CLI::App app("Writes a synthetic capture: records, task graph and name map.");
  app.add_option("--tasks", options.tasks, "Tasks of the graph")->capture_default_str();
  app.add_option("--seed", options.seed, "Same seed, same capture")->capture_default_str();
  app.add_option("--level", options.level, "Capture level")->check(CLI::Range(1, 4));
  app.add_option("--clusters", options.clusters, "Clusters of one AIC and two AIV cores")
      ->check(CLI::Range(1, 1000));
  app.add_option("--threads", options.threads, "Scheduler threads")->check(CLI::Range(1, 16));
  app.add_flag("--run-epoch", options.run_epoch, "Write the layout that separates runs");
  app.add_option("--layout", options.runtime, "tensormap, host-aicpu or host-aicore")
      ->transform(CLI::CheckedTransformer(
          std::map<std::string, SyntheticRuntime>{{"tensormap", SyntheticRuntime::kTensormap},
                                                  {"host-aicpu", SyntheticRuntime::kHostAicpu},
                                                  {"host-aicore", SyntheticRuntime::kHostAicore}}));
  app.add_option("--out", directory, "Directory to write to")->required();
  CLI11_PARSE(app, argc, argv);

  const GeneratedCapture generated = simpler::support::GenerateCapture(options);
  if (!WriteFiles(generated, directory)) return 1;
  std::cout << fmt::format("{} tasks, {} rows, {} edges in {}\n", options.tasks,
                           generated.capture.runs.front().aicore_row_count(),
                           generated.graph.edges().size(), directory);
  return 0;
}
