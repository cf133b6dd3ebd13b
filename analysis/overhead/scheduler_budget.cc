#include "analysis/overhead/scheduler_budget.h"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <limits>

#include "analysis/overhead/cycle_sum.h"
#include "analysis/overhead/interval_set.h"
#include "analysis/overhead/resolve_nesting.h"

namespace simpler::overhead {
namespace {

using capture::CycleSpan;
using capture::DependencyGraph;
using capture::DeviceCycles;
using capture::JoinedRun;
using capture::PhaseKind;
using capture::Producer;
using capture::SchedulerPhaseBlock;
using capture::SchedulerStream;
using capture::Task;
using capture::TaskNodes;

constexpr size_t kKindCount = static_cast<size_t>(PhaseKind::kUnknown) + 1;

// Mutually exclusive phases of an AICPU scheduler loop, in the order they are reported.
constexpr PhaseKind kOuterKinds[] = {
    PhaseKind::kComplete,      PhaseKind::kAsyncPoll, PhaseKind::kStateProbe,  PhaseKind::kDispatch,
    PhaseKind::kWorksteal,     PhaseKind::kRefill,    PhaseKind::kRelease,     PhaseKind::kDummy,
    PhaseKind::kEarlyDispatch, PhaseKind::kDrain,     PhaseKind::kGraphPrepare};

// The rest of the report: standalone resolves, then what only AICore schedulers account for.
constexpr PhaseKind kFurtherKinds[] = {
    PhaseKind::kResolve,        PhaseKind::kBootstrap,    PhaseKind::kFanin,
    PhaseKind::kReadyClaim,     PhaseKind::kReadySteal,   PhaseKind::kDirectRefill,
    PhaseKind::kDrainPrepare,   PhaseKind::kDrainPublish, PhaseKind::kDummyTask,
    PhaseKind::kPredicatedSkip, PhaseKind::kScan,         PhaseKind::kPoll,
    PhaseKind::kUnknown};

bool IsOuter(PhaseKind kind) {
  return std::find(std::begin(kOuterKinds), std::end(kOuterKinds), kind) != std::end(kOuterKinds);
}

PhaseKind Canonical(PhaseKind kind) {
  return kind == PhaseKind::kResolveStandalone ? PhaseKind::kResolve : kind;
}

struct KindTotals {
  std::array<PhaseTotal, kKindCount> totals{};

