// Cost of a trace: both formats from one capture, bytes per slice and per flow, memory beyond the
// capture. The rates are slices per second, so they compare directly.
#include <malloc.h>

#include <algorithm>
#include <cstdint>
#include <ctime>
#include <fstream>
#include <string>
#include <string_view>

#include "analysis/capture/joined_run.h"
#include "analysis/capture/task_table.h"
#include "analysis/timeline/trace.h"
#include "benchmark/benchmark.h"
#include "tests/support/capture_generator.h"

namespace simpler::timeline {
namespace {

// A capture with everything a trace is made from.
struct Prepared {
  explicit Prepared(uint32_t tasks)
      : generated(support::GenerateCapture({.tasks = tasks})),
        rows(*capture::JoinedRun::Join(generated.capture, 0)),
        folded(capture::FoldTasks(rows)),
        nodes(capture::MatchTasks(folded, generated.graph)) {}

  TimelineInputs inputs() const {
    return {&rows, &folded, &generated.graph, &nodes, &generated.names};
  }

  const support::GeneratedCapture generated;
  const capture::JoinedRun rows;
  const std::vector<capture::Task> folded;
  const capture::TaskNodes nodes;
};

const Prepared& Run(int64_t tasks) {
  static const Prepared* run = nullptr;
  static int64_t run_tasks = 0;
  if (run_tasks != tasks) {
    delete run;
    run = new Prepared(static_cast<uint32_t>(tasks));
    run_tasks = tasks;
  }
  return *run;
}

// Takes bytes and forgets them.
class NullSink final : public ByteSink {
  absl::Status Store(std::string_view) override { return absl::OkStatus(); }
  absl::Status Finish() override { return absl::OkStatus(); }
};

// A field of /proc/self/status in bytes.
double ProcessBytes(const std::string& field) {
  std::ifstream status("/proc/self/status");
  std::string key;
  double kibibytes = 0;
  while (status >> key) {
    if (key == field + ":" && status >> kibibytes) return kibibytes * 1024;
  }
  return 0;
}

void ResetPeakMemory() {
  malloc_trim(0);
  std::ofstream("/proc/self/clear_refs") << "5";
}

TraceSummary Write(TraceFormat format, const Prepared& run, const TimelineOptions& options) {
  NullSink sink;
  return format == TraceFormat::kPerfetto ? *WritePerfettoTrace(run.inputs(), options, sink)
                                          : *WriteChromeTrace(run.inputs(), options, sink);
}

uint64_t FlowsOf(const TraceSummary& summary) {
  uint64_t flows = 0;
  for (uint64_t count : summary.flows) flows += count;
  return flows;
}

void WriteTrace(benchmark::State& state, TraceFormat format, const std::string& flows) {
  const Prepared& run = Run(state.range(0));
  TimelineOptions options =
      format == TraceFormat::kPerfetto ? PerfettoDefaults() : ChromeDefaults();
  options.flows = *ParseFlows(flows);
  ResetPeakMemory();
  const double before = ProcessBytes("VmRSS");
  TraceSummary summary;
  for (auto _ : state) summary = Write(format, run, options);
  state.SetItemsProcessed(state.iterations() * static_cast<int64_t>(summary.slices));
  state.counters["slices"] = static_cast<double>(summary.slices);
  state.counters["flows"] = static_cast<double>(FlowsOf(summary));
  state.counters["bytes"] = static_cast<double>(summary.bytes);
  state.counters["extra_MiB"] = (ProcessBytes("VmHWM") - before) / (1 << 20);
}

// Both formats in turn, so that a busy machine slows both: how much longer JSON takes, from the
// best CPU time of each.
void JsonOverPerfetto(benchmark::State& state, const std::string& flows) {
  const Prepared& run = Run(state.range(0));
  const auto seconds = [&](TraceFormat format) {
    TimelineOptions options =
        format == TraceFormat::kPerfetto ? PerfettoDefaults() : ChromeDefaults();
    options.flows = *ParseFlows(flows);
    const std::clock_t start = std::clock();
    benchmark::DoNotOptimize(Write(format, run, options));
    return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  };
  double perfetto = 1e9;
  double json = 1e9;
  for (auto _ : state) {
    perfetto = std::min(perfetto, seconds(TraceFormat::kPerfetto));
    json = std::min(json, seconds(TraceFormat::kChromeJson));
  }
  state.counters["ratio"] = json / perfetto;
}

// What one more flow costs, from two traces that differ in nothing else.
void BytesPerFlow(benchmark::State& state, TraceFormat format) {
  const Prepared& run = Run(state.range(0));
  TimelineOptions with = PerfettoDefaults();
  TimelineOptions without = with;
  without.flows.reset();
  for (auto _ : state) {
    const TraceSummary more = Write(format, run, with);
    const TraceSummary less = Write(format, run, without);
    state.counters["bytes_per_flow"] =
        static_cast<double>(more.bytes - less.bytes) / static_cast<double>(FlowsOf(more));
    state.counters["bytes_per_slice"] =
        static_cast<double>(less.bytes) / static_cast<double>(less.slices);
  }
}

// Task bars alone: Worker View bars carry the task and two times, Scheduler View bars the task.
void BytesPerTaskSlice(benchmark::State& state, const std::string& process) {
  const Prepared& run = Run(state.range(0));
  TimelineOptions options = PerfettoDefaults();
  options.flows.reset();
  options.lanes = {process + "/A*_*"};
  for (auto _ : state) {
    const TraceSummary summary = Write(TraceFormat::kPerfetto, run, options);
    state.counters["bytes_per_slice"] =
        static_cast<double>(summary.bytes) / static_cast<double>(summary.slices);
  }
}

constexpr int64_t kTasks = 100'000;

BENCHMARK_CAPTURE(WriteTrace, perfetto_without_flows, TraceFormat::kPerfetto, "none")
    ->Arg(kTasks)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(WriteTrace, perfetto, TraceFormat::kPerfetto, "dependency.worker")
    ->Arg(kTasks)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(WriteTrace, json_with_the_same_flows, TraceFormat::kChromeJson,
                  "dependency.worker")
    ->Arg(kTasks)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(WriteTrace, perfetto_with_all_flows, TraceFormat::kPerfetto, "all")
    ->Arg(kTasks)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(WriteTrace, json, TraceFormat::kChromeJson, "all")
    ->Arg(kTasks)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(JsonOverPerfetto, same_flows, "dependency.worker")->Arg(kTasks)->Iterations(7);
BENCHMARK_CAPTURE(JsonOverPerfetto, no_flows, "none")->Arg(kTasks)->Iterations(7);
BENCHMARK_CAPTURE(JsonOverPerfetto, all_flows, "all")->Arg(kTasks)->Iterations(7);
BENCHMARK_CAPTURE(BytesPerFlow, perfetto, TraceFormat::kPerfetto)->Arg(kTasks)->Iterations(1);
BENCHMARK_CAPTURE(BytesPerFlow, json, TraceFormat::kChromeJson)->Arg(kTasks)->Iterations(1);
BENCHMARK_CAPTURE(BytesPerTaskSlice, worker_view, "Worker View")->Arg(kTasks)->Iterations(1);
BENCHMARK_CAPTURE(BytesPerTaskSlice, scheduler_view, "Scheduler View")->Arg(kTasks)->Iterations(1);

}  // namespace
}  // namespace simpler::timeline
