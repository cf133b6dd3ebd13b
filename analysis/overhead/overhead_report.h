// Answers of the overhead model for one run, in device cycles and counts. What the capture cannot
// support is absent (std::optional), never zero, and OverheadReport::warnings says why. Turning
// cycles into microseconds and shares is left to whoever presents them. docs/overhead-model.md
// defines every figure.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analysis/capture/blocks.h"
#include "analysis/capture/capture.h"
#include "analysis/capture/task_table.h"
#include "analysis/capture/warning.h"

namespace simpler::overhead {

// One value per engine (kAic, kAiv); index with the core type.
template <typename T>
struct PerEngine {
  std::array<T, capture::kEngineCount> values{};
  T& operator[](capture::CoreType type) { return values[static_cast<size_t>(type)]; }
  const T& operator[](capture::CoreType type) const { return values[static_cast<size_t>(type)]; }
};

// Part 1. Time in overhead: a core could work, a task is ready, and nobody has placed it.
struct OverheadFigures {
  PerEngine<std::optional<capture::CycleSpan>> engine;  // absent: no core of the engine ran
  capture::CycleSpan all = 0;                           // every present engine is in overhead
  capture::CycleSpan has = 0;     // every engine that has ready work is, and there is one
  capture::CycleSpan united = 0;  // some present engine is
};

struct OverheadSweep {
  PerEngine<int> cores;       // k_T: cores that ran at least one row; 0: engine absent
  OverheadFigures headline;   // free = not executing; producers without rows unknown
  OverheadFigures placeable;  // free = no outstanding row; markers retire producers
  // Part of headline.united in which every ready task of every engine in overhead is one whose
  // orch_submit has not ended. Absent below level 4 and for host orchestrators.
  std::optional<capture::CycleSpan> unsubmitted;
};

// sum(k_T * overhead_T) / sum(k_T) over the present engines, in cycles. 0 without engines.
double WeightedOverhead(const OverheadSweep& sweep, const OverheadFigures& figures);

// Part 2. Pickup of pre-dispatched rows on the cores of one engine.
struct EngineSwitch {
  int cores = 0;
  uint64_t events = 0;
  capture::CycleSpan min = 0;    // smallest sum of one core
  capture::CycleSpan max = 0;    // largest sum of one core
  capture::CycleSpan total = 0;  // over all cores; mean per core = total / cores
  capture::CoreId worst_core = 0;
  // Split of `total`; absent without a dependency graph. overhead + independent == total.
  std::optional<capture::CycleSpan> overhead;
  std::optional<capture::CycleSpan> independent;
};

struct SwitchReport {
  PerEngine<std::optional<EngineSwitch>> engine;  // absent: no core of the engine ran
  // What the makespan can owe to switches: minimum over all cores; sum of the engines' minima.
  capture::CycleSpan bound_lower = 0;
  capture::CycleSpan bound_upper = 0;
};

// Parts 3 and 4. Percentile p is the element at index floor(n * p / 100) of the sorted values,
// at most the last. mean = total / count.
struct Distribution {
  uint64_t count = 0;  // > 0 where a Distribution is present
  capture::CycleSpan total = 0;
  capture::CycleSpan p10 = 0, p25 = 0, p50 = 0, p75 = 0, p90 = 0, p95 = 0, p99 = 0;
  capture::CycleSpan max = 0;
};

// Part 5.
enum class SchedulerRole : uint8_t { kScheduler, kResolver, kAicore };
// "S", "P", "AICORE". Static storage.
const char* SchedulerRoleName(SchedulerRole role);

struct SchedulerThread {
  int id = 0;  // position of the stream, the thread index core_to_thread uses
  SchedulerRole role = SchedulerRole::kScheduler;
  std::optional<uint64_t> loops;  // largest loop_iter; absent for AICore schedulers or unrecorded
  // Tasks whose last row this thread retired; Σ tasks_processed of `complete` when no core is
  // mapped to a thread; absent for AICore schedulers without a mapping.
  std::optional<uint64_t> tasks;
  capture::CycleSpan busy = 0;  // all phases that count
  capture::CycleSpan idle = 0;  // gaps between them (AICPU), recorded idle phases (AICORE)
  std::optional<capture::SchedulerStream::CaptureCounts> counts;

  capture::CycleSpan total() const;  // busy + idle
};

struct PhaseTotal {
  capture::PhaseKind kind = capture::PhaseKind::kUnknown;
  uint64_t records = 0;  // 0 for reconstructed idle
  capture::CycleSpan total = 0;
};

struct DegreeTotal {
  uint64_t edges = 0;
  uint64_t max_degree = 0;
};

struct SchedulerBudget {
  std::vector<SchedulerThread> threads;  // streams that did countable work, by id
  // Summed over all threads; kinds that occur in the order of the model's table, kIdle always last.
  // Both spellings of resolve are kResolve.
  std::vector<PhaseTotal> phases;
  capture::CycleSpan nested_resolve = 0;  // inside complete / dummy, not part of `phases`
  uint64_t finishes = 0;                  // Σ tasks_processed over `complete`
  std::optional<uint64_t> pop_hit;        // absent: no dispatch record carries pops
  std::optional<uint64_t> pop_miss;
  std::optional<DegreeTotal> fanout;  // absent without a graph or without core_to_thread
  std::optional<DegreeTotal> fanin;
  uint64_t dropped_records = 0;    // phase records that the streams report as lost
  uint64_t truncated_streams = 0;  // streams that lost any
};

// Sums over the threads of one role; loops and tasks over the threads that have them.
struct RoleTotal {
  uint64_t threads = 0;
  uint64_t loops = 0;
  uint64_t tasks = 0;
  capture::CycleSpan total = 0;
};
RoleTotal TotalOf(const SchedulerBudget& budget, SchedulerRole role);

// Part 6. The chain of latest producers back from the task that finished last.
struct PathAttribution {
  std::vector<uint32_t> tasks;  // indexes of folded tasks, root first; hops = size - 1
  capture::CycleSpan span = 0;  // from the root's dispatch to the last finish
  capture::CycleSpan compute = 0;
  capture::CycleSpan scheduler = 0;  // injected: dispatch -> start of the root, then end -> start
  capture::CycleSpan other = 0;      // what is left of span, at least 0

  uint64_t hops() const { return tasks.empty() ? 0 : tasks.size() - 1; }
};

// What the stamps themselves say about how far they can be trusted.
struct StampHealth {
  uint64_t rows = 0;
  uint64_t rows_with_scheduler = 0;
  uint64_t dispatch_after_start = 0;  // rows; clocks of scheduler and core disagree
  uint64_t finish_before_end = 0;     // rows; as above
  uint64_t overlapping_rows = 0;      // rows that start while another row of their core runs
  uint64_t edges_checked = 0;         // both ends have rows, self edges left out
  uint64_t edges_violated = 0;        // consumer's kernel started before the producer's ended
};

struct OverheadReport {
  uint64_t tasks = 0;  // distinct task ids with an AICore row
  uint64_t rows = 0;   // AICore rows
  std::optional<capture::Window> window;
  std::optional<OverheadSweep> sweep;
  std::optional<SwitchReport> core_switch;
  std::optional<Distribution> head;
  std::optional<Distribution> tail;
  std::optional<SchedulerBudget> scheduler;
  std::optional<PathAttribution> path;
  StampHealth health;
  std::vector<capture::Warning> warnings;  // one per part that is absent or limited
};

}  // namespace simpler::overhead
