// Figures of recorded captures as the public analysis tools print them, to the last digit they
// print. Loops, totals and idle of the scheduler budget differ by design and are left out
// (docs/overhead-model.md).
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "analysis/formats/deps_reader.h"
#include "analysis/formats/records_reader.h"
#include "analysis/overhead/analyze_overhead.h"
#include "fmt/format.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/prepared_run.h"
#include "tests/support/test_data.h"

namespace simpler::overhead {
namespace {

using capture::CoreType;
using capture::CycleSpan;
using capture::PhaseKind;
using ::testing::ElementsAreArray;

struct RecordedCapture {
  std::string folder;
  std::string layout;  // "" or "current_layout/"
  std::vector<std::string> lines;

  friend void PrintTo(const RecordedCapture& recorded, std::ostream* out) {
    *out << recorded.folder << "/" << recorded.layout;
  }
};

// The report in lines of printed figures.
class Printer {
 public:
  Printer(const OverheadReport& report, capture::CycleScale scale)
      : report_(report), scale_(scale) {}

  std::vector<std::string> Lines() const {
    std::vector<std::string> lines = {Overhead()};
    for (CoreType type : {CoreType::kAic, CoreType::kAiv}) {
      if (report_.core_switch->engine[type]) lines.push_back(Switch(type));
    }
    lines.push_back(fmt::format("bound {:.2f} {:.2f}", Micros(report_.core_switch->bound_lower),
                                Micros(report_.core_switch->bound_upper)));
    lines.push_back("head " + Spread(*report_.head));
    lines.push_back("tail " + Spread(*report_.tail));
    lines.push_back(Threads());
    lines.push_back(Counters());
    lines.push_back(fmt::format("path {} hops, compute {:.1f} scheduler {:.1f}",
                                report_.path->hops(), Micros(report_.path->compute),
                                Micros(report_.path->scheduler)));
    return lines;
  }

 private:
  double Micros(CycleSpan span) const { return scale_.Micros(span); }
  double Percent(CycleSpan span) const {
    return 100.0 * static_cast<double>(span) / static_cast<double>(report_.window->length());
  }

  std::string Overhead() const {
    const OverheadFigures& figures = report_.sweep->headline;
    std::string line =
        fmt::format("{} rows in {:.1f}:", report_.rows, Micros(report_.window->length()));
    for (CoreType type : {CoreType::kAic, CoreType::kAiv}) {
      if (!figures.engine[type]) continue;
      line += fmt::format(" {} {:.1f}", CoreTypeName(type), Percent(*figures.engine[type]));
    }
    return line + fmt::format(" all {:.1f} has {:.1f}", Percent(figures.all), Percent(figures.has));
  }

  std::string Switch(CoreType type) const {
    const EngineSwitch& engine = *report_.core_switch->engine[type];
    return fmt::format("{} x{} min {:.1f} mean {:.1f} max {:.1f} events {}", CoreTypeName(type),
                       engine.cores, Micros(engine.min), Micros(engine.total) / engine.cores,
                       Micros(engine.max), engine.events);
  }

  std::string Spread(const Distribution& d) const {
    return fmt::format(
        "n {} p10 {:.2f} p25 {:.2f} p50 {:.2f} p75 {:.2f} p90 {:.2f} p95 {:.2f} p99 {:.2f} max "
        "{:.2f} "
        "total {:.1f}",
        d.count, Micros(d.p10), Micros(d.p25), Micros(d.p50), Micros(d.p75), Micros(d.p90),
        Micros(d.p95), Micros(d.p99), Micros(d.max), Micros(d.total));
  }

  std::string Threads() const {
    std::string line = "tasks";
    for (const SchedulerThread& thread : report_.scheduler->threads) {
      line += fmt::format(" T{} {}", thread.id, thread.tasks.value());
    }
    for (const PhaseTotal& phase : report_.scheduler->phases) {
      if (phase.kind != PhaseKind::kComplete && phase.kind != PhaseKind::kDispatch) continue;
      line += fmt::format(" {} {:.1f}", PhaseKindName(phase.kind), Micros(phase.total));
    }
    return line;
  }

  std::string Counters() const {
    const SchedulerBudget& budget = *report_.scheduler;
    return fmt::format("finishes {} fan-out {} max {} fan-in {} max {} pop {} miss {}",
                       budget.finishes, budget.fanout->edges, budget.fanout->max_degree,
                       budget.fanin->edges, budget.fanin->max_degree, budget.pop_hit.value(),
                       budget.pop_miss.value());
  }

