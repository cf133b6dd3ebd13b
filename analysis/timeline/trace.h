// Traces of one run: what a person looks at in a trace viewer. One model of lanes, slices, flows
// and counters (docs/timeline.md), two formats.
//
//   TimelineInputs inputs{.rows = &rows, .tasks = &tasks, .graph = &graph, .nodes = &nodes};
//   auto sink = FileSink::Create("run.pftrace");
//   auto summary = WritePerfettoTrace(inputs, PerfettoDefaults(), **sink);
//   if (summary.ok()) (*sink)->Commit();
//
// Writing streams: beyond the capture, memory is a few index columns of four bytes per row and the
// lane being written. The functions are safe to call concurrently on the same inputs.
#pragma once

#include <array>
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "analysis/capture/clock.h"
#include "analysis/capture/dependency_graph.h"
#include "analysis/capture/joined_run.h"
#include "analysis/capture/labels.h"
#include "analysis/capture/task_table.h"
#include "analysis/capture/warning.h"
#include "analysis/timeline/byte_sink.h"

namespace simpler::timeline {

// What a trace is made from. Everything is borrowed and outlives the call.
struct TimelineInputs {
  const capture::JoinedRun* rows = nullptr;
  const std::vector<capture::Task>* tasks = nullptr;  // FoldTasks(*rows)
  // Without a graph functions have no names and there are no dependency arrows.
  const capture::DependencyGraph* graph = nullptr;
  const capture::TaskNodes* nodes = nullptr;  // MatchTasks(*tasks, *graph); with graph only
  const capture::NameMap* names = nullptr;    // optional
};

// Arrows between slices. Worker and scheduler variants are the same arrow in either task view.
enum class FlowKind : uint8_t {
  kDependencyWorker,     // producer -> consumer
  kDependencyScheduler,  // the same between Scheduler View bars
  kCompleteWorker,       // task -> the `complete` phase that saw its last finish
  kCompleteScheduler,
  kCompleteReady,      // `complete` phase -> dispatch of a task it made ready
  kDispatchWorker,     // dispatching phase -> task
  kDispatchScheduler,  //
  kSubmitDispatch,     // orchestrator submit -> dispatch of the task
};
inline constexpr size_t kFlowKindCount = 8;
// "dependency.worker", "complete.scheduler", "complete_ready", … Static storage.
const char* FlowKindName(FlowKind kind);

using FlowSet = std::bitset<kFlowKindCount>;
// The kinds of a family: "dependency", "complete", "complete_ready", "dispatch",
// "submit_dispatch", any FlowKindName, "all" or "none". InvalidArgument lists them.
absl::StatusOr<FlowSet> ParseFlows(const std::string& name);

// How task bars are called in Perfetto; Chrome JSON always uses kTask.
enum class TaskNaming : uint8_t {
  kFunction,  // "qk": bars of one function have one name and one colour
  kTask,      // "qk(r1t7)"
};

// Part of the trace's time axis, in µs from its origin: [from, to).
struct TimeWindow {
  double from_us = 0;
  double to_us = 0;
};

struct TimelineOptions {
  FlowSet flows;
  bool overhead_counters = false;  // the eight oh_* tracks; need a graph with edges
  TaskNaming naming = TaskNaming::kFunction;

  // Slices that overlap the window, and counter samples inside it.
  std::optional<TimeWindow> window;

  // Keep lanes that match one of these; empty keeps all. A pattern with one of "*?[" is a glob on
  // "<process>/<lane>" or on the lane's name, any other one a case-sensitive part of
  // "<process>/<lane>". Counter tracks are lanes here.
  std::vector<std::string> lanes;

  // By folded task: whether it is on the path to show (overhead::OnPath). Worker View bars of all
  // other tasks are renamed "·(<task>)". A window or lane filter that hides a bar of the path is
  // FailedPrecondition: the picture would be wrong.
  const std::vector<bool>* on_path = nullptr;

  // Cycle count that is time zero; at most the run's earliest stamp. Absent: the earliest stamp.
  std::optional<capture::DeviceCycles> origin;
};

// All flows, task names, no overhead counters.
TimelineOptions ChromeDefaults();
// Dependency flows of the Worker View, function names, no overhead counters.
TimelineOptions PerfettoDefaults();

// What a trace holds and what it leaves out.
struct TraceSummary {
  struct LaneCount {
    std::string process;
    std::string lane;
    uint64_t slices = 0;
  };
  std::vector<LaneCount> lanes;                  // lanes with slices, in the trace's order
  uint64_t slices = 0;                           // sum over lanes
  std::array<uint64_t, kFlowKindCount> flows{};  // arrows by FlowKind
  uint64_t violations = 0;                       // dependency arrows whose producer ended too late
  uint64_t counter_samples = 0;
  uint64_t overflow_slices = 0;  // moved to a "(overlap)" lane: they cross their predecessor

  struct LeftOut {
    uint64_t slices_outside_window = 0;
    uint64_t slices_in_filtered_lanes = 0;
    uint64_t samples_outside_window = 0;
    uint64_t samples_in_filtered_tracks = 0;
    uint64_t samples_unchanged = 0;      // Perfetto: equal to the sample before, not repeated
    uint64_t flows_leaving = 0;          // start in the trace, end in a slice that is left out
    uint64_t flows_entering = 0;         // the reverse
    uint64_t flows_backwards = 0;        // Perfetto: it would end before it starts
    uint64_t flows_without_slice = 0;    // Perfetto: no phase covers the dispatch
    uint64_t flows_to_self = 0;          // Perfetto
    uint64_t flows_repeated = 0;         // Perfetto: another arrow joins the same two slices
    uint64_t edges_to_absent_tasks = 0;  // graph edges with an end that is nowhere in the run
    uint64_t phases_not_drawn = 0;       // records of kinds that have no lane
    uint64_t intervals_incomplete = 0;   // lifecycle intervals with one stamp only
  };
  LeftOut left_out;

  std::vector<capture::Warning> warnings;
  uint64_t bytes = 0;
  uint32_t parts = 1;
};

enum class TraceFormat : uint8_t { kPerfetto, kChromeJson };

// Write one trace to `sink`; the caller commits the sink. InvalidArgument for inputs that do not
// belong together, host records before the origin, a bad window or origin; FailedPrecondition see
// on_path; else the sink's error.
absl::StatusOr<TraceSummary> WriteChromeTrace(const TimelineInputs& inputs,
                                              const TimelineOptions& options, ByteSink& sink);
absl::StatusOr<TraceSummary> WritePerfettoTrace(const TimelineInputs& inputs,
                                                const TimelineOptions& options, ByteSink& sink);

// Opens the destination of part `index` (0, 1, …).
using OpenPart = std::function<absl::StatusOr<std::unique_ptr<ByteSink>>(uint32_t index)>;

// Writes the trace as parts of at most `max_bytes` each, every part a trace of its own over the
// next piece of the time axis. A slice is in the part in which it starts; an arrow between
// parts is counted once in flows_leaving and once in flows_entering. A piece of time that cannot be
// cut further is written although it is too long, with a warning. Commits every sink. The summary
// adds up the parts.
absl::StatusOr<TraceSummary> WriteTraceInParts(TraceFormat format, const TimelineInputs& inputs,
                                               const TimelineOptions& options, uint64_t max_bytes,
                                               const OpenPart& open_part);

}  // namespace simpler::timeline
