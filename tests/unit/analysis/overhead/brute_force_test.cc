#include <algorithm>
#include <cstddef>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "analysis/overhead/analyze_overhead.h"
#include "gtest/gtest.h"
#include "tests/support/prepared_run.h"
#include "tests/unit/analysis/overhead/literal_overhead.h"
#include "tests/unit/analysis/overhead/random_run.h"

namespace simpler::overhead {
namespace {

using capture::CoreType;

constexpr int kRuns = 20'000;

LiteralFigures ToLiteral(const OverheadFigures& figures) {
  LiteralFigures literal;
  for (CoreType type : {CoreType::kAic, CoreType::kAiv}) {
    if (!figures.engine[type]) continue;
    literal.engine[CoreTypeName(type)] = static_cast<int>(*figures.engine[type]);
  }
  literal.all = static_cast<int>(figures.all);
  literal.has = static_cast<int>(figures.has);
  literal.united = static_cast<int>(figures.united);
  return literal;
}

std::map<std::string, LiteralSwitch> ToLiteral(const SwitchReport& report) {
  std::map<std::string, LiteralSwitch> literal;
  for (CoreType type : {CoreType::kAic, CoreType::kAiv}) {
    const auto& engine = report.engine[type];
    if (!engine) continue;
    EXPECT_EQ(engine->overhead.value() + engine->independent.value(), engine->total);
    literal[CoreTypeName(type)] = {engine->cores,
                                   static_cast<int>(engine->events),
                                   static_cast<int>(engine->min),
                                   static_cast<int>(engine->max),
                                   static_cast<int>(engine->total),
                                   static_cast<int>(*engine->overhead)};
  }
  return literal;
}

void ExpectDistribution(const std::optional<Distribution>& distribution, std::vector<int> values) {
  ASSERT_EQ(distribution.has_value(), !values.empty());
  if (values.empty()) return;
  std::sort(values.begin(), values.end());
  EXPECT_EQ(distribution->count, values.size());
  int total = 0;
  for (int value : values) total += value;
  EXPECT_EQ(distribution->total, total);
  EXPECT_EQ(distribution->p50, values[std::min(values.size() / 2, values.size() - 1)]);
  EXPECT_EQ(distribution->p90, values[std::min(values.size() * 9 / 10, values.size() - 1)]);
  EXPECT_EQ(distribution->max, values.back());
}

void ExpectPath(const OverheadReport& report, const OverheadInputs& inputs,
                const std::optional<LiteralAttribution>& expected) {
  ASSERT_EQ(report.path.has_value(), expected.has_value());
  if (!expected) return;
  std::vector<uint64_t> ids;
  for (uint32_t task : report.path->tasks) ids.push_back(inputs.tasks[task].id);
  EXPECT_EQ(ids, expected->tasks);
  EXPECT_EQ(report.path->span, expected->span);
  EXPECT_EQ(report.path->compute, expected->compute);
  EXPECT_EQ(report.path->scheduler, expected->scheduler);
  EXPECT_EQ(report.path->other, expected->other);
}

// How many runs exercised what; keeps the generator honest.
struct Coverage {
  int headline = 0, placeable_differs = 0, all = 0, has_below_engine = 0, unsubmitted = 0;
  int switches = 0, split = 0, untyped = 0;
};

void CompareRun(std::mt19937& random, Coverage& coverage) {
  const auto chance = [&](int percent) {
    return std::uniform_int_distribution<int>(1, 100)(random) <= percent;
  };
  RandomRun run = MakeRandomRun(random);
  if (chance(10)) run.cores[0] = "none";
  support::CaptureBuilder builder = run.ToBuilder();
  std::map<uint64_t, int> submits;
  uint32_t index = 0;
  for (const RandomRow& row : run.rows) {
    if (!chance(60) || submits.count(row.task) > 0) continue;
    const int end = std::uniform_int_distribution<int>(0, 55)(random);
    submits[row.task] = end;
    builder.OrchSubmit(0, index++, row.task, end - 1, end);
  }
  const support::PreparedRun prepared(builder);
  const OverheadReport report = AnalyzeOverhead(prepared.inputs);
  const LiteralOverhead literal(run, submits);

  ASSERT_EQ(report.sweep.has_value(), literal.HasStamps());
  if (!report.sweep) return;
  const LiteralFigures headline = literal.Headline();
  const LiteralFigures placeable = literal.Placeable();
  EXPECT_EQ(ToLiteral(report.sweep->headline), headline);
  EXPECT_EQ(ToLiteral(report.sweep->placeable), placeable);
  EXPECT_DOUBLE_EQ(WeightedOverhead(*report.sweep, report.sweep->headline), literal.Weighted());
  const int unsubmitted = submits.empty() ? 0 : literal.Unsubmitted();
  ASSERT_EQ(report.sweep->unsubmitted.has_value(), !submits.empty());
  EXPECT_EQ(report.sweep->unsubmitted.value_or(0), unsubmitted);
  const auto switches = literal.Switches();
  EXPECT_EQ(ToLiteral(*report.core_switch), switches);
  ExpectDistribution(report.head, literal.Heads());
  ExpectDistribution(report.tail, literal.Tails());
  ExpectPath(report, prepared.inputs, literal.Path());

  coverage.headline += headline.united > 0;
  coverage.placeable_differs += !(placeable == headline);
  coverage.all += headline.all > 0 && headline.engine.size() == 2;
  coverage.has_below_engine += headline.has < headline.united;
  coverage.unsubmitted += unsubmitted > 0;
  coverage.untyped += run.cores[0] == "none";
  for (const auto& [engine, sum] : switches) {
    coverage.switches += sum.total > 0;
    coverage.split += sum.overhead > 0 && sum.overhead < sum.total;
  }
}

TEST(OverheadBruteForceTest, EqualsTheDefinitionsAtEveryInstant) {
  std::mt19937 random(20240607);
  Coverage coverage;
  for (int i = 0; i < kRuns; ++i) {
    CompareRun(random, coverage);
    ASSERT_FALSE(HasFailure()) << "run " << i;
  }
  for (int runs :
       {coverage.headline, coverage.placeable_differs, coverage.all, coverage.has_below_engine,
        coverage.unsubmitted, coverage.switches, coverage.split, coverage.untyped}) {
    EXPECT_GT(runs, 50);
  }
}

}  // namespace
}  // namespace simpler::overhead