  const OverheadReport& report_;
  const capture::CycleScale scale_;
};

class RecordedOverheadTest : public testing::TestWithParam<RecordedCapture> {};

TEST_P(RecordedOverheadTest, EqualsThePublicTools) {
  const std::string base = "captures/" + GetParam().folder + "/";
  auto records = formats::ReadRecords(
      support::TestDataPath(base + GetParam().layout + "chip_swimlane_records.json"));
  auto deps = formats::ReadDeps(support::TestDataPath(base + "deps.json"));
  ASSERT_TRUE(records.ok()) << records.status();
  ASSERT_TRUE(deps.ok()) << deps.status();
  const support::PreparedRun run(*std::move(records), std::move(deps->graph));
  const OverheadReport report = AnalyzeOverhead(run.inputs);
  EXPECT_THAT(Printer(report, run.capture.scale()).Lines(), ElementsAreArray(GetParam().lines));
}

const std::vector<std::string> kPagedAttention = {
    "64 rows in 100018.0: aic 68.0 aiv 97.6 all 68.0 has 97.6",
    "aic x8 min 0.0 mean 0.1 max 1.0 events 1",
    "aiv x8 min 0.0 mean 0.0 max 0.0 events 0",
    "bound 0.00 0.00",
    "head n 64 p10 9.00 p25 81.50 p50 1033.20 p75 14815.96 p90 23689.22 p95 32117.42 "
    "p99 40820.24 max 40820.24 total 502878.9",
    "tail n 64 p10 91.32 p25 520.90 p50 3253.16 p75 15698.04 p90 30993.68 p95 37821.62 "
    "p99 41665.78 max 41665.78 total 645028.9",
    "tasks T0 21 T1 23 T2 20 complete 163.9 dispatch 238.5",
    "finishes 64 fan-out 76 max 2 fan-in 92 max 4 pop 64 miss 391",
    "path 10 hops, compute 3304.6 scheduler 95850.1"};

const std::vector<std::string> kSpmd = {
    "282 rows in 6555.9: aic 3.3 aiv 3.3 all 3.3 has 3.3",
    "aic x8 min 0.0 mean 0.0 max 0.0 events 0",
    "aiv x16 min 0.0 mean 0.0 max 0.0 events 0",
    "bound 0.00 0.00",
    "head n 282 p10 63.30 p25 85.86 p50 165.66 p75 359.24 p90 688.96 p95 914.28 p99 1121.44 "
    "max 1142.16 total 73940.0",
    "tail n 282 p10 27.60 p25 89.98 p50 161.34 p75 343.96 p90 518.86 p95 711.46 p99 932.84 "
    "max 1021.56 total 63339.6",
    "tasks T0 2 T1 1 T2 2 complete 97.4 dispatch 138.7",
    "finishes 282 fan-out 4 max 1 fan-in 4 max 1 pop 144 miss 354",
    "path 4 hops, compute 6089.9 scheduler 519.3"};

const std::vector<std::string> kHostBuildGraph = {
    "4 rows in 8632.6: aiv 18.3 all 18.3 has 18.3",
    "aiv x2 min 0.0 mean 0.0 max 0.0 events 0",
    "bound 0.00 0.00",
    "head n 4 p10 78.68 p25 88.06 p50 95.26 p75 3792.44 p90 3792.44 p95 3792.44 p99 3792.44 "
    "max 3792.44 total 4054.4",
    "tail n 4 p10 150.56 p25 1030.64 p50 1608.78 p75 3870.68 p90 3870.68 p95 3870.68 "
    "p99 3870.68 max 3870.68 total 6660.7",
    "tasks T0 0 T1 0 T2 4 complete 6.4 dispatch 14.3",
    "finishes 4 fan-out 4 max 2 fan-in 4 max 2 pop 4 miss 150",
    "path 2 hops, compute 3179.8 scheduler 5548.1"};

const std::vector<std::string> kLongDummyChain = {
    "2 rows in 1298.9: aic 0.0 all 0.0 has 0.0",
    "aic x1 min 0.0 mean 0.0 max 0.0 events 0",
    "bound 0.00 0.00",
    "head n 2 p10 42.86 p25 42.86 p50 56.32 p75 56.32 p90 56.32 p95 56.32 p99 56.32 max 56.32 "
    "total 99.2",
    "tail n 2 p10 360.26 p25 360.26 p50 1230.28 p75 1230.28 p90 1230.28 p95 1230.28 p99 1230.28 "
    "max 1230.28 total 1590.5",
    "tasks T0 2 complete 50.4 dispatch 74.4",
    "finishes 2 fan-out 1 max 1 fan-in 1 max 1 pop 2 miss 64",
    "path 0 hops, compute 1.7 scheduler 42.9"};

INSTANTIATE_TEST_SUITE_P(
    Captures, RecordedOverheadTest,
    testing::Values(RecordedCapture{"paged_attention_CaseVarSeq4_L4", "", kPagedAttention},
                    RecordedCapture{"spmd_multiblock_mix_L4", "", kSpmd},
                    RecordedCapture{"spmd_multiblock_mix_L4", "current_layout/", kSpmd},
                    RecordedCapture{"host_build_graph_vector_example_L4", "", kHostBuildGraph},
                    RecordedCapture{"host_build_graph_vector_example_L4", "current_layout/",
                                    kHostBuildGraph},
                    RecordedCapture{"long_dummy_chain_L4", "", kLongDummyChain},
                    RecordedCapture{"long_dummy_chain_L4", "current_layout/", kLongDummyChain}));

}  // namespace
}  // namespace simpler::overhead
