#include "analysis/overhead/function_stats.h"

#include <algorithm>
#include <map>

#include "analysis/capture/labels.h"

namespace simpler::overhead {
namespace {

using capture::CycleSpan;
using capture::DependencyGraph;
using capture::DeviceCycles;
using capture::JoinedRun;

void Add(CycleSpan span, SpanSum& sum) {
  sum.total += span;
  ++sum.rows;
}

void AddRow(const JoinedRun& rows, size_t row, FunctionStats& stats) {
  ++stats.count;
  Add(rows.end(row) - rows.start(row), stats.exec);
  if (rows.has_receive(row)) Add(rows.start(row) - rows.receive(row), stats.local);
  if (!rows.has_scheduler(row)) return;
  Add(rows.finish(row) - rows.dispatch(row), stats.latency);
  Add(rows.start(row) - rows.dispatch(row), stats.head);
  Add(rows.finish(row) - rows.end(row), stats.tail);
  if (rows.has_receive(row)) Add(rows.receive(row) - rows.dispatch(row), stats.propagation);
}

void Merge(const SpanSum& from, SpanSum& into) {
  into.total += from.total;
  into.rows += from.rows;
}

void Merge(const FunctionStats& from, FunctionStats& into) {
  into.count += from.count;
  Merge(from.exec, into.exec);
  Merge(from.latency, into.latency);
  Merge(from.head, into.head);
  Merge(from.tail, into.tail);
  Merge(from.propagation, into.propagation);
  Merge(from.local, into.local);
}

// Smallest and largest of the stamps shown to it.
struct Extent {
  std::optional<DeviceCycles> first;
  std::optional<DeviceCycles> last;

  void Cover(DeviceCycles from, DeviceCycles to) {
    first = first ? std::min(*first, from) : from;
    last = last ? std::max(*last, to) : to;
  }
  std::optional<CycleSpan> Span() const {
    return first ? std::optional<CycleSpan>(*last - *first) : std::nullopt;
  }
};

int32_t FunctionOf(const JoinedRun& rows, size_t row, const DependencyGraph::Node* node) {
  return node == nullptr ? -1 : capture::ResolveFunction(*node, rows.type(row));
}

}  // namespace

FunctionTable SummariseFunctions(const JoinedRun& rows, const std::vector<capture::Task>& tasks,
                                 const DependencyGraph* graph, const capture::TaskNodes* nodes) {
  std::map<int32_t, FunctionStats> by_function;
  Extent scheduled, aicore;
  for (size_t task = 0; task < tasks.size(); ++task) {
    const DependencyGraph::NodeIndex index =
        graph == nullptr ? DependencyGraph::kNoNode : nodes->node_of_task[task];
    const DependencyGraph::Node* node =
        index == DependencyGraph::kNoNode ? nullptr : &graph->nodes()[index];
    const uint32_t first = tasks[task].first_row;
    for (uint32_t row = first; row < first + tasks[task].row_count; ++row) {
      AddRow(rows, row, by_function[FunctionOf(rows, row, node)]);
      aicore.Cover(rows.receive(row), rows.end(row));
      if (rows.has_scheduler(row)) scheduled.Cover(rows.dispatch(row), rows.finish(row));
    }
  }
  FunctionTable table;
  for (auto& [func_id, stats] : by_function) {
    stats.func_id = func_id;
    Merge(stats, table.total);
    table.functions.push_back(stats);
  }
  table.scheduled_span = scheduled.Span();
  table.aicore_span = aicore.Span();
  return table;
}

std::optional<double> ExecPercent(const FunctionStats& stats) {
  if (stats.latency.total <= 0) return std::nullopt;
  const auto mean = [](const SpanSum& sum) {
    return static_cast<double>(sum.total) / static_cast<double>(sum.rows);
  };
  return 100.0 * mean(stats.exec) / mean(stats.latency);
}

}  // namespace simpler::overhead
