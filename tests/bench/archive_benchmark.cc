// The capture archive against the JSON files it replaces, in one run.
//
// LoadArchive reads records and graph from JSON and then from an archive, both from files. The time
// of the benchmark is the archive's. Counters:
//
//   speedup      CPU time of reading the JSON / CPU time of reading the archive
//   size_ratio   bytes of the JSON (records and graph) / bytes of the archive
//   json_ms      CPU time of reading the JSON
//   archive_bytes_per_task
//
// Ratios use the fastest iteration of each contender and thread CPU time, because the machine may
// be shared. The other benchmarks tell where the time goes.
#include <benchmark/benchmark.h>
#include <time.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <limits>
#include <string>
#include <vector>

#include "analysis/archive/archive_reader.h"
#include "analysis/archive/column_codec.h"
#include "analysis/archive/crc32c.h"
#include "analysis/archive/format.h"
#include "analysis/formats/deps_reader.h"
#include "analysis/formats/records_reader.h"
#include "analysis/formats/records_writer.h"
#include "tests/support/capture_generator.h"
#include "tests/support/generated_archive.h"
#include "tests/support/temp_dir.h"

namespace simpler::archive {
namespace {

double ThreadSeconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

capture::CaptureBundle Generate(uint32_t tasks, int level) {
  return support::GenerateBundle({.tasks = tasks, .level = level});
}

// The same synthetic run in both forms.
struct RunFiles {
  RunFiles(uint32_t tasks, int level) {
    const capture::CaptureBundle bundle = Generate(tasks, level);
    std::ofstream records_out(records);
    std::ofstream deps_out(deps);
    std::ofstream archive_out(archive, std::ios::binary);
    support::WriteDeps(*bundle.graph, deps_out);
    archive_out << support::ToArchive(bundle);
    complete = formats::WriteRecords(bundle.capture, records_out).ok() && deps_out.good() &&
               archive_out.good();
  }

  double JsonBytes() const {
    return static_cast<double>(std::filesystem::file_size(records) +
                               std::filesystem::file_size(deps));
  }
  double ArchiveBytes() const { return static_cast<double>(std::filesystem::file_size(archive)); }

  const support::TempDir directory;
  const std::string records = directory.path() / "chip_swimlane_records.json";
  const std::string deps = directory.path() / "deps.json";
  const std::string archive = directory.path() / "run.simpler";
  bool complete = false;
};

double SecondsToReadJson(const RunFiles& files) {
  const double begin = ThreadSeconds();
  const auto records = formats::ReadRecords(files.records);
  const auto deps = formats::ReadDeps(files.deps);
  benchmark::DoNotOptimize(records.ok() && deps.ok());
  return ThreadSeconds() - begin;
}

double SecondsToReadArchive(const RunFiles& files) {
  const double begin = ThreadSeconds();
  const auto bundle = ReadArchive(files.archive);
  benchmark::DoNotOptimize(bundle.ok());
  return ThreadSeconds() - begin;
}

void LoadArchive(benchmark::State& state) {
  const auto tasks = static_cast<uint32_t>(state.range(0));
  const RunFiles files(tasks, static_cast<int>(state.range(1)));
  if (!files.complete || !ReadArchive(files.archive).ok()) {
    state.SkipWithError("cannot write the input below the directory for temporary files");
    return;
  }
  double json = std::numeric_limits<double>::infinity();
  double archive = std::numeric_limits<double>::infinity();
  for (auto _ : state) {
    json = std::min(json, SecondsToReadJson(files));
    const double seconds = SecondsToReadArchive(files);
    archive = std::min(archive, seconds);
    state.SetIterationTime(seconds);
  }
  state.counters["speedup"] = json / archive;
  state.counters["size_ratio"] = files.JsonBytes() / files.ArchiveBytes();
  state.counters["json_ms"] = 1e3 * json;
  state.counters["archive_bytes_per_task"] = files.ArchiveBytes() / tasks;
}
BENCHMARK(LoadArchive)
    ->ArgsProduct({{100'000, 1'000'000}, {1, 2, 4}})
    ->ArgNames({"tasks", "level"})
    ->Iterations(3)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);

void WriteArchiveInMemory(benchmark::State& state) {
  const capture::CaptureBundle bundle = Generate(100'000, 4);
  for (auto _ : state) {
    const std::string bytes = support::ToArchive(bundle);
    benchmark::DoNotOptimize(bytes.data());
  }
}
BENCHMARK(WriteArchiveInMemory)->Unit(benchmark::kMillisecond);

// One block's column of stamps with differences of `width` bytes.
void DecodeStamps(benchmark::State& state) {
  const auto step = int64_t{1} << (8 * state.range(0) - 3);
  std::vector<int64_t> stamps;
  for (size_t i = 0; i < kRowsPerBlock; ++i) {
    stamps.push_back(static_cast<int64_t>(i) * step + static_cast<int64_t>(i % 7));
  }
  v1::Column column;
  EncodeColumn(stamps, &column);
  for (auto _ : state) {
    benchmark::DoNotOptimize(DecodeColumn(column, "stamps", stamps).ok());
    benchmark::ClobberMemory();
  }
  state.counters["values_per_second"] =
      benchmark::Counter(static_cast<double>(kRowsPerBlock * state.iterations()),
                         benchmark::Counter::kIsRate, benchmark::Counter::kIs1000);
}
BENCHMARK(DecodeStamps)->Arg(1)->Arg(2)->Arg(4)->ArgName("width");

void Checksum(benchmark::State& state) {
  const std::string bytes(size_t{1} << 20, 'x');
  for (auto _ : state) {
    benchmark::DoNotOptimize(state.range(0) == 1 ? Crc32c(bytes) : Crc32cPortable(bytes));
  }
  state.SetBytesProcessed(static_cast<int64_t>(bytes.size()) * state.iterations());
}
BENCHMARK(Checksum)->Arg(0)->Arg(1)->ArgName("instruction");

}  // namespace
}  // namespace simpler::archive
