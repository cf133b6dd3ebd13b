#include "analysis/report/report_json.h"

#include <optional>

#include "analysis/report/common_json.h"
#include "analysis/report/json_writer.h"
#include "analysis/report/percent.h"

namespace simpler::report {
namespace {

using capture::CoreType;
using capture::CycleScale;
using capture::CycleSpan;
using overhead::Distribution;
using overhead::EngineSwitch;
using overhead::OverheadReport;
using overhead::OverheadSweep;
using overhead::PathAttribution;
using overhead::SchedulerBudget;

// A field of an optional struct of spans: µs, or absent with its struct.
template <typename Struct>
std::optional<double> Micros(const std::optional<Struct>& part, CycleSpan Struct::*field,
                             const CycleScale& scale) {
  if (!part) return std::nullopt;
  return scale.Micros((*part).*field);
}

std::optional<double> Micros(const std::optional<CycleSpan>& span, const CycleScale& scale) {
  if (!span) return std::nullopt;
  return scale.Micros(*span);
}

void WritePercentages(const OverheadPercent& percent, JsonWriter* json) {
  json->Member("aic_percent", percent.aic);
  json->Member("aiv_percent", percent.aiv);
  json->Member("all_percent", percent.all);
  json->Member("has_percent", percent.has);
  json->Member("union_percent", percent.united);
  json->Member("weighted_percent", percent.weighted);
}

void WriteOverhead(const Analysis& analysis, JsonWriter* json) {
  json->Key("overhead");
  json->BeginObject();
  WritePercentages(PercentOf(analysis, &OverheadSweep::headline), json);
  json->Member("unsubmitted_percent", UnsubmittedPercent(analysis));
  json->Key("placeable");
  json->BeginObject();
  WritePercentages(PercentOf(analysis, &OverheadSweep::placeable), json);
  json->EndObject();
  json->EndObject();
}

void WriteEngineSwitch(const std::optional<EngineSwitch>& engine, const CycleScale& scale,
                       JsonWriter* json) {
  json->BeginObject();
  json->Member("cores", engine ? std::optional(engine->cores) : std::nullopt);
  json->Member("events", engine ? std::optional(engine->events) : std::nullopt);
  json->Member("min_us", Micros(engine, &EngineSwitch::min, scale));
  json->Member("mean_us",
               engine ? std::optional(scale.Micros(engine->total) / engine->cores) : std::nullopt);
  json->Member("max_us", Micros(engine, &EngineSwitch::max, scale));
  json->Member("total_us", Micros(engine, &EngineSwitch::total, scale));
  json->Member("overhead_us", engine ? Micros(engine->overhead, scale) : std::nullopt);
  json->Member("independent_us", engine ? Micros(engine->independent, scale) : std::nullopt);
  json->EndObject();
}

void WriteSwitch(const OverheadReport& report, const CycleScale& scale, JsonWriter* json) {
  json->Key("switch");
  json->BeginObject();
  for (const CoreType type : {CoreType::kAic, CoreType::kAiv}) {
    json->Key(capture::CoreTypeName(type));
    WriteEngineSwitch(report.core_switch ? report.core_switch->engine[type] : std::nullopt, scale,
                      json);
  }
  json->Member("bound_lower_us",
               Micros(report.core_switch, &overhead::SwitchReport::bound_lower, scale));
  json->Member("bound_upper_us",
               Micros(report.core_switch, &overhead::SwitchReport::bound_upper, scale));
  json->EndObject();
}

void WriteDistribution(const char* key, const std::optional<Distribution>& distribution,
                       const CycleScale& scale, JsonWriter* json) {
  json->Key(key);
  json->BeginObject();
  json->Member("count", distribution ? std::optional(distribution->count) : std::nullopt);
  json->Member("mean_us", distribution ? std::optional(scale.Micros(distribution->total) /
                                                       static_cast<double>(distribution->count))
                                       : std::nullopt);
  json->Member("total_us", Micros(distribution, &Distribution::total, scale));
  json->Member("p10_us", Micros(distribution, &Distribution::p10, scale));
  json->Member("p25_us", Micros(distribution, &Distribution::p25, scale));
  json->Member("p50_us", Micros(distribution, &Distribution::p50, scale));
  json->Member("p75_us", Micros(distribution, &Distribution::p75, scale));
  json->Member("p90_us", Micros(distribution, &Distribution::p90, scale));
  json->Member("p95_us", Micros(distribution, &Distribution::p95, scale));
  json->Member("p99_us", Micros(distribution, &Distribution::p99, scale));
  json->Member("max_us", Micros(distribution, &Distribution::max, scale));
  json->EndObject();
}

void WriteThreads(const SchedulerBudget& budget, const CycleScale& scale, JsonWriter* json) {
  for (const overhead::SchedulerThread& thread : budget.threads) {
    json->BeginObject();
    json->Member("id", thread.id);
    json->Member("role", overhead::SchedulerRoleName(thread.role));
    json->Member("loops", thread.loops);
    json->Member("tasks", thread.tasks);
    json->Member("total_us", scale.Micros(thread.total()));
    json->Member("busy_us", scale.Micros(thread.busy));
    json->Member("idle_us", scale.Micros(thread.idle));
    json->EndObject();
  }
}

void WritePhases(const SchedulerBudget& budget, const CycleScale& scale, JsonWriter* json) {
  for (const overhead::PhaseTotal& phase : budget.phases) {
    json->BeginObject();
    json->Member("kind", capture::PhaseKindName(phase.kind));
    json->Member("records", phase.records);
    json->Member("total_us", scale.Micros(phase.total));
    json->EndObject();
  }
}

void WriteScheduler(const OverheadReport& report, const CycleScale& scale, JsonWriter* json) {
  const std::optional<SchedulerBudget>& budget = report.scheduler;
  json->Key("scheduler");
  json->BeginObject();
  json->Key("threads");
  json->BeginArray();
  if (budget) WriteThreads(*budget, scale, json);
  json->EndArray();
  json->Key("phases");
  json->BeginArray();
  if (budget) WritePhases(*budget, scale, json);
  json->EndArray();
  json->Member("nested_resolve_us", Micros(budget, &SchedulerBudget::nested_resolve, scale));
  json->Member("pop_hit", budget ? budget->pop_hit : std::nullopt);
  json->Member("pop_miss", budget ? budget->pop_miss : std::nullopt);
  const bool has_fanout = budget && budget->fanout;
  const bool has_fanin = budget && budget->fanin;
  json->Member("fanout_edges", has_fanout ? std::optional(budget->fanout->edges) : std::nullopt);
  json->Member("fanout_max", has_fanout ? std::optional(budget->fanout->max_degree) : std::nullopt);
  json->Member("fanin_edges", has_fanin ? std::optional(budget->fanin->edges) : std::nullopt);
  json->Member("fanin_max", has_fanin ? std::optional(budget->fanin->max_degree) : std::nullopt);
  json->Member("finishes", budget ? std::optional(budget->finishes) : std::nullopt);
  json->EndObject();
}

void WriteCriticalPath(const Analysis& analysis, JsonWriter* json) {
  const CycleScale scale = analysis.scale();
  const std::optional<PathAttribution>& path = analysis.overhead.path;
  json->Key("critical_path");
  json->BeginObject();
  json->Member("hops", path ? std::optional(path->hops()) : std::nullopt);
  json->Member("span_us", Micros(path, &PathAttribution::span, scale));
  json->Member("compute_us", Micros(path, &PathAttribution::compute, scale));
  json->Member("scheduler_us", Micros(path, &PathAttribution::scheduler, scale));
  json->Member("other_us", Micros(path, &PathAttribution::other, scale));
  WriteBlame(analysis, json);
  json->EndObject();
}

void WriteVerdict(const Analysis& analysis, JsonWriter* json) {
  json->Key("verdict");
  json->BeginObject();
  json->Member("class", overhead::VerdictClassName(analysis.verdict.verdict));
  json->Key("blame");
  analysis.verdict.blame ? json->Value(overhead::VerdictBlameName(*analysis.verdict.blame))
                         : json->Null();
  json->Key("sentences");
  json->BeginArray();
  for (const std::string& sentence : analysis.verdict.sentences) json->Value(sentence);
  json->EndArray();
  json->EndObject();

  json->Key("quality");
  json->BeginObject();
  json->Member("class", overhead::QualityClassName(analysis.quality.quality));
  json->Key("reasons");
  json->BeginArray();
  for (const std::string& reason : analysis.quality.reasons) json->Value(reason);
  json->EndArray();
  json->EndObject();
}

void WriteLedger(const Ledger& ledger, JsonWriter* json) {
  json->Key("ledger");
  json->BeginObject();
  json->Member("balanced", ledger.Balanced());
  json->Member("lost", ledger.lost_count());
  json->Key("entries");
  json->BeginArray();
  for (const LedgerEntry& entry : ledger.entries) {
    json->BeginObject();
    json->Member("lane", entry.lane);
    json->Member("kind", entry.kind);
    json->Member("produced", entry.produced);
    json->Member("stored", entry.stored);
    json->Key("lost");
    json->BeginObject();
    for (const Loss& loss : entry.lost) json->Member(loss.cause, loss.count);
    json->EndObject();
    json->EndObject();
  }
  json->EndArray();
  json->EndObject();
}

}  // namespace

std::string ReportJson(const Analysis& analysis) {
  const CycleScale scale = analysis.scale();
  const OverheadReport& report = analysis.overhead;
  JsonWriter json;
  json.BeginObject();
  json.Member("schema", "simpler.report/1");
  json.Member("level", analysis.capture().level);
  json.Member("run", analysis.inputs.run_index);
  json.Member("runs", analysis.capture().runs.size());
  json.Member("tasks", report.tasks);
  json.Member("rows", report.rows);
  json.Member("window_us",
              report.window ? std::optional(scale.Micros(report.window->length())) : std::nullopt);
  WriteVerdict(analysis, &json);
  WriteOverhead(analysis, &json);
  WriteSwitch(report, scale, &json);
  WriteDistribution("head", report.head, scale, &json);
  WriteDistribution("tail", report.tail, scale, &json);
  WriteScheduler(report, scale, &json);
  WriteCriticalPath(analysis, &json);
  WriteLedger(analysis.ledger, &json);
  WriteWarnings(analysis.warnings, &json);
  json.EndObject();
  return json.Take();
}

}  // namespace simpler::report
