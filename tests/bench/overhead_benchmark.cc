// All six parts of the overhead model against loading what they are computed from, in one run.
//
// Each iteration reads records and graph from files, joins them, and analyses the joined run. The
// time of the benchmark is the analysis. Counters:
//
//   vs_loading   CPU time of the analysis / CPU time of reading and joining; below 1 the answer
//                costs less than the input
//   loading_ms   CPU time of reading and joining
//   rows
//
// Ratios use the fastest iteration of each contender and thread CPU time, because the machine may
// be shared.
#include <benchmark/benchmark.h>
#include <time.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <memory>
#include <optional>
#include <string>

#include "analysis/capture/joined_run.h"
#include "analysis/formats/deps_reader.h"
#include "analysis/formats/records_reader.h"
#include "analysis/formats/records_writer.h"
#include "analysis/overhead/analyze_overhead.h"
#include "tests/support/capture_generator.h"
#include "tests/support/temp_dir.h"

namespace simpler::overhead {
namespace {

double ThreadSeconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

// The files of a synthetic run.
struct RunFiles {
  explicit RunFiles(uint32_t tasks) {
    support::GeneratorOptions options;
    options.tasks = tasks;
    const support::GeneratedCapture generated = support::GenerateCapture(options);
    std::ofstream records_out(records);
    std::ofstream deps_out(deps);
    support::WriteDeps(generated.graph, deps_out);
    complete = formats::WriteRecords(generated.capture, records_out).ok() && deps_out.good();
  }

  const support::TempDir directory;
  const std::string records = directory.path() / "chip_swimlane_records.json";
  const std::string deps = directory.path() / "deps.json";
  bool complete = false;
};

// What reading the files leaves in memory. Members refer to each other.
struct LoadedRun {
  explicit LoadedRun(const RunFiles& files)
      : capture(formats::ReadRecords(files.records).value()),
        graph(formats::ReadDeps(files.deps).value().graph),
        rows(capture::JoinedRun::Join(capture, 0).value()) {}

  const capture::Capture capture;
  const capture::DependencyGraph graph;
  const capture::JoinedRun rows;
};

void AllParts(benchmark::State& state) {
  const RunFiles files(static_cast<uint32_t>(state.range(0)));
  if (!files.complete) {
    state.SkipWithError("cannot write the input below the directory for temporary files");
    return;
  }
  double loading = std::numeric_limits<double>::infinity();
  double analysis = std::numeric_limits<double>::infinity();
  double rows = 0;
  for (auto _ : state) {
    const double begin = ThreadSeconds();
    const auto run = std::make_unique<const LoadedRun>(files);
    const double loaded = ThreadSeconds();
    const absl::StatusOr<OverheadReport> report = AnalyzeOverhead(run->rows, &run->graph);
    const double analysed = ThreadSeconds();
    benchmark::DoNotOptimize(report->sweep->headline.has);
    loading = std::min(loading, loaded - begin);
    analysis = std::min(analysis, analysed - loaded);
    rows = static_cast<double>(run->rows.size());
    state.SetIterationTime(analysed - loaded);
  }
  state.counters["vs_loading"] = analysis / loading;
  state.counters["loading_ms"] = 1e3 * loading;
  state.counters["rows"] = rows;
}
BENCHMARK(AllParts)
    ->Arg(100'000)
    ->Arg(1'000'000)
    ->ArgName("tasks")
    ->Iterations(3)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace simpler::overhead
