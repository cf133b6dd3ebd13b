#include "analysis/overhead/verdict_sentences.h"

#include <algorithm>
#include <map>
#include <optional>

#include "analysis/overhead/counted.h"
#include "analysis/overhead/cycle_sum.h"
#include "fmt/format.h"

namespace simpler::overhead {
namespace {

using capture::CoreType;
using capture::CycleSpan;
using capture::DependencyGraph;

// Below this share a figure does not limit a run: the lower threshold of the verdict's classes.
constexpr double kNotablePercent = 8.0;

constexpr CoreType kEngines[] = {CoreType::kAic, CoreType::kAiv};

const char* EngineLabel(CoreType type) { return type == CoreType::kAic ? "AIC" : "AIV"; }

class Writer {
 public:
  Writer(const VerdictInputs& inputs, const Verdict& verdict)
      : inputs_(inputs),
        report_(*inputs.report),
        verdict_(verdict),
        scale_(inputs.inputs->rows->capture().scale()),
        window_(report_.window ? report_.window->length() : 0) {}

  std::string Who() const {
    std::string sentence;
    if (inputs_.quality->quality == QualityClass::kInvalid) {
      sentence = fmt::format("INVALID capture ({}): ", inputs_.quality->reasons.front());
    }
    return sentence + Bottleneck();
  }

  std::string HowMuch() const {
    if (!report_.window) return "No kernel execution was recorded.";
    std::string sentence = verdict_.blame ? EngineShares() : Utilisation();
    if (inputs_.path != nullptr) sentence += "; " + PathShares();
    return sentence + ".";
  }

  std::string WhereToLook() const {
    if (!verdict_.blame) return Remedy();
    switch (*verdict_.blame) {
      case VerdictBlame::kHost:
        return LookAtOrchestrator();
      case VerdictBlame::kScheduler:
        return LookAtScheduler();
      case VerdictBlame::kDependencies:
        break;
    }
    return LookAtPath();
  }

 private:
  std::string Percent(CycleSpan part, CycleSpan whole) const {
    return whole == 0 ? "0.0 %"
                      : fmt::format("{:.1f} %",
                                    100.0 * static_cast<double>(part) / static_cast<double>(whole));
  }
  std::string Share(CycleSpan part) const { return Percent(part, window_); }
  std::string Micros(CycleSpan span) const { return fmt::format("{:.1f} us", scale_.Micros(span)); }
  std::string MicrosAndShare(CycleSpan span) const {
    return fmt::format("{} ({})", Micros(span), Share(span));
  }

  bool IsNotable(CycleSpan part) const {
    return 100.0 * static_cast<double>(part) >= kNotablePercent * static_cast<double>(window_);
  }

  std::string Bottleneck() const {
    if (!verdict_.blame) return "The bottleneck is unknown: " + WhyUnknown() + ".";
    switch (*verdict_.blame) {
      case VerdictBlame::kHost:
        return LateSubmission();
      case VerdictBlame::kScheduler:
        return NothingPlaceable() ? HeadlineOnly() : SchedulerInTheWay();
      case VerdictBlame::kDependencies:
        break;
    }
    return KernelsAndDependencies();
  }

  std::string LateSubmission() const {
    return fmt::format(
        "Late submission is the main cause of waiting: in {} of the {} makespan a core was free "
        "and no ready task it could take had been submitted by the orchestrator.",
        Share(*report_.sweep->unsubmitted), Micros(window_));
  }

  std::string SchedulerInTheWay() const {
    const bool bound = verdict_.verdict == VerdictClass::kSchedulerBound;
    return fmt::format(
        "The scheduler {} the bottleneck: in {} of the {} makespan every engine with ready work "
        "also had a free core.",
        bound ? "is" : "is part of", Share(report_.sweep->headline.has), Micros(window_));
  }

  // The headline reads overhead, yet hardly anything could have been placed.
  bool NothingPlaceable() const { return !IsNotable(report_.sweep->placeable.has); }

  std::string HeadlineOnly() const {
    return fmt::format(
        "The headline blames the scheduler for {} of the {} makespan, but in only {} of it could "
        "work have been placed: cores already held a dispatched row, or producers that need no "
        "core were not yet retired.",
        Share(report_.sweep->headline.has), Micros(window_), Share(report_.sweep->placeable.has));
  }

  std::string KernelsAndDependencies() const {
    // A saturated engine with queued work hides from `has` that another one starves.
    const CycleSpan united = report_.sweep->headline.united;
    const std::string hidden =
        IsNotable(united)
            ? fmt::format(", but in {} one engine starved beside a saturated one", Share(united))
            : "";
    return fmt::format(
        "Kernels and their dependencies, not the scheduler, set the makespan of {}: in only {} of "
        "it did every engine with ready work also have a free core{}.",
        Micros(window_), Share(report_.sweep->headline.has), hidden);
  }

