#include "analysis/report/critical_path.h"

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

#include "analysis/overhead/kernel_family.h"
#include "analysis/report/common_json.h"
#include "analysis/report/csv_writer.h"
#include "analysis/report/json_writer.h"
#include "analysis/report/text_format.h"
#include "fmt/format.h"

namespace simpler::report {
namespace {

using capture::CycleScale;
using capture::CycleSpan;
using overhead::BlameClass;
using overhead::BlameClassName;
using overhead::CriticalPath;
using overhead::kBlameClassCount;
using overhead::KernelFamilyShare;
using overhead::kStallCauseCount;
using overhead::ObservedPath;
using overhead::PathTask;
using overhead::StallCause;
using overhead::StallCauseName;

// "data_wait" -> "data-wait".
std::string Hyphenated(std::string name) {
  std::replace(name.begin(), name.end(), '_', '-');
  return name;
}

struct NamedSpan {
  std::string name;
  CycleSpan span;
};

// Spans above zero, largest first; equal ones in their given order.
std::vector<NamedSpan> LargestFirst(std::vector<NamedSpan> spans) {
  std::erase_if(spans, [](const NamedSpan& named) { return named.span <= 0; });
  std::stable_sort(spans.begin(), spans.end(),
                   [](const NamedSpan& a, const NamedSpan& b) { return a.span > b.span; });
  return spans;
}

std::vector<NamedSpan> StallsByCause(const ObservedPath& path) {
  std::vector<NamedSpan> spans;
  for (size_t i = 0; i < kStallCauseCount; ++i) {
    spans.push_back({Hyphenated(StallCauseName(static_cast<StallCause>(i))), path.by_cause[i]});
  }
  return LargestFirst(std::move(spans));
}

std::vector<NamedSpan> StallsByBlame(const overhead::BlameSpans& classes) {
  std::vector<NamedSpan> spans;
  for (size_t i = 0; i < kBlameClassCount; ++i) {
    spans.push_back({Hyphenated(BlameClassName(static_cast<BlameClass>(i))), classes[i]});
  }
  return LargestFirst(std::move(spans));
}

std::string PathTaskName(const PathTask& task, const Analysis& analysis) {
  const auto node = analysis.nodes->node_of_task[task.task];
  const bool known = node != capture::DependencyGraph::kNoNode;
  return overhead::KernelName(known ? &analysis.inputs.graph->nodes()[node] : nullptr,
                              analysis.inputs.names);
}

std::string StallLines(const std::vector<NamedSpan>& spans, const CycleScale& scale,
                       CycleSpan makespan) {
  std::string out;
  for (const NamedSpan& named : spans) {
    out += fmt::format("    - {}: {:.3f} ms ({:.1f}%)\n", named.name,
                       scale.Micros(named.span) / 1e3, Share(named.span, makespan));
  }
  return out;
}

// A kernel's name as a cell of a Markdown table.
std::string Cell(const std::string& name) {
  std::string cell;
  for (const char c : name) {
    if (c == '|') cell += '\\';
    cell += c == '\n' ? ' ' : c;
  }
  return cell;
}

std::string FamilyTable(const Analysis& analysis, size_t top) {
  const CycleScale scale = analysis.scale();
  const ObservedPath& path = analysis.critical_path->observed;
  std::string out =
      "| kernel family | compute ms | % makespan | stall ms | # on path |\n"
      "|---|---:|---:|---:|---:|\n";
  const std::vector<KernelFamilyShare>& families = analysis.families;
  for (size_t i = 0; i < families.size() && i < top; ++i) {
    const KernelFamilyShare& family = families[i];
    out += fmt::format("| {} | {:.3f} | {:.1f}% | {:.3f} | {} |\n", Cell(family.family),
                       scale.Micros(family.compute) / 1e3, Share(family.compute, path.makespan),
                       scale.Micros(family.stall) / 1e3, family.tasks);
  }
  if (families.size() > top) out += fmt::format("\n{} more families\n", families.size() - top);
  return out;
}

std::string TaskTable(const Analysis& analysis) {
  const CycleScale scale = analysis.scale();
  const ObservedPath& path = analysis.critical_path->observed;
  std::string out =
      "| # | kernel | task us | compute us (%mk) | stall us (%mk) | stall kind | blame |\n"
      "|---:|---|---:|---:|---:|---|---|\n";
  for (size_t i = 0; i < path.tasks.size(); ++i) {
    const PathTask& task = path.tasks[i];
    const std::string cause =
        task.stall > 0 && task.cause ? Hyphenated(StallCauseName(*task.cause)) : "";
    std::vector<std::string> blame;
    if (analysis.blame) {
      for (const NamedSpan& named : StallsByBlame(analysis.blame->by_task[i])) {
        blame.push_back(fmt::format("{} {:.1f}", named.name, scale.Micros(named.span)));
      }
    }
    out += fmt::format("| {} | {} | {:.1f} | {:.1f} ({:.2f}%) | {:.1f} ({:.2f}%) | {} | {} |\n", i,
                       Cell(PathTaskName(task, analysis)), scale.Micros(task.end - task.start),
                       scale.Micros(task.compute), Share(task.compute, path.makespan),
                       scale.Micros(task.stall), Share(task.stall, path.makespan), cause,
                       fmt::join(blame, ", "));
  }
  return out;
}

void WritePathTask(const PathTask& task, const Analysis& analysis, JsonWriter* json) {
  const CycleScale scale = analysis.scale();
  json->BeginObject();
  json->Key("id");
  json->Id(task.id);
  json->Member("name", PathTaskName(task, analysis));
  json->Member("start_us", scale.Micros(task.start - analysis.origin));
  json->Member("end_us", scale.Micros(task.end - analysis.origin));
  json->Member("compute_us", scale.Micros(task.compute));
  json->Member("stall_us", scale.Micros(task.stall));
  if (task.cause) {
    json->Member("cause", StallCauseName(*task.cause));
  } else {
    json->NullMember("cause");
  }
  json->EndObject();
}

void WritePathTasks(const std::vector<PathTask>& tasks, const Analysis& analysis,
                    JsonWriter* json) {
  json->Key("tasks");
  json->BeginArray();
  for (const PathTask& task : tasks) WritePathTask(task, analysis, json);
  json->EndArray();
}

}  // namespace

absl::Status CheckHasPath(const Analysis& analysis) {
  if (analysis.critical_path) return absl::OkStatus();
  if (analysis.inputs.graph == nullptr) {
    return absl::FailedPreconditionError(
        fmt::format("{}: a critical path needs the task graph, and there is no deps.json beside "
                    "the records; re-run dep_gen and pass --deps",
                    analysis.inputs.capture_name));
  }
  return absl::FailedPreconditionError(
      fmt::format("{}: run {} holds no AICore rows, so there is no path; record the run again",
                  analysis.inputs.capture_name, analysis.inputs.run_index));
}

std::string CriticalPathText(const Analysis& analysis, const CriticalPathTextOptions& options) {
  const CycleScale scale = analysis.scale();
  const CriticalPath& path = *analysis.critical_path;
  const ObservedPath& observed = path.observed;
  const CycleSpan makespan = observed.makespan;
  const auto millis = [&](CycleSpan span) { return scale.Micros(span) / 1e3; };

  std::string out = fmt::format("# Critical path of `{}`\n\n", options.label);
  out +=
      "- **static path**: the longest chain of dependent kernels; no number of cores is faster.\n"
      "- **observed path**: what held this run up. The compute of its tasks and the stalls before\n"
      "  them add up to the makespan.\n"
      "- **stall kinds**: `data-wait` for a producer's end, `core-wait` for the core's previous\n"
      "  kernel, `front-gap` before the first task.\n\n";
  out += fmt::format("- tasks: {} | happens-before edges: {}\n", analysis.tasks.size(),
                     path.kept_edges);
  out += fmt::format("- **makespan**: {:.3f} ms\n", millis(makespan));
  out += fmt::format("- **static path**: {:.3f} ms ({:.1f}% of makespan) over {} tasks\n",
                     millis(path.static_path.length), Share(path.static_path.length, makespan),
                     path.static_path.tasks.size());
  out += fmt::format("- **observed path**: {} tasks\n", observed.tasks.size());
  out += fmt::format("  - compute: {:.3f} ms ({:.1f}%)\n", millis(observed.compute),
                     Share(observed.compute, makespan));
  out += fmt::format("  - stall: {:.3f} ms ({:.1f}%)\n", millis(observed.stall),
                     Share(observed.stall, makespan));
  out += StallLines(StallsByCause(observed), scale, makespan);
  if (analysis.blame) {
    out += "  - blame:\n" + StallLines(StallsByBlame(analysis.blame->classes), scale, makespan);
  }
  const CycleSpan sum = observed.compute + observed.stall;
  out += fmt::format("  - tiling check: compute + stall = {} cycles, makespan {} cycles ({})\n",
                     sum, makespan, sum == makespan ? "exact" : "MISMATCH");
  out += "\n## Observed path by kernel family\n\n" + FamilyTable(analysis, options.top_families);
  out += fmt::format("\n## Observed path, all {} tasks\n\n", observed.tasks.size());
  return out + TaskTable(analysis);
}

std::string CriticalPathSummary(const Analysis& analysis, const std::string& label) {
  const CycleScale scale = analysis.scale();
  const CriticalPath& path = *analysis.critical_path;
  const ObservedPath& observed = path.observed;
  std::vector<std::string> causes;
  for (const NamedSpan& named : StallsByCause(observed)) {
    causes.push_back(fmt::format("{} {:.1f}%", named.name, Share(named.span, observed.makespan)));
  }
  std::string line = fmt::format(
      "[{}] makespan={:.3f}ms  CPM={:.2f}ms({:.0f}%)  compute={:.1f}%  stall={:.1f}%", label,
      scale.Micros(observed.makespan) / 1e3, scale.Micros(path.static_path.length) / 1e3,
      Share(path.static_path.length, observed.makespan), Share(observed.compute, observed.makespan),
      Share(observed.stall, observed.makespan));
  if (!causes.empty()) line += fmt::format(" ({})", fmt::join(causes, ", "));
  return line;
}

std::string CriticalPathJson(const Analysis& analysis) {
  const CycleScale scale = analysis.scale();
  const CriticalPath& path = *analysis.critical_path;
  JsonWriter json;
  json.BeginObject();
  json.Member("schema", "simpler.critical-path/1");
  json.Member("kept_edges", path.kept_edges);
  json.Key("static");
  json.BeginObject();
  json.Member("length_us", scale.Micros(path.static_path.length));
  WritePathTasks(path.static_path.tasks, analysis, &json);
  json.EndObject();
  json.Key("observed");
  json.BeginObject();
  json.Member("makespan_us", scale.Micros(path.observed.makespan));
  json.Member("compute_us", scale.Micros(path.observed.compute));
  json.Member("stall_us", scale.Micros(path.observed.stall));
  json.Key("by_cause");
  json.BeginObject();
  for (size_t i = 0; i < kStallCauseCount; ++i) {
    json.Member(fmt::format("{}_us", StallCauseName(static_cast<StallCause>(i))),
                scale.Micros(path.observed.by_cause[i]));
  }
  json.EndObject();
  WriteBlame(analysis, &json);
  WritePathTasks(path.observed.tasks, analysis, &json);
  json.EndObject();
  WriteWarnings(analysis.warnings, &json);
  json.EndObject();
  return json.Take();
}

std::string CriticalPathCsv(const Analysis& analysis) {
  const CycleScale scale = analysis.scale();
  std::string out =
      CsvLine({"id", "name", "start_us", "end_us", "compute_us", "stall_us", "cause"});
  for (const PathTask& task : analysis.critical_path->observed.tasks) {
    out += CsvLine({std::to_string(task.id), PathTaskName(task, analysis),
                    CsvNumber(scale.Micros(task.start - analysis.origin)),
                    CsvNumber(scale.Micros(task.end - analysis.origin)),
                    CsvNumber(scale.Micros(task.compute)), CsvNumber(scale.Micros(task.stall)),
                    task.cause ? StallCauseName(*task.cause) : ""});
  }
  return out;
}

}  // namespace simpler::report
