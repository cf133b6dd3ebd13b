// Analyses a synthetic run that is too large for a JSON file, and says what that takes:
//
//   overhead_at_scale [tasks]        10 000 000 tasks by default
//
// The run is generated in memory as the collectors would leave it, so the peak includes capture,
// graph and join besides the analysis.
#include <fmt/format.h>
#include <sys/resource.h>
#include <time.h>

#include <cstdlib>

#include "analysis/capture/joined_run.h"
#include "analysis/overhead/analyze_overhead.h"
#include "tests/support/capture_generator.h"

namespace {

double CpuSeconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

void PrintStage(const char* stage, double begin) {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  fmt::print("{:<10} {:>8.2f} CPU s   peak {:>6} MB\n", stage, CpuSeconds() - begin,
             usage.ru_maxrss / 1024);
}

}  // namespace

int main(int argc, char** argv) {
  simpler::support::GeneratorOptions options;
  options.tasks = argc > 1 ? static_cast<uint32_t>(std::strtoul(argv[1], nullptr, 10)) : 10'000'000;
  if (options.tasks == 0) {
    fmt::print(stderr, "usage: overhead_at_scale [tasks > 0]\n");
    return 2;
  }

  double begin = CpuSeconds();
  const auto generated = simpler::support::GenerateCapture(options);
  PrintStage("generate", begin);

  begin = CpuSeconds();
  const auto rows = simpler::capture::JoinedRun::Join(generated.capture, 0);
  if (!rows.ok()) {
    fmt::print(stderr, "{}\n", rows.status().ToString());
    return 1;
  }
  PrintStage("join", begin);

  begin = CpuSeconds();
  const auto report = simpler::overhead::AnalyzeOverhead(*rows, &generated.graph);
  if (!report.ok()) {
    fmt::print(stderr, "{}\n", report.status().ToString());
    return 1;
  }
  PrintStage("analyse", begin);
  fmt::print("{} tasks, {} rows, {} edges\n", report->tasks, report->rows,
             generated.graph.edges().size());
  return 0;
}