  std::string WhyUnknown() const {
    if (!report_.window) return "the run has no AICore rows";
    if (report_.health.rows_with_scheduler == 0) {
      return fmt::format("no dispatch stamps were recorded (level {})",
                         inputs_.inputs->rows->capture().level);
    }
    if (inputs_.inputs->graph == nullptr) return "there is no dependency graph";
    if (window_ == 0) return "the makespan is empty";
    return fmt::format("only {:.0f} % of the tasks are in the dependency graph",
                       KnownTasksPercent(*inputs_.inputs));
  }

  std::string Remedy() const {
    if (!report_.window) return "Capture a run that executes kernels.";
    if (report_.health.rows_with_scheduler == 0) {
      return "Capture at level 2 or higher to see waiting, at level 3 to see the scheduler.";
    }
    if (inputs_.inputs->graph == nullptr) {
      return "Record deps.json in a separate dependency-generation run and pass it.";
    }
    if (window_ == 0) return "Check the capture's start and end stamps.";
    return "Pass the deps.json of this case; nodes of a replayed graph run under ids it lacks.";
  }

  std::string EngineShares(const OverheadFigures& figures) const {
    std::string text;
    for (CoreType type : kEngines) {
      if (!figures.engine[type]) continue;
      text += fmt::format("{}{} {}", text.empty() ? "" : ", ", EngineLabel(type),
                          Share(*figures.engine[type]));
    }
    return text;
  }

  std::string EngineShares() const {
    const std::string headline = EngineShares(report_.sweep->headline);
    const std::string placeable = EngineShares(report_.sweep->placeable);
    return "A free core stood beside ready work for " + headline +
           (placeable == headline ? "" : " (placeable: " + placeable + ")");
  }

  // Share of core time spent executing; needs neither dispatch stamps nor a graph.
  std::string Utilisation() const {
    PerEngine<CycleSpan> busy;
    for (const CoreRows::Core& core : inputs_.inputs->core_rows.cores()) {
      if (core.type == CoreType::kNone) continue;
      for (const CoreRow& row : core.rows) {
        busy[core.type] = AddSaturated(busy[core.type], row.end - row.start);
      }
    }
    std::string text;
    for (CoreType type : kEngines) {
      const int cores = inputs_.inputs->core_rows.CountOf(type);
      if (cores == 0) continue;
      const double available = static_cast<double>(window_) * cores;
      const double percent =
          available > 0 ? 100.0 * static_cast<double>(busy[type]) / available : 0;
      text += fmt::format(
          "{}{} executed {:.1f} % of the time", text.empty() ? "; " : ", ",
          Counted(static_cast<uint64_t>(cores), type == CoreType::kAic ? "AIC core" : "AIV core"),
          percent);
    }
    return fmt::format("{} took {}{}", Counted(report_.tasks, "task"), Micros(window_), text);
  }

  // The path's parts that a faster scheduler would shorten.
  CycleSpan SchedulerOnPath() const {
    return inputs_.blame->Class(BlameClass::kPickup) +
           inputs_.blame->Class(BlameClass::kDetection) +
           inputs_.blame->Class(BlameClass::kDispatchLatency);
  }

  std::string PathShares() const {
    const ObservedPath& observed = inputs_.path->observed;
    if (inputs_.blame == nullptr) {
      return fmt::format("the observed critical path executes {} and stalls {}",
                         MicrosAndShare(observed.compute), MicrosAndShare(observed.stall));
    }
    return fmt::format(
        "the observed critical path executes {}; pickup, detection and dispatch latency cost it {}",
        MicrosAndShare(inputs_.blame->compute), MicrosAndShare(SchedulerOnPath()));
  }

  std::string LookAtOrchestrator() const {
    const OverheadSweep& sweep = *report_.sweep;
    return fmt::format(
        "Look at the orchestrator: {} of the {} in which some engine starved end when a submission "
        "does; submit tasks earlier or make submission cheaper.",
        Micros(*sweep.unsubmitted), Micros(sweep.headline.united));
  }

  CoreType WorstEngine() const {
    const OverheadFigures& figures = report_.sweep->headline;
    const CycleSpan aic = figures.engine[CoreType::kAic].value_or(-1);
    return figures.engine[CoreType::kAiv].value_or(-1) > aic ? CoreType::kAiv : CoreType::kAic;
  }

