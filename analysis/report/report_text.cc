#include "analysis/report/report_text.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "analysis/report/percent.h"
#include "analysis/report/text_table.h"
#include "fmt/format.h"

namespace simpler::report {
namespace {

using capture::CoreType;
using capture::CycleScale;
using capture::CycleSpan;
using overhead::Distribution;
using overhead::EngineSwitch;
using overhead::OverheadSweep;
using overhead::PathAttribution;
using overhead::SchedulerBudget;
using overhead::SchedulerRole;
using overhead::SchedulerThread;

constexpr CoreType kEngines[] = {CoreType::kAic, CoreType::kAiv};
constexpr size_t kWidth = 90;

const char* EngineTitle(CoreType type) { return type == CoreType::kAic ? "AIC" : "AIV"; }

std::string Percent(const std::optional<double>& value, int decimals = 1) {
  return value ? fmt::format("{:.{}f} %", *value, decimals) : "-";
}

double Share(CycleSpan part, CycleSpan whole) {
  return whole > 0 ? 100.0 * static_cast<double>(part) / static_cast<double>(whole) : 0.0;
}

double Ratio(double dividend, double divisor) { return divisor > 0 ? dividend / divisor : 0.0; }

std::string Heading(int part, const std::string& title) {
  return fmt::format("\nPart {}: {}\n{:-<{}}\n", part, title, "", kWidth);
}

// Why a part is missing: the warnings that the model left under the part's codes.
std::string Unavailable(const std::string& reason) { return fmt::format("  ({})\n", reason); }

constexpr const char* kNeedsStamps = "needs scheduler stamps: record at level 2 or above";
constexpr const char* kNeedsGraph = "needs the task graph: pass --deps deps.json of a dep_gen run";

std::string WhyNoSweep(const Analysis& analysis) {
  return analysis.inputs.graph == nullptr ? kNeedsGraph : kNeedsStamps;
}

// --- Part 1 -------------------------------------------------------------------------------------

void AddPercentRow(const std::string& name, const OverheadPercent& percent, TextTable* table) {
  table->AddRow({name, Percent(percent.aic), Percent(percent.aiv), Percent(percent.all),
                 Percent(percent.has), Percent(percent.united), Percent(percent.weighted)});
}

std::string OverheadPart(const Analysis& analysis) {
  const auto& report = analysis.overhead;
  std::string out = Heading(1, "Overhead (share of the makespan)");
  out += fmt::format("  Tasks: {}   Rows: {}", report.tasks, report.rows);
  if (report.window) {
    out += fmt::format("   Window: {:.1f} us (first start to last end)",
                       analysis.scale().Micros(report.window->length()));
  }
  out += '\n';
  if (!report.sweep) return out + Unavailable(WhyNoSweep(analysis));

  TextTable table(
      {{"", TextTable::Align::kLeft}, {"AIC"}, {"AIV"}, {"all"}, {"has"}, {"union"}, {"weighted"}});
  AddPercentRow("overhead", PercentOf(analysis, &OverheadSweep::headline), &table);
  AddPercentRow("placeable", PercentOf(analysis, &OverheadSweep::placeable), &table);
  out += '\n' + table.Render(2) + '\n';
  if (const std::optional<double> unsubmitted = UnsubmittedPercent(analysis)) {
    out += fmt::format("  not yet submitted by the orchestrator: {} of the makespan\n\n",
                       Percent(unsubmitted));
  }
  return out +
         "  overhead    a core of the engine executes nothing while a ready task is undispatched\n"
         "  placeable   the same, but a core that already holds a dispatched task is not free\n"
         "  all / has   every engine / every engine with ready work is in overhead\n"
         "  union       some engine is;  weighted: engines weighted by their number of cores\n";
}

// --- Part 2 -------------------------------------------------------------------------------------

void AddSwitchRow(CoreType type, const EngineSwitch& engine, const CycleScale& scale,
                  TextTable* table) {
  const double total = scale.Micros(engine.total);
  const auto split = [&](const std::optional<CycleSpan>& part) {
    return part && engine.total > 0 ? Percent(Share(*part, engine.total), 0) : "-";
  };
  table->AddRow({EngineTitle(type), std::to_string(engine.cores),
                 fmt::format("{:.1f}", scale.Micros(engine.min)),
                 fmt::format("{:.1f}", total / engine.cores),
                 fmt::format("{:.1f}", scale.Micros(engine.max)), std::to_string(engine.events),
                 fmt::format("{:.2f}", Ratio(total, static_cast<double>(engine.events))),
                 split(engine.overhead), split(engine.independent)});
}

std::string SwitchPart(const Analysis& analysis) {
  const CycleScale scale = analysis.scale();
  std::string out = Heading(2,
                            "Core switch (pickup of a task that was dispatched before the core "
                            "was free)");
  const auto& report = analysis.overhead.core_switch;
  if (!report) return out + Unavailable(kNeedsStamps);

  TextTable table({{"Engine", TextTable::Align::kLeft},
                   {"Cores"},
                   {"min us/core"},
                   {"mean"},
                   {"max"},
                   {"Events"},
                   {"us/event"},
                   {"overhead"},
                   {"independent"}});
  for (const CoreType type : kEngines) {
    if (report->engine[type]) AddSwitchRow(type, *report->engine[type], scale, &table);
  }
  const CycleSpan makespan = analysis.overhead.window ? analysis.overhead.window->length() : 0;
  return out + table.Render(2) +
         fmt::format(
             "\n  The makespan owes between {:.2f} and {:.2f} us ({:.2f} .. {:.2f} %) to "
             "switches.\n",
             scale.Micros(report->bound_lower), scale.Micros(report->bound_upper),
             Share(report->bound_lower, makespan), Share(report->bound_upper, makespan));
}

// --- Parts 3 and 4 ------------------------------------------------------------------------------

std::string DistributionPart(int part, const std::string& title,
                             const std::optional<Distribution>& distribution,
                             const CycleScale& scale) {
  std::string out = Heading(part, title);
  if (!distribution) return out + Unavailable(kNeedsStamps);
  const auto micros = [&](CycleSpan span) { return fmt::format("{:.2f}", scale.Micros(span)); };
  TextTable table({{"Rows"},
                   {"P10"},
                   {"P25"},
                   {"P50"},
                   {"P75"},
                   {"P90"},
                   {"P95"},
                   {"P99"},
                   {"Max"},
                   {"Mean"},
                   {"Total"}});
  const Distribution& values = *distribution;
  table.AddRow(
      {std::to_string(values.count), micros(values.p10), micros(values.p25), micros(values.p50),
       micros(values.p75), micros(values.p90), micros(values.p95), micros(values.p99),
       micros(values.max),
       fmt::format("{:.2f}", scale.Micros(values.total) / static_cast<double>(values.count)),
       fmt::format("{:.1f}", scale.Micros(values.total))});
  return out + table.Render(2);
}

// --- Part 5 -------------------------------------------------------------------------------------

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

std::string SchedulerPart(const Analysis& analysis) {
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

// --- Part 6 -------------------------------------------------------------------------------------

std::string BlameTable(const Analysis& analysis) {
  const CycleScale scale = analysis.scale();
  const overhead::Blame& blame = *analysis.blame;
  const CycleSpan makespan = analysis.critical_path->observed.makespan;
  TextTable table({{"Observed path", TextTable::Align::kLeft}, {"us"}, {"% of makespan"}});
  const auto add = [&](const char* name, CycleSpan span) {
    table.AddRow({name, fmt::format("{:.1f}", scale.Micros(span)), Percent(Share(span, makespan))});
  };
  add("compute", blame.compute);
  for (size_t i = 0; i < overhead::kBlameClassCount; ++i) {
    const auto blame_class = static_cast<overhead::BlameClass>(i);
    add(overhead::BlameClassName(blame_class), blame.Class(blame_class));
  }
  return table.Render(2);
}

std::string CriticalPathPart(const Analysis& analysis) {
  std::string out = Heading(6, "Critical path");
  const std::optional<PathAttribution>& path = analysis.overhead.path;
  const CycleScale scale = analysis.scale();
  if (!path) {
    out += Unavailable(WhyNoSweep(analysis));
  } else if (path->span <= 0) {
    out += Unavailable("the graph gives no path of positive length");
  } else {
    out += fmt::format("  Chain of latest producers: {} hops, span {:.1f} us\n", path->hops(),
                       scale.Micros(path->span));
    const auto line = [&](const char* name, CycleSpan span) {
      return fmt::format("    {:<22} {:>10.1f} us  ({:.1f}%)\n", name, scale.Micros(span),
                         Share(span, path->span));
    };
    out += line("compute (exec)", path->compute) + line("scheduler injected", path->scheduler) +
           line("other", path->other);
  }
  if (analysis.blame) out += '\n' + BlameTable(analysis);
  return out;
}

std::string WarningLines(const std::vector<capture::Warning>& warnings) {
  if (warnings.empty()) return {};
  std::string out = "\nWarnings\n" + std::string(kWidth, '-') + '\n';
  for (const capture::Warning& warning : warnings) {
    out += fmt::format("  {}: {}\n", warning.code, warning.text);
  }
  return out;
}

std::string SourceLines(const Analysis& analysis) {
  const Inputs& inputs = analysis.inputs;
  std::string out =
      fmt::format("\nPerf data:  {} (level {}", inputs.capture_name, analysis.capture().level);
  if (analysis.capture().runs.size() > 1) {
    out += fmt::format(", run {} of {}", inputs.run_index, analysis.capture().runs.size());
  }
  return out +
         fmt::format(")\nDeps JSON:  {}\n", inputs.graph != nullptr ? inputs.graph_name : "none");
}

}  // namespace

std::string ReportText(const Analysis& analysis) {
  const CycleScale scale = analysis.scale();
  std::string out;
  for (const std::string& sentence : analysis.verdict.sentences) out += sentence + '\n';
  out += SourceLines(analysis);
  out += OverheadPart(analysis);
  out += SwitchPart(analysis);
  out += DistributionPart(3, "Head (dispatch, or the core's previous end, to start; us)",
                          analysis.overhead.head, scale);
  out += DistributionPart(4, "Tail (end to finish; us)", analysis.overhead.tail, scale);
  out += SchedulerPart(analysis);
  out += CriticalPathPart(analysis);
  out += WarningLines(analysis.warnings);
  return out + '\n' + LedgerLine(analysis.ledger) + '\n';
}

}  // namespace simpler::report
