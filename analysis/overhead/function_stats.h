// Execution and overhead per kernel function, over AICore rows (not tasks: every SPMD block and
// MIX half counts).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "analysis/capture/clock.h"
#include "analysis/capture/dependency_graph.h"
#include "analysis/capture/joined_run.h"
#include "analysis/capture/task_table.h"

namespace simpler::overhead {

// A sum over the rows that recorded the value. Nothing is clamped: stamps of two clocks may give
// negative spans.
struct SpanSum {
  capture::CycleSpan total = 0;
  uint64_t rows = 0;

  bool present() const { return rows > 0; }
  // Mean in µs; 0 when absent.
  double MeanMicros(const capture::CycleScale& scale) const {
    return rows == 0 ? 0.0 : scale.Micros(total) / static_cast<double>(rows);
  }
};

struct FunctionStats {
  int32_t func_id = -1;  // -1: the graph does not say
  uint64_t count = 0;    // rows
  SpanSum exec;          // end - start
  SpanSum latency;       // finish - dispatch; rows with scheduler stamps
  SpanSum head;          // start - dispatch; rows with scheduler stamps
  SpanSum tail;          // finish - end; rows with scheduler stamps
  SpanSum propagation;   // receive - dispatch; rows with both
  SpanSum local;         // start - receive; rows with a receive stamp
};

struct FunctionTable {
  std::vector<FunctionStats> functions;  // by ascending func_id
  FunctionStats total;                   // func_id is -1

  // First dispatch to last finish; absent without scheduler stamps.
  std::optional<capture::CycleSpan> scheduled_span;
  // First receive (start where not recorded) to last end; absent without rows.
  std::optional<capture::CycleSpan> aicore_span;
};

// `tasks` is FoldTasks(rows). `graph` and `nodes` (MatchTasks of both) resolve functions; both may
// be null, then every row belongs to function -1.
FunctionTable SummariseFunctions(const capture::JoinedRun& rows,
                                 const std::vector<capture::Task>& tasks,
                                 const capture::DependencyGraph* graph,
                                 const capture::TaskNodes* nodes);

// Share of the mean dispatch-to-finish time that is spent executing, in percent; absent when the
// latency sum is not positive.
std::optional<double> ExecPercent(const FunctionStats& stats);

}  // namespace simpler::overhead