  std::string LookAtScheduler() const {
    if (NothingPlaceable() && inputs_.path != nullptr) return LookAtPath();
    const CoreType worst = WorstEngine();
    std::string text = fmt::format("Look at dispatch to {} ({} overhead)", EngineLabel(worst),
                                   Share(*report_.sweep->headline.engine[worst]));
    if (inputs_.blame != nullptr) text += ", the critical path loses most to " + LargestStall();
    return text + "; " + BusiestThread() + ".";
  }

  std::string LookAtStalls() const {
    return fmt::format("Look at what the critical path waits for, most of it {}; {}.",
                       LargestStall(), BusiestThread());
  }

  std::string LargestStall() const {
    size_t largest = 0;
    for (size_t i = 1; i < kBlameClassCount; ++i) {
      if (inputs_.blame->classes[i] > inputs_.blame->classes[largest]) largest = i;
    }
    return fmt::format("{}, {}", BlameClassName(static_cast<BlameClass>(largest)),
                       MicrosAndShare(inputs_.blame->classes[largest]));
  }

  std::string BusiestThread() const {
    if (!report_.scheduler) {
      return "the scheduler's phases were not recorded, capture at level 3 to see them";
    }
    const auto& threads = report_.scheduler->threads;
    const auto busiest = std::max_element(
        threads.begin(), threads.end(),
        [](const SchedulerThread& a, const SchedulerThread& b) { return a.busy < b.busy; });
    std::string text =
        fmt::format("the busiest scheduler thread is {}, working {} of its {}", busiest->id,
                    Percent(busiest->busy, busiest->total()), Micros(busiest->total()));
    if (const PhaseTotal* phase = LargestPhase()) {
      text += fmt::format(", the largest phase is {} ({} over all threads)",
                          PhaseKindName(phase->kind), Micros(phase->total));
    }
    return text;
  }

  const PhaseTotal* LargestPhase() const {
    const PhaseTotal* largest = nullptr;
    for (const PhaseTotal& phase : report_.scheduler->phases) {
      if (phase.kind == capture::PhaseKind::kIdle || phase.total == 0) continue;
      if (largest == nullptr || phase.total > largest->total) largest = &phase;
    }
    return largest;
  }

  std::string LookAtPath() const {
    if (inputs_.path == nullptr || inputs_.path->observed.tasks.empty()) {
      return "Look at the longest chain of kernels on the critical path.";
    }
    const ObservedPath& observed = inputs_.path->observed;
    if (inputs_.blame != nullptr && observed.stall > observed.compute) return LookAtStalls();
    const StaticPath& chain = inputs_.path->static_path;
    return fmt::format("{}; the longest chain of dependent kernels alone takes {} in {}.",
                       HeaviestFunction(), MicrosAndShare(chain.length),
                       Counted(chain.tasks.size(), "task"));
  }

  int32_t FunctionOf(const PathTask& step) const {
    const OverheadInputs& inputs = *inputs_.inputs;
    if (!inputs.dependencies) return -1;
    const auto node = inputs.dependencies->nodes.node_of_task[step.task];
    return node == DependencyGraph::kNoNode
               ? -1
               : capture::FirstActiveFunction(inputs.graph->nodes()[node]);
  }

  std::string HeaviestFunction() const {
    std::map<int32_t, CycleSpan> compute;
    for (const PathTask& step : inputs_.path->observed.tasks) {
      CycleSpan& sum = compute[FunctionOf(step)];
      sum = AddSaturated(sum, step.compute);
    }
    const auto heaviest =
        std::max_element(compute.begin(), compute.end(),
                         [](const auto& a, const auto& b) { return a.second < b.second; });
    if (heaviest->first < 0) {
      return fmt::format("Look at the {} of the critical path",
                         Counted(inputs_.path->observed.tasks.size(), "kernel"));
    }
    return fmt::format("Look at {}, which executes {} of the critical path",
                       capture::FunctionName(heaviest->first, inputs_.names),
                       MicrosAndShare(heaviest->second));
  }

  const VerdictInputs& inputs_;
  const OverheadReport& report_;
  const Verdict& verdict_;
  const capture::CycleScale scale_;
  const CycleSpan window_;
};

}  // namespace

double KnownTasksPercent(const OverheadInputs& inputs) {
  if (!inputs.dependencies || inputs.tasks.empty()) return 0;
  const auto& nodes = inputs.dependencies->nodes.node_of_task;
  const auto unknown = std::count(nodes.begin(), nodes.end(), DependencyGraph::kNoNode);
  return 100.0 - 100.0 * static_cast<double>(unknown) / static_cast<double>(nodes.size());
}

std::vector<std::string> WriteSentences(const VerdictInputs& inputs, const Verdict& verdict) {
  const Writer writer(inputs, verdict);
  return {writer.Who(), writer.HowMuch(), writer.WhereToLook()};
}

}  // namespace simpler::overhead
