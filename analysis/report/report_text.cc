#include "analysis/report/report_text.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "analysis/report/percent.h"
#include "analysis/report/scheduler_text.h"
#include "analysis/report/text_format.h"
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

constexpr CoreType kEngines[] = {CoreType::kAic, CoreType::kAiv};

const char* EngineTitle(CoreType type) { return type == CoreType::kAic ? "AIC" : "AIV"; }

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
  std::string out = "\nWarnings\n" + std::string(kTextWidth, '-') + '\n';
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
  out += SchedulerText(analysis);
  out += CriticalPathPart(analysis);
  out += WarningLines(analysis.warnings);
  return out + '\n' + LedgerLine(analysis.ledger) + '\n';
}

}  // namespace simpler::report
