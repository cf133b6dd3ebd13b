// Loading records JSON to a joined run, against simdjson's DOM parser on the same bytes.
//
// Each iteration loads the file (open, read, parse, check, join) and then parses the bytes, already
// in memory, with a fresh DOM parser. The time of the benchmark is that of loading. Counters:
//
//   vs_dom       CPU time of the DOM parser / CPU time of loading: the ratio of the rates
//   MB_per_s     file size / CPU time of loading
//   rss_per_byte peak resident memory of one loading, the bytes of the file included / file size
//
// CPU times are the fastest of all iterations, because the machine may be shared.
#include <benchmark/benchmark.h>
#include <malloc.h>
#include <time.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <limits>
#include <string>

#include "analysis/capture/joined_run.h"
#include "analysis/formats/records_reader.h"
#include "analysis/formats/records_writer.h"
#include "tests/support/capture_generator.h"
#include "tests/support/temp_dir.h"

namespace simpler::formats {
namespace {

double CpuSeconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

std::string WriteSyntheticRecords(const support::TempDir& dir, uint32_t tasks) {
  support::GeneratorOptions options;
  options.tasks = tasks;
  const support::GeneratedCapture generated = support::GenerateCapture(options);
  const std::string path = dir.Write("chip_swimlane_records.json", "");
  std::ofstream out(path, std::ios::binary);
  if (!WriteRecords(generated.capture, out).ok()) return {};
  return path;
}

// Returns the number of joined rows; 0 when the file is refused.
size_t Load(const std::string& path) {
  const absl::StatusOr<capture::Capture> capture = ReadRecords(path);
  if (!capture.ok()) return 0;
  const absl::StatusOr<capture::JoinedRun> joined = capture::JoinedRun::Join(*capture, 0);
  return joined.ok() ? joined->size() : 0;
}

size_t ParseDom(const JsonFile& file) {
  simdjson::dom::parser parser;
  simdjson::dom::element root;
  const auto error = parser.parse(file.bytes().data(), file.size(), false).get(root);
  return error ? 0 : file.size();
}

// One line of /proc/self/status, in bytes.
double StatusBytes(const std::string& key) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with(key + ":")) return std::stod(line.substr(key.size() + 1)) * 1024;
  }
  return 0;
}

// How far one loading raises the resident memory of this process.
double PeakBytesOfLoading(const std::string& path) {
  malloc_trim(0);
  std::ofstream("/proc/self/clear_refs") << "5";  // sets the peak back to the present
  const double before = StatusBytes("VmRSS");
  benchmark::DoNotOptimize(Load(path));
  return StatusBytes("VmHWM") - before;
}

void BM_LoadRecords(benchmark::State& state) {
  const support::TempDir dir;
  const std::string path = WriteSyntheticRecords(dir, static_cast<uint32_t>(state.range(0)));
  const double bytes = static_cast<double>(std::filesystem::file_size(path));
  const double peak_bytes = PeakBytesOfLoading(path);
  double load_seconds = std::numeric_limits<double>::max();
  double dom_seconds = std::numeric_limits<double>::max();
  const absl::StatusOr<JsonFile> file = JsonFile::Open(path);
  for (auto unused : state) {
    const double begin = CpuSeconds();
    const size_t rows = Load(path);
    const double middle = CpuSeconds();
    const size_t parsed = ParseDom(*file);
    const double end = CpuSeconds();
    if (rows == 0 || parsed == 0) state.SkipWithError("the generated records were refused");
    state.SetIterationTime(middle - begin);
    load_seconds = std::min(load_seconds, middle - begin);
    dom_seconds = std::min(dom_seconds, end - middle);
  }
  state.counters["vs_dom"] = dom_seconds / load_seconds;
  state.counters["MB_per_s"] = bytes / 1e6 / load_seconds;
  state.counters["rss_per_byte"] = peak_bytes / bytes;
}
BENCHMARK(BM_LoadRecords)
    ->Arg(10'000)
    ->Arg(100'000)
    ->Arg(1'000'000)
    ->UseManualTime()
    ->MinTime(3)
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace simpler::formats