  void Add(PhaseKind kind, uint64_t records, CycleSpan span) {
    PhaseTotal& total = totals[static_cast<size_t>(kind)];
    total.records += records;
    total.total = AddSaturated(total.total, span);
  }
  bool Seen(PhaseKind kind) const {
    const PhaseTotal& total = totals[static_cast<size_t>(kind)];
    return total.records > 0 || total.total > 0;
  }
};

// What one pass over a stream's records finds.
struct StreamScan {
  KindTotals kinds;            // work records only, canonical kinds
  std::vector<Interval> work;  // of the same records, without idle ones, in emission order
  bool standalone_resolve = false;
  bool nested_resolve = false;
  CycleSpan nested_total = 0;
  std::optional<uint64_t> loops;
  uint64_t finishes = 0;
  std::optional<uint64_t> pop_hit;
  std::optional<uint64_t> pop_miss;
};

CycleSpan Length(const SchedulerPhaseBlock& block, size_t row) {
  return std::max<CycleSpan>(block.end[row] - block.start[row], 0);
}

void AddWork(const SchedulerPhaseBlock& block, size_t row, StreamScan& scan) {
  const PhaseKind kind = Canonical(block.kind[row]);
  scan.kinds.Add(kind, 1, Length(block, row));
  if (kind != PhaseKind::kIdle) scan.work.push_back({block.start[row], block.end[row]});
  if (kind == PhaseKind::kResolve) scan.standalone_resolve = true;
  if (block.Has(row, SchedulerPhaseBlock::kLoopIter)) {
    scan.loops = std::max<uint64_t>(scan.loops.value_or(0), block.loop_iter[row]);
  }
}

void AddCounters(const SchedulerPhaseBlock& block, size_t row, StreamScan& scan) {
  if (block.kind[row] == PhaseKind::kComplete &&
      block.Has(row, SchedulerPhaseBlock::kTasksProcessed)) {
    scan.finishes += block.tasks_processed[row];
  }
  if (block.kind[row] == PhaseKind::kDispatch && block.Has(row, SchedulerPhaseBlock::kPops)) {
    scan.pop_hit = scan.pop_hit.value_or(0) + block.pop_hit[row];
    scan.pop_miss = scan.pop_miss.value_or(0) + block.pop_miss[row];
  }
}

StreamScan ScanStream(const SchedulerStream& stream, bool marked_resolves) {
  StreamScan scan;
  const bool aicore = stream.producer == Producer::kAicore;
  const std::vector<bool> nested = NestedResolves(stream, marked_resolves);
  size_t index = 0;
  ForEachPhase(stream, [&](const SchedulerPhaseBlock& block, size_t row) {
    AddCounters(block, row, scan);
    if (nested[index++]) {
      scan.nested_resolve = true;
      scan.nested_total = AddSaturated(scan.nested_total, Length(block, row));
    } else if (aicore || IsOuter(block.kind[row]) ||
               Canonical(block.kind[row]) == PhaseKind::kResolve) {
      AddWork(block, row, scan);
    }
  });
  const auto earlier = [](const Interval& a, const Interval& b) { return a.begin < b.begin; };
  if (!std::is_sorted(scan.work.begin(), scan.work.end(), earlier)) {
    std::sort(scan.work.begin(), scan.work.end(), earlier);
  }
  return scan;
}

// Time between the intervals (sorted by begin) that none of them covers.
CycleSpan Gaps(const std::vector<Interval>& sorted) {
  CycleSpan gaps = 0;
  DeviceCycles covered = sorted.empty() ? DeviceCycles{} : sorted.front().begin;
  for (const Interval& interval : sorted) {
    gaps += std::max<CycleSpan>(interval.begin - covered, 0);
    covered = std::max(covered, interval.end);
  }
  return gaps;
}

CycleSpan Covered(const std::vector<Interval>& sorted) {
  if (sorted.empty()) return 0;
  DeviceCycles last = sorted.front().begin;
  for (const Interval& interval : sorted) last = std::max(last, interval.end);
  return last - sorted.front().begin - Gaps(sorted);
}

bool AssignsOthersOnly(const capture::Metadata& metadata, int thread) {
  if (!metadata.core_to_thread) return false;
  const auto& threads = *metadata.core_to_thread;
  const bool any = std::any_of(threads.begin(), threads.end(), [](int16_t t) { return t >= 0; });
  return any && std::find(threads.begin(), threads.end(), thread) == threads.end();
}

SchedulerRole RoleOf(const StreamScan& scan, bool assigns_others_only) {
  const auto seen = [&](PhaseKind kind) { return scan.kinds.Seen(kind); };
  bool resolves = scan.nested_resolve;
  for (PhaseKind kind : {PhaseKind::kResolve, PhaseKind::kAsyncPoll, PhaseKind::kDummy}) {
    resolves |= seen(kind);
  }
  bool schedules = false;
  for (PhaseKind kind : kOuterKinds) {
    const bool shared = kind == PhaseKind::kAsyncPoll || kind == PhaseKind::kDummy;
    schedules |= !shared && seen(kind);
  }
  const bool resolver = resolves && !schedules && (scan.standalone_resolve || assigns_others_only);
  return resolver ? SchedulerRole::kResolver : SchedulerRole::kScheduler;
}

SchedulerThread MakeThread(int id, const SchedulerStream& stream, const StreamScan& scan,
                           const capture::Metadata& metadata) {
  SchedulerThread thread;
  thread.id = id;
  thread.counts = stream.counts;
  if (stream.producer == Producer::kAicore) {
    thread.role = SchedulerRole::kAicore;
    thread.busy = Covered(scan.work);
    thread.idle = scan.kinds.totals[static_cast<size_t>(PhaseKind::kIdle)].total;
    return thread;
  }
  thread.role = RoleOf(scan, AssignsOthersOnly(metadata, id));
  thread.loops = scan.loops;
  for (const PhaseTotal& total : scan.kinds.totals) {
    thread.busy = AddSaturated(thread.busy, total.total);
  }
  thread.idle = Gaps(scan.work);
  return thread;
}

template <typename T>
void AddOptional(const std::optional<T>& value, std::optional<T>& sum) {
  if (value) sum = sum.value_or(T{}) + *value;
}

// The thread that retired the task: of its row with the largest finish, first one on ties.
int RetiringThread(const JoinedRun& rows, const Task& task) {
  int thread = -1;
  DeviceCycles latest{std::numeric_limits<int64_t>::min()};
  for (uint32_t row = task.first_row; row < task.first_row + task.row_count; ++row) {
    if (!rows.has_scheduler(row) || rows.finish(row) <= latest) continue;
    const int owner = rows.capture().metadata.ThreadOf(rows.core(row));
    if (owner < 0) continue;
    thread = owner;
    latest = rows.finish(row);
  }
  return thread;
}

// Tasks per thread index; empty when no task has a row on a mapped core.
std::vector<uint64_t> TasksPerThread(const JoinedRun& rows, const std::vector<Task>& tasks) {
  std::vector<uint64_t> counts;
  if (!rows.capture().metadata.core_to_thread) return counts;
  for (const Task& task : tasks) {
    const int thread = RetiringThread(rows, task);
    if (thread < 0) continue;
    if (counts.size() <= static_cast<size_t>(thread))
      counts.resize(static_cast<size_t>(thread) + 1);
    ++counts[static_cast<size_t>(thread)];
  }
  return counts;
}

void CountDegrees(const JoinedRun& rows, const std::vector<Task>& tasks,
                  const DependencyGraph& graph, const TaskNodes& nodes, SchedulerBudget& budget) {
  const auto add = [](std::optional<DegreeTotal>& total, uint64_t degree) {
    total->edges += degree;
    total->max_degree = std::max(total->max_degree, degree);
  };
  std::vector<bool> listed;
  for (const SchedulerThread& thread : budget.threads) {
    listed.resize(static_cast<size_t>(thread.id) + 1);
    listed[static_cast<size_t>(thread.id)] = true;
  }
  budget.fanout.emplace();
  budget.fanin.emplace();
  for (size_t i = 0; i < tasks.size(); ++i) {
    const int thread = rows.capture().metadata.ThreadOf(rows.core(tasks[i].first_row));
    if (thread < 0 || static_cast<size_t>(thread) >= listed.size()) continue;
    const DependencyGraph::NodeIndex node = nodes.node_of_task[i];
    if (!listed[static_cast<size_t>(thread)] || node == DependencyGraph::kNoNode) continue;
    add(budget.fanout, graph.Successors(node).size());
    add(budget.fanin, graph.Predecessors(node).size());
  }
}

std::vector<PhaseTotal> ListPhases(const KindTotals& kinds) {
  std::vector<PhaseTotal> phases;
  const auto list = [&](PhaseKind kind) {
    if (!kinds.Seen(kind) && kind != PhaseKind::kIdle) return;
    phases.push_back(kinds.totals[static_cast<size_t>(kind)]);
    phases.back().kind = kind;
  };
  for (PhaseKind kind : kOuterKinds) list(kind);
  for (PhaseKind kind : kFurtherKinds) list(kind);
  list(PhaseKind::kIdle);
  return phases;
}

}  // namespace

const char* SchedulerRoleName(SchedulerRole role) {
  switch (role) {
    case SchedulerRole::kScheduler:
      return "S";
    case SchedulerRole::kResolver:
      return "P";
    case SchedulerRole::kAicore:
      break;
  }
  return "AICORE";
}

CycleSpan SchedulerThread::total() const { return AddSaturated(busy, idle); }

RoleTotal TotalOf(const SchedulerBudget& budget, SchedulerRole role) {
  RoleTotal sum;
  for (const SchedulerThread& thread : budget.threads) {
    if (thread.role != role) continue;
    ++sum.threads;
    sum.loops += thread.loops.value_or(0);
    sum.tasks += thread.tasks.value_or(0);
    sum.total = AddSaturated(sum.total, thread.total());
  }
  return sum;
}

std::optional<SchedulerBudget> MeasureScheduler(const JoinedRun& rows,
                                                const std::vector<Task>& tasks,
                                                const DependencyGraph* graph,
                                                const TaskNodes* nodes) {
  const capture::Run& run = rows.run();
  const bool marked = MarksStandaloneResolves(run);
  const std::vector<uint64_t> tasks_per_thread = TasksPerThread(rows, tasks);
  SchedulerBudget budget;
  KindTotals kinds;
  for (size_t index = 0; index < run.scheduler_streams.size(); ++index) {
    const SchedulerStream& stream = run.scheduler_streams[index];
    if (stream.counts) {
      budget.dropped_records += stream.counts->dropped;
      budget.truncated_streams += stream.counts->truncated || stream.counts->dropped > 0;
    }
    const StreamScan scan = ScanStream(stream, marked);
    budget.finishes += scan.finishes;
    budget.nested_resolve = AddSaturated(budget.nested_resolve, scan.nested_total);
    AddOptional(scan.pop_hit, budget.pop_hit);
    AddOptional(scan.pop_miss, budget.pop_miss);
    if (scan.work.empty() && !scan.kinds.Seen(PhaseKind::kIdle)) continue;

    SchedulerThread thread =
        MakeThread(static_cast<int>(index), stream, scan, rows.capture().metadata);
    if (!tasks_per_thread.empty()) {
      thread.tasks = index < tasks_per_thread.size() ? tasks_per_thread[index] : 0;
    } else if (stream.producer == Producer::kAicpu) {
      thread.tasks = scan.finishes;
    }
    for (size_t kind = 0; kind < kKindCount; ++kind) {
      const PhaseTotal& total = scan.kinds.totals[kind];
      kinds.Add(static_cast<PhaseKind>(kind), total.records, total.total);
    }
    if (stream.producer == Producer::kAicpu) kinds.Add(PhaseKind::kIdle, 0, thread.idle);
    budget.threads.push_back(std::move(thread));
  }
  if (budget.threads.empty()) return std::nullopt;
  budget.phases = ListPhases(kinds);
  if (graph != nullptr && rows.capture().metadata.core_to_thread) {
    CountDegrees(rows, tasks, *graph, *nodes, budget);
  }
  return budget;
}

}  // namespace simpler::overhead
