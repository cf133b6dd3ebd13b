#include "analysis/overhead/sweep.h"

namespace simpler::overhead {
namespace {

using capture::CoreType;
using capture::CycleSpan;
using capture::DeviceCycles;
using capture::Window;

constexpr std::array<CoreType, capture::kEngineCount> kEngines = {CoreType::kAic, CoreType::kAiv};

CountView ViewOf(const CountChanges& changes) { return {changes.up, changes.down}; }

// The aggregates of one piece, given which engines have a free core and how much ready work.
struct Judgement {
  PerEngine<bool> overhead;
  bool all = false;
  bool has = false;
  bool united = false;
};

Judgement Judge(const PerEngine<int>& cores, const PerEngine<int64_t>& free,
                const PerEngine<int64_t>& ready) {
  Judgement judgement;
  judgement.all = true;
  bool working = false;
  bool starved = true;
  for (CoreType type : kEngines) {
    if (cores[type] == 0) continue;
    const bool overhead = free[type] > 0 && ready[type] > 0;
    judgement.overhead[type] = overhead;
    judgement.all &= overhead;
    judgement.united |= overhead;
    working |= ready[type] > 0;
    starved &= ready[type] == 0 || free[type] > 0;
  }
  judgement.all &= judgement.united;  // no engine at all is not overhead
  judgement.has = working && starved;
  return judgement;
}

OverheadFigures ZeroFigures(const PerEngine<int>& cores) {
  OverheadFigures figures;
  for (CoreType type : kEngines) {
    if (cores[type] > 0) figures.engine[type] = 0;
  }
  return figures;
}

void AddPiece(const Judgement& judgement, CycleSpan length, OverheadFigures& figures) {
  for (CoreType type : kEngines) {
    if (judgement.overhead[type]) *figures.engine[type] += length;
  }
  if (judgement.all) figures.all += length;
  if (judgement.has) figures.has += length;
  if (judgement.united) figures.united += length;
}

// Every task that an engine in overhead could run waits for its submission.
bool NothingSubmitted(const Judgement& judgement, const PerEngine<int64_t>& submitted) {
  for (CoreType type : kEngines) {
    if (judgement.overhead[type] && submitted[type] > 0) return false;
  }
  return judgement.united;
}

PerEngine<int64_t> FreeCores(const PerEngine<int>& cores, int64_t busy_aic, int64_t busy_aiv) {
  return {{cores[CoreType::kAic] - busy_aic, cores[CoreType::kAiv] - busy_aiv}};
}

void SweepHeadline(const SweepChanges& changes, const Window& window, OverheadSweep& sweep) {
  static const PerEngine<CountChanges> kNone;
  const auto& submitted = changes.ready_submitted ? *changes.ready_submitted : kNone;
  const std::array<CountView, 6> views = {
      ViewOf(changes.running[CoreType::kAic]), ViewOf(changes.running[CoreType::kAiv]),
      ViewOf(changes.ready[CoreType::kAic]),   ViewOf(changes.ready[CoreType::kAiv]),
      ViewOf(submitted[CoreType::kAic]),       ViewOf(submitted[CoreType::kAiv])};
  CycleSpan unsubmitted = 0;
  sweep.headline = ZeroFigures(sweep.cores);
  ForEachPiece(views, window, [&](DeviceCycles begin, DeviceCycles end, const auto& counts) {
    const Judgement judgement =
        Judge(sweep.cores, FreeCores(sweep.cores, counts[0], counts[1]), {{counts[2], counts[3]}});
    AddPiece(judgement, end - begin, sweep.headline);
    if (NothingSubmitted(judgement, {{counts[4], counts[5]}})) unsubmitted += end - begin;
  });
  if (changes.ready_submitted) sweep.unsubmitted = unsubmitted;
}

void SweepPlaceable(const SweepChanges& changes, const CoreOccupancy& occupancy,
                    const Window& window, OverheadSweep& sweep) {
  const auto taken = [&](CoreType type) {
    return CountView{occupancy.Taken(type), occupancy.Freed(type)};
  };
  const std::array<CountView, 4> views = {taken(CoreType::kAic), taken(CoreType::kAiv),
                                          ViewOf(changes.ready_refined[CoreType::kAic]),
                                          ViewOf(changes.ready_refined[CoreType::kAiv])};
  sweep.placeable = ZeroFigures(sweep.cores);
  ForEachPiece(views, window, [&](DeviceCycles begin, DeviceCycles end, const auto& counts) {
    AddPiece(
        Judge(sweep.cores, FreeCores(sweep.cores, counts[0], counts[1]), {{counts[2], counts[3]}}),
        end - begin, sweep.placeable);
  });
}

}  // namespace

double WeightedOverhead(const OverheadSweep& sweep, const OverheadFigures& figures) {
  double weighted = 0;
  double weights = 0;
  for (CoreType type : kEngines) {
    if (!figures.engine[type]) continue;
    weighted += static_cast<double>(sweep.cores[type]) * static_cast<double>(*figures.engine[type]);
    weights += sweep.cores[type];
  }
  return weights > 0 ? weighted / weights : 0;
}

PerEngine<CountChanges> RunningRows(const CoreRows& rows) {
  PerEngine<CountChanges> running;
  for (const CoreRows::Core& core : rows.cores()) {
    if (core.type == CoreType::kNone) continue;
    for (const CoreRow& row : core.rows) running[core.type].Add(row.start, row.end);
  }
  for (CountChanges& changes : running.values) changes.Sort();
  return running;
}

void ForEachOverheadStep(const PerEngine<CountChanges>& running,
                         const PerEngine<CountChanges>& ready, const PerEngine<int>& cores,
                         const Window& window, absl::FunctionRef<void(const OverheadStep&)> visit) {
  const std::array<CountView, 4> views = {
      ViewOf(running[CoreType::kAic]), ViewOf(running[CoreType::kAiv]),
      ViewOf(ready[CoreType::kAic]), ViewOf(ready[CoreType::kAiv])};
  ForEachPiece(views, window, [&](DeviceCycles begin, DeviceCycles end, const auto& counts) {
    const PerEngine<int64_t> idle = FreeCores(cores, counts[0], counts[1]);
    const PerEngine<int64_t> waiting = {{counts[2], counts[3]}};
    const Judgement judgement = Judge(cores, idle, waiting);
    OverheadStep step{begin, end, {}, judgement.all, judgement.has};
    for (CoreType type : kEngines) step.engine[type] = {idle[type], waiting[type]};
    visit(step);
  });
}

OverheadSweep SweepOverhead(const SweepChanges& changes, const CoreOccupancy& occupancy,
                            const Window& window) {
  OverheadSweep sweep;
  for (CoreType type : kEngines) sweep.cores[type] = occupancy.cores(type);
  SweepHeadline(changes, window, sweep);
  SweepPlaceable(changes, occupancy, window, sweep);
  return sweep;
}

}  // namespace simpler::overhead
