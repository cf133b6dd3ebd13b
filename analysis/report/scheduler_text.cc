#include "analysis/report/scheduler_text.h"

#include <optional>
#include <utility>

#include "analysis/report/text_format.h"
#include "analysis/report/text_table.h"
#include "fmt/format.h"

namespace simpler::report {
namespace {

using capture::CycleScale;
using capture::CycleSpan;
using overhead::Distribution;
using overhead::SchedulerBudget;
using overhead::SchedulerRole;
using overhead::SchedulerThread;

std::string PhaseLabel(capture::PhaseKind kind) {
  switch (kind) {
    case capture::PhaseKind::kComplete:
      return "complete (poll for finished kernels)";
    case capture::PhaseKind::kAsyncPoll:
      return "async_poll (poll for finished transfers)";
    case capture::PhaseKind::kDispatch:
      return "dispatch (pop, build, publish)";
    case capture::PhaseKind::kResolve:
      return "resolve (notify consumers)";
    case capture::PhaseKind::kRelease:
      return "release (deferred releases)";
    case capture::PhaseKind::kDummy:
      return "dummy (retire tasks without kernel)";
    case capture::PhaseKind::kEarlyDispatch:
      return "early_dispatch (stage blocks ahead)";
    case capture::PhaseKind::kDrain:
      return "drain (stage synchronised blocks)";
    case capture::PhaseKind::kGraphPrepare:
      return "graph_prepare (expand definitions)";
    case capture::PhaseKind::kIdle:
      return "idle (nothing to do)";
    default:
      return capture::PhaseKindName(kind);
  }
}

std::string RoleLabel(SchedulerRole role) {
  switch (role) {
    case SchedulerRole::kScheduler:
      return "S scheduler";
    case SchedulerRole::kResolver:
      return "P resolver";
    case SchedulerRole::kAicore:
      return "AICore";
  }
  return {};
}

double NanosPerLoop(CycleSpan total, uint64_t loops, const CycleScale& scale) {
  return Ratio(scale.Micros(total) * 1e3, static_cast<double>(loops));
}

std::string OptionalCount(const std::optional<uint64_t>& count) {
  return count ? std::to_string(*count) : "-";
}

std::string ThreadTable(const SchedulerBudget& budget, const CycleScale& scale) {
  TextTable table({{"Thread", TextTable::Align::kLeft},
                   {"Role", TextTable::Align::kLeft},
                   {"Loops"},
                   {"Tasks"},
                   {"ns/loop"},
                   {"Total us"},
                   {"Busy"}});
  for (const SchedulerThread& thread : budget.threads) {
    table.AddRow({fmt::format("T{}", thread.id), RoleLabel(thread.role),
                  OptionalCount(thread.loops), OptionalCount(thread.tasks),
                  thread.loops
                      ? fmt::format("{:.0f}", NanosPerLoop(thread.total(), *thread.loops, scale))
                      : "-",
                  fmt::format("{:.1f}", scale.Micros(thread.total())),
                  Percent(Share(thread.busy, thread.total()))});
  }
  table.AddRule();
  for (const auto& [role, name] : {std::pair(SchedulerRole::kScheduler, "S SUM"),
                                   std::pair(SchedulerRole::kResolver, "P SUM")}) {
    const overhead::RoleTotal sum = overhead::TotalOf(budget, role);
    if (sum.loops == 0) continue;
    table.AddRow({name, "", std::to_string(sum.loops), std::to_string(sum.tasks),
                  fmt::format("{:.0f}", NanosPerLoop(sum.total, sum.loops, scale)),
                  fmt::format("{:.1f}", scale.Micros(sum.total)), ""});
  }
  return table.Render(2);
}

std::string PhaseTable(const SchedulerBudget& budget, const CycleScale& scale) {
  CycleSpan total = 0;
  uint64_t tasks = 0;
  for (const auto& phase : budget.phases) total += phase.total;
  for (const auto& thread : budget.threads) tasks += thread.tasks.value_or(0);
  TextTable table({{"Phase, summed over threads", TextTable::Align::kLeft},
                   {"Records"},
                   {"Total us"},
                   {"% of total"},
                   {"us/task"}});
  for (const overhead::PhaseTotal& phase : budget.phases) {
    const double micros = scale.Micros(phase.total);
    table.AddRow({PhaseLabel(phase.kind), phase.records > 0 ? std::to_string(phase.records) : "-",
                  fmt::format("{:.1f}", micros), Percent(Share(phase.total, total)),
                  fmt::format("{:.2f}", Ratio(micros, static_cast<double>(tasks)))});
  }
  return table.Render(2);
}

std::string DegreeLine(const char* name, const overhead::DegreeTotal& degrees, uint64_t tasks) {
  return fmt::format("  {}: total edges={}, max_degree={}, avg_degree={:.1f}\n", name,
                     degrees.edges, degrees.max_degree,
                     Ratio(static_cast<double>(degrees.edges), static_cast<double>(tasks)));
}

std::string SchedulerCounts(const SchedulerBudget& budget, const CycleScale& scale) {
  std::string out = fmt::format("  Finishes seen by complete phases: {}\n", budget.finishes);
  if (budget.nested_resolve > 0) {
    out += fmt::format("  Resolve nested in complete or dummy: {:.1f} us, counted there\n",
                       scale.Micros(budget.nested_resolve));
  }
  uint64_t tasks = 0;
  for (const SchedulerThread& thread : budget.threads) tasks += thread.tasks.value_or(0);
  if (budget.fanout) out += DegreeLine("Fanout (notify consumers)", *budget.fanout, tasks);
  if (budget.fanin) out += DegreeLine("Fanin  (release producers)", *budget.fanin, tasks);
  if (budget.pop_hit && budget.pop_miss) {
    const uint64_t pops = *budget.pop_hit + *budget.pop_miss;
    out +=
        fmt::format("  Pop: hit={}, miss={}, hit_rate={:.1f}%\n", *budget.pop_hit, *budget.pop_miss,
                    Ratio(100.0 * static_cast<double>(*budget.pop_hit), static_cast<double>(pops)));
  }
  return out;
}

// How long the scheduler's loop is against the time a finished task waits to be seen.
std::string LoopAgainstTail(const Analysis& analysis, const SchedulerBudget& budget) {
  const CycleScale scale = analysis.scale();
  const overhead::RoleTotal sum = overhead::TotalOf(budget, SchedulerRole::kScheduler);
  if (sum.loops == 0) return {};
  const double loop_ns = NanosPerLoop(sum.total, sum.loops, scale);
  std::string out = fmt::format("  Avg scheduler loop iteration: {:.0f} ns\n", loop_ns);
  const std::optional<Distribution>& tail = analysis.overhead.tail;
  if (tail && loop_ns > 0) {
    const double mean_us = scale.Micros(tail->total) / static_cast<double>(tail->count);
    out += fmt::format(
        "  Mean tail {:.1f} us = {:.1f} loop iterations from a kernel's end to its "
        "detection\n",
        mean_us, mean_us * 1e3 / loop_ns);
  }
  return out;
}

}  // namespace

std::string SchedulerText(const Analysis& analysis) {
  const std::optional<SchedulerBudget>& budget = analysis.overhead.scheduler;
  const bool on_aicore =
      budget && !budget->threads.empty() && budget->threads[0].role == SchedulerRole::kAicore;
  std::string out =
      Heading(5, on_aicore ? "AICore scheduler phase breakdown" : "Scheduler loop budget");
  if (!budget) {
    return out + Unavailable("phase records unavailable; capture level 3 or above for this part");
  }
  const CycleScale scale = analysis.scale();
  out += ThreadTable(*budget, scale) + '\n' + PhaseTable(*budget, scale) + '\n';
  out += SchedulerCounts(*budget, scale) + LoopAgainstTail(analysis, *budget);
  if (budget->dropped_records > 0) {
    out += fmt::format("  INCOMPLETE: {} phase records of {} streams were dropped on the device\n",
                       budget->dropped_records, budget->truncated_streams);
  }
  return out;
}

}  // namespace simpler::report
