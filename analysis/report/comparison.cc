#include "analysis/report/comparison.h"

#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "analysis/capture/labels.h"
#include "analysis/report/csv_writer.h"
#include "analysis/report/json_writer.h"
#include "analysis/report/percent.h"
#include "analysis/report/text_table.h"
#include "fmt/format.h"

namespace simpler::report {
namespace {

using overhead::OverheadSweep;

// A figure of both runs. `key` is its path in the report's JSON.
struct Figure {
  std::string key;
  std::optional<double> before, after;

  std::optional<double> change() const {
    if (!before || !after) return std::nullopt;
    return *after - *before;
  }
  bool known() const { return before || after; }
};

using Values = std::vector<std::pair<std::string, std::optional<double>>>;

void AddPercentages(const std::string& prefix, const OverheadPercent& percent, Values* values) {
  values->emplace_back(prefix + "aic_percent", percent.aic);
  values->emplace_back(prefix + "aiv_percent", percent.aiv);
  values->emplace_back(prefix + "all_percent", percent.all);
  values->emplace_back(prefix + "has_percent", percent.has);
  values->emplace_back(prefix + "union_percent", percent.united);
  values->emplace_back(prefix + "weighted_percent", percent.weighted);
}

void AddDistribution(const std::string& prefix,
                     const std::optional<overhead::Distribution>& distribution,
                     const capture::CycleScale& scale, Values* values) {
  std::optional<double> mean, p50, p99;
  if (distribution) {
    mean = scale.Micros(distribution->total) / static_cast<double>(distribution->count);
    p50 = scale.Micros(distribution->p50);
    p99 = scale.Micros(distribution->p99);
  }
  values->emplace_back(prefix + "mean_us", mean);
  values->emplace_back(prefix + "p50_us", p50);
  values->emplace_back(prefix + "p99_us", p99);
}

void AddBlame(const Analysis& analysis, Values* values) {
  const capture::CycleScale scale = analysis.scale();
  const overhead::Blame blame = analysis.blame.value_or(overhead::Blame{});
  const auto add = [&](const std::string& name, capture::CycleSpan span) {
    values->emplace_back(fmt::format("critical_path.blame.{}_us", name),
                         analysis.blame ? std::optional(scale.Micros(span)) : std::nullopt);
  };
  add("compute", blame.compute);
  for (size_t i = 0; i < overhead::kBlameClassCount; ++i) {
    const auto blame_class = static_cast<overhead::BlameClass>(i);
    add(overhead::BlameClassName(blame_class), blame.Class(blame_class));
  }
}

// The figures that a comparison shows, in its order. The same keys for every analysis.
Values HeadlineValues(const Analysis& analysis) {
  const capture::CycleScale scale = analysis.scale();
  const overhead::OverheadReport& report = analysis.overhead;
  Values values;
  values.emplace_back("tasks", static_cast<double>(report.tasks));
  values.emplace_back("rows", static_cast<double>(report.rows));
  values.emplace_back("window_us", report.window
                                       ? std::optional(scale.Micros(report.window->length()))
                                       : std::nullopt);
  AddPercentages("overhead.", PercentOf(analysis, &OverheadSweep::headline), &values);
  values.emplace_back("overhead.unsubmitted_percent", UnsubmittedPercent(analysis));
  AddPercentages("overhead.placeable.", PercentOf(analysis, &OverheadSweep::placeable), &values);
  AddDistribution("head.", report.head, scale, &values);
  AddDistribution("tail.", report.tail, scale, &values);
  AddBlame(analysis, &values);
  return values;
}

std::vector<Figure> HeadlineFigures(const Analysis& after, const Analysis& before) {
  const Values after_values = HeadlineValues(after);
  const Values before_values = HeadlineValues(before);
  std::vector<Figure> figures;
  for (size_t i = 0; i < after_values.size(); ++i) {
    figures.push_back({after_values[i].first, before_values[i].second, after_values[i].second});
  }
  return figures;
}

struct FunctionFigures {
  int32_t func_id;
  std::string name;
  Figure mean_exec;
};

std::vector<FunctionFigures> FunctionsByMeanExec(const Analysis& after, const Analysis& before) {
  std::map<int32_t, FunctionFigures> functions;
  const auto collect = [&](const Analysis& analysis, std::optional<double> Figure::*side) {
    for (const overhead::FunctionStats& stats : analysis.functions.functions) {
      FunctionFigures& entry = functions[stats.func_id];
      entry.func_id = stats.func_id;
      entry.name = stats.func_id < 0 ? "unknown"
                                     : capture::FunctionName(stats.func_id, analysis.inputs.names);
      entry.mean_exec.*side = stats.exec.MeanMicros(analysis.scale());
    }
  };
  collect(before, &Figure::before);
  collect(after, &Figure::after);
  std::vector<FunctionFigures> sorted;
  sorted.reserve(functions.size());
  for (auto& [id, entry] : functions) sorted.push_back(std::move(entry));
  return sorted;
}

std::string Fixed(const std::optional<double>& value, const char* format = "{:.2f}") {
  return value ? fmt::format(fmt::runtime(format), *value) : "-";
}

std::string RelativeChange(const Figure& figure) {
  if (!figure.change() || *figure.before == 0) return "-";
  return fmt::format("{:+.1f} %", 100.0 * *figure.change() / *figure.before);
}

void WriteFigure(const Figure& figure, JsonWriter* json) {
  json->Member("before", figure.before);
  json->Member("after", figure.after);
  json->Member("change", figure.change());
}

void WriteVerdict(const char* key, const Analysis& analysis, JsonWriter* json) {
  json->Key(key);
  json->BeginObject();
  json->Member("class", overhead::VerdictClassName(analysis.verdict.verdict));
  json->Key("blame");
  analysis.verdict.blame ? json->Value(overhead::VerdictBlameName(*analysis.verdict.blame))
                         : json->Null();
  json->EndObject();
}

}  // namespace

std::string ComparisonText(const Analysis& after, const Analysis& before) {
  std::string out = fmt::format("before  {}\n        {}\nafter   {}\n        {}\n\n",
                                before.inputs.capture_name, before.verdict.sentences[0],
                                after.inputs.capture_name, after.verdict.sentences[0]);
  TextTable figures(
      {{"Figure", TextTable::Align::kLeft}, {"before"}, {"after"}, {"change"}, {"relative"}});
  for (const Figure& figure : HeadlineFigures(after, before)) {
    if (!figure.known()) continue;
    figures.AddRow({figure.key, Fixed(figure.before), Fixed(figure.after),
                    Fixed(figure.change(), "{:+.2f}"), RelativeChange(figure)});
  }
  TextTable functions(
      {{"Mean exec us", TextTable::Align::kLeft}, {"before"}, {"after"}, {"change"}, {"relative"}});
  for (const FunctionFigures& function : FunctionsByMeanExec(after, before)) {
    const Figure& mean = function.mean_exec;
    functions.AddRow({fmt::format("{} ({})", function.name, function.func_id), Fixed(mean.before),
                      Fixed(mean.after), Fixed(mean.change(), "{:+.2f}"), RelativeChange(mean)});
  }
  return out + figures.Render(2) + '\n' + functions.Render(2);
}

std::string ComparisonJson(const Analysis& after, const Analysis& before) {
  JsonWriter json;
  json.BeginObject();
  json.Member("schema", "simpler.comparison/1");
  WriteVerdict("before", before, &json);
  WriteVerdict("after", after, &json);
  json.Key("figures");
  json.BeginArray();
  for (const Figure& figure : HeadlineFigures(after, before)) {
    json.BeginObject();
    json.Member("key", figure.key);
    WriteFigure(figure, &json);
    json.EndObject();
  }
  json.EndArray();
  json.Key("functions");
  json.BeginArray();
  for (const FunctionFigures& function : FunctionsByMeanExec(after, before)) {
    json.BeginObject();
    json.Member("func_id", function.func_id);
    json.Member("name", function.name);
    json.Key("avg_exec_us");
    json.BeginObject();
    WriteFigure(function.mean_exec, &json);
    json.EndObject();
    json.EndObject();
  }
  json.EndArray();
  json.EndObject();
  return json.Take();
}

std::string ComparisonCsv(const Analysis& after, const Analysis& before) {
  std::string out = CsvLine({"figure", "before", "after", "change"});
  const auto number = [](const std::optional<double>& value) {
    return value ? CsvNumber(*value) : std::string();
  };
  for (const Figure& figure : HeadlineFigures(after, before)) {
    out +=
        CsvLine({figure.key, number(figure.before), number(figure.after), number(figure.change())});
  }
  return out;
}

}  // namespace simpler::report
