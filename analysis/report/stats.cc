#include "analysis/report/stats.h"

#include <optional>
#include <utility>
#include <vector>

#include "analysis/capture/labels.h"
#include "analysis/report/common_json.h"
#include "analysis/report/csv_writer.h"
#include "analysis/report/json_writer.h"
#include "analysis/report/text_table.h"
#include "fmt/format.h"

namespace simpler::report {
namespace {

using overhead::FunctionStats;
using overhead::SpanSum;

// The averaged columns, in the order of every output.
struct MeanColumn {
  const char* key;
  const char* title;
  SpanSum FunctionStats::*sum;
};
constexpr MeanColumn kMeans[] = {
    {"avg_exec_us", "Exec", &FunctionStats::exec},
    {"avg_latency_us", "Latency", &FunctionStats::latency},
    {"avg_head_us", "Head", &FunctionStats::head},
    {"avg_tail_us", "Tail", &FunctionStats::tail},
    {"avg_propagation_us", "Prop", &FunctionStats::propagation},
    {"avg_local_us", "Local", &FunctionStats::local},
};

std::optional<double> MeanMicros(const SpanSum& sum, const capture::CycleScale& scale) {
  if (!sum.present()) return std::nullopt;
  return sum.MeanMicros(scale);
}

std::optional<double> TotalMicros(const SpanSum& sum, const capture::CycleScale& scale) {
  if (!sum.present()) return std::nullopt;
  return scale.Micros(sum.total);
}

std::optional<double> SpanMicros(const std::optional<capture::CycleSpan>& span,
                                 const capture::CycleScale& scale) {
  if (!span) return std::nullopt;
  return scale.Micros(*span);
}

std::string NameOf(const FunctionStats& stats, const Analysis& analysis) {
  return stats.func_id < 0 ? "unknown"
                           : capture::FunctionName(stats.func_id, analysis.inputs.names);
}

std::string Fixed(const std::optional<double>& value, int decimals) {
  return value ? fmt::format("{:.{}f}", *value, decimals) : "-";
}

std::vector<std::string> TableRow(const FunctionStats& stats, std::string id, std::string name,
                                  const capture::CycleScale& scale) {
  std::vector<std::string> cells = {std::move(id), std::move(name), std::to_string(stats.count)};
  for (const MeanColumn& column : kMeans) {
    cells.push_back(Fixed(MeanMicros(stats.*column.sum, scale), 2));
  }
  const std::optional<double> exec_percent = overhead::ExecPercent(stats);
  cells.push_back(exec_percent ? fmt::format("{:.1f} %", *exec_percent) : "-");
  cells.push_back(Fixed(TotalMicros(stats.exec, scale), 2));
  return cells;
}

}  // namespace

std::string StatsText(const Analysis& analysis) {
  const capture::CycleScale scale = analysis.scale();
  std::vector<TextTable::Column> columns = {
      {"Id"}, {"Function", TextTable::Align::kLeft}, {"Rows"}};
  for (const MeanColumn& column : kMeans) columns.push_back({column.title});
  columns.push_back({"Exec/Latency"});
  columns.push_back({"Total exec"});
  TextTable table(std::move(columns));
  for (const FunctionStats& stats : analysis.functions.functions) {
    table.AddRow(TableRow(stats, std::to_string(stats.func_id), NameOf(stats, analysis), scale));
  }
  table.AddRule();
  table.AddRow(TableRow(analysis.functions.total, "", "all", scale));

  std::string out = "Per function, mean us over its AICore rows\n\n" + table.Render(2) + "\n";
  if (analysis.functions.scheduled_span) {
    out += fmt::format("  First dispatch to last finish: {:.2f} us\n",
                       scale.Micros(*analysis.functions.scheduled_span));
  }
  if (analysis.functions.aicore_span) {
    out += fmt::format("  First receive to last end:     {:.2f} us\n",
                       scale.Micros(*analysis.functions.aicore_span));
  }
  out +=
      "\n  Latency = dispatch to finish = head (dispatch to start) + exec + tail (end to finish).\n"
      "  Head = propagation (dispatch to receive) + local (receive to start).\n";
  return out;
}

std::string StatsJson(const Analysis& analysis) {
  const capture::CycleScale scale = analysis.scale();
  const overhead::FunctionTable& functions = analysis.functions;
  JsonWriter json;
  json.BeginObject();
  json.Member("schema", "simpler.stats/1");
  json.Key("functions");
  json.BeginArray();
  for (const FunctionStats& stats : functions.functions) {
    json.BeginObject();
    json.Member("func_id", stats.func_id);
    json.Member("name", NameOf(stats, analysis));
    json.Member("count", stats.count);
    for (const MeanColumn& column : kMeans) {
      json.Member(column.key, MeanMicros(stats.*column.sum, scale));
    }
    json.Member("exec_percent", overhead::ExecPercent(stats));
    json.Member("exec_us", TotalMicros(stats.exec, scale));
    json.EndObject();
  }
  json.EndArray();
  json.Key("total");
  json.BeginObject();
  json.Member("count", functions.total.count);
  json.Member("exec_us", TotalMicros(functions.total.exec, scale));
  json.Member("latency_us", TotalMicros(functions.total.latency, scale));
  json.EndObject();
  json.Member("scheduled_span_us", SpanMicros(functions.scheduled_span, scale));
  json.Member("aicore_span_us", SpanMicros(functions.aicore_span, scale));
  WriteWarnings(analysis.warnings, &json);
  json.EndObject();
  return json.Take();
}

std::string StatsCsv(const Analysis& analysis) {
  const capture::CycleScale scale = analysis.scale();
  std::vector<std::string> header = {"func_id", "name", "count"};
  for (const MeanColumn& column : kMeans) header.emplace_back(column.key);
  std::string out = CsvLine(header);
  for (const FunctionStats& stats : analysis.functions.functions) {
    std::vector<std::string> fields = {std::to_string(stats.func_id), NameOf(stats, analysis),
                                       std::to_string(stats.count)};
    for (const MeanColumn& column : kMeans) {
      const std::optional<double> mean = MeanMicros(stats.*column.sum, scale);
      fields.push_back(mean ? CsvNumber(*mean) : "");
    }
    out += CsvLine(fields);
  }
  return out;
}

}  // namespace simpler::report
