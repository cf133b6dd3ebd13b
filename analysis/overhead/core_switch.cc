#include "analysis/overhead/core_switch.h"

#include <algorithm>
#include <span>
#include <tuple>
#include <vector>

#include "analysis/overhead/cycle_sum.h"

namespace simpler::overhead {
namespace {

using capture::CoreType;
using capture::CycleSpan;

struct CoreSwitches {
  uint64_t events = 0;
  CycleSpan total = 0;
  CycleSpan overhead = 0;
};

// CoreRows leaves rows with one start in capture order; here they are ordered by end, dispatch.
std::span<const CoreRow> InSwitchOrder(std::span<const CoreRow> rows,
                                       std::vector<CoreRow>& scratch) {
  const auto earlier = [](const CoreRow& a, const CoreRow& b) {
    return std::tie(a.start, a.end, a.dispatch) < std::tie(b.start, b.end, b.dispatch);
  };
  if (std::is_sorted(rows.begin(), rows.end(), earlier)) return rows;
  scratch.assign(rows.begin(), rows.end());
  std::stable_sort(scratch.begin(), scratch.end(), earlier);
  return scratch;
}

CoreSwitches MeasureCore(std::span<const CoreRow> rows, const IntervalSet* waiting) {
  CoreSwitches sum;
  for (size_t i = 1; i < rows.size(); ++i) {
    const CoreRow& previous = rows[i - 1];
    const CoreRow& next = rows[i];
    if (!next.has_scheduler || next.dispatch >= previous.end) continue;
    if (next.start <= previous.end) continue;
    ++sum.events;
    sum.total += next.start - previous.end;
    if (waiting != nullptr) sum.overhead += waiting->Measure(previous.end, next.start);
  }
  return sum;
}

void AddCore(const CoreRows::Core& core, const CoreSwitches& sum, EngineSwitch& engine) {
  if (engine.cores == 0 || sum.total < engine.min) engine.min = sum.total;
  if (engine.cores == 0 || sum.total > engine.max) {
    engine.max = sum.total;
    engine.worst_core = core.id;
  }
  ++engine.cores;
  engine.events += sum.events;
  engine.total = AddSaturated(engine.total, sum.total);
  if (engine.overhead) {
    engine.overhead = AddSaturated(*engine.overhead, sum.overhead);
    engine.independent = AddSaturated(*engine.independent, sum.total - sum.overhead);
  }
}

}  // namespace

SwitchReport MeasureSwitches(const CoreRows& rows, const PerEngine<IntervalSet>* waiting) {
  SwitchReport report;
  std::vector<CoreRow> scratch;
  for (const CoreRows::Core& core : rows.cores()) {
    if (core.type == CoreType::kNone) continue;
    std::optional<EngineSwitch>& engine = report.engine[core.type];
    if (!engine) {
      engine.emplace();
      if (waiting != nullptr) engine->overhead = engine->independent = 0;
    }
    const IntervalSet* set = waiting != nullptr ? &(*waiting)[core.type] : nullptr;
    AddCore(core, MeasureCore(InSwitchOrder(core.rows, scratch), set), *engine);
  }
  bool first = true;
  for (const std::optional<EngineSwitch>& engine : report.engine.values) {
    if (!engine) continue;
    report.bound_lower = first ? engine->min : std::min(report.bound_lower, engine->min);
    report.bound_upper = AddSaturated(report.bound_upper, engine->min);
    first = false;
  }
  return report;
}

}  // namespace simpler::overhead
