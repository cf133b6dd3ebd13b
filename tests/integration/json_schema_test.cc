// The documented keys of every JSON document are there, with the documented types.

#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "tests/integration/json_document.h"
#include "tests/integration/simplerctl_fixture.h"

namespace simpler::integration {
namespace {

class JsonSchemaTest : public SimplerctlTest {
 protected:
  JsonDocument RunJson(std::vector<std::string> arguments) {
    arguments.push_back("--json");
    const support::ProgramResult result = Run(arguments);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return JsonDocument(result.out);
  }

  static void ExpectNumbers(const JsonDocument& json, const std::string& prefix,
                            const std::vector<std::string>& keys) {
    for (const std::string& key : keys) {
      EXPECT_TRUE(json.IsNumber(prefix + key)) << prefix + key;
    }
  }
  static void ExpectIntegers(const JsonDocument& json, const std::string& prefix,
                             const std::vector<std::string>& keys) {
    for (const std::string& key : keys) {
      EXPECT_TRUE(json.IsInteger(prefix + key)) << prefix + key;
    }
  }
  static void ExpectNulls(const JsonDocument& json, const std::string& prefix,
                          const std::vector<std::string>& keys) {
    for (const std::string& key : keys) EXPECT_TRUE(json.IsNull(prefix + key)) << prefix + key;
  }
};

const std::vector<std::string> kShares = {"aic_percent", "aiv_percent", "all_percent",
                                          "has_percent"};
const std::vector<std::string> kSwitchTimes = {"min_us", "mean_us", "max_us", "overhead_us",
                                               "independent_us"};
const std::vector<std::string> kDistribution = {"mean_us", "total_us", "p10_us", "p25_us", "p50_us",
                                                "p75_us",  "p90_us",   "p95_us", "p99_us"};
const std::vector<std::string> kBlame = {"compute_us",         "front_us",  "data_wait_us",
                                         "core_wait_us",       "pickup_us", "detection_us",
                                         "dispatch_latency_us"};

TEST_F(JsonSchemaTest, ReportOfALevel4Capture) {
  const JsonDocument json = RunJson({"report", DataDirectory("paged_attention_CaseVarSeq4_L4")});
  EXPECT_EQ(json.Text("schema"), "simpler.report/1");
  ExpectIntegers(json, "", {"tasks", "rows"});
  ExpectNumbers(json, "", {"window_us"});
  ExpectNumbers(json, "overhead.", kShares);
  ExpectNumbers(json, "overhead.placeable.", kShares);
  ExpectNumbers(json, "overhead.", {"union_percent", "weighted_percent", "unsubmitted_percent"});
  for (const std::string engine : {"switch.aic.", "switch.aiv."}) {
    ExpectIntegers(json, engine, {"cores", "events"});
    ExpectNumbers(json, engine, kSwitchTimes);
  }
  ExpectNumbers(json, "switch.", {"bound_lower_us", "bound_upper_us"});
  ExpectNumbers(json, "head.", kDistribution);
  ExpectNumbers(json, "tail.", kDistribution);
  for (size_t i = 0; i < json.Array("scheduler.threads").size(); ++i) {
    const std::string thread = "scheduler.threads." + std::to_string(i) + ".";
    ExpectIntegers(json, thread, {"id", "loops", "tasks"});
    ExpectNumbers(json, thread, {"total_us"});
    EXPECT_EQ(json.Text(thread + "role"), "S");
  }
  EXPECT_EQ(json.Array("scheduler.threads").size(), 3u);
  const size_t phases = json.Array("scheduler.phases").size();
  ASSERT_GT(phases, 0u);
  const std::string last = "scheduler.phases." + std::to_string(phases - 1) + ".";
  EXPECT_EQ(json.Text(last + "kind"), "idle");
  ExpectNumbers(json, last, {"total_us"});
  ExpectIntegers(json, "scheduler.",
                 {"pop_hit", "pop_miss", "fanout_edges", "fanin_edges", "finishes"});
  ExpectIntegers(json, "critical_path.", {"hops"});
  ExpectNumbers(json, "critical_path.", {"span_us", "compute_us", "scheduler_us", "other_us"});
  ExpectNumbers(json, "critical_path.blame.", kBlame);
  EXPECT_EQ(json.Text("verdict.class"), "scheduler_bound");
  EXPECT_EQ(json.Text("verdict.blame"), "scheduler");
  EXPECT_EQ(json.Array("verdict.sentences").size(), 3u);
  EXPECT_EQ(json.Text("quality.class"), "OK");
  EXPECT_EQ(json.Array("quality.reasons").size(), 0u);
  EXPECT_TRUE(json.Has("ledger.balanced"));
  ExpectIntegers(json, "ledger.entries.0.", {"produced", "stored"});
  EXPECT_TRUE(json.Has("warnings"));
}

TEST_F(JsonSchemaTest, ReportOfALevel1CaptureHasTheSameKeysAsNulls) {
  const JsonDocument json = RunJson({"report", DataDirectory("vector_example_L1")});
  ExpectNulls(json, "overhead.", kShares);
  ExpectNulls(json, "overhead.placeable.", kShares);
  ExpectNulls(json, "overhead.", {"union_percent", "weighted_percent", "unsubmitted_percent"});
  ExpectNulls(json, "switch.aic.", kSwitchTimes);
  ExpectNulls(json, "switch.aiv.", kSwitchTimes);
  ExpectNulls(json, "switch.", {"bound_lower_us", "bound_upper_us"});
  ExpectNulls(json, "head.", kDistribution);
  ExpectNulls(json, "tail.", kDistribution);
  ExpectNulls(json, "scheduler.",
              {"pop_hit", "pop_miss", "fanout_edges", "fanin_edges", "finishes"});
  ExpectNulls(json, "critical_path.", {"hops", "span_us", "compute_us", "scheduler_us"});
  ExpectNulls(json, "critical_path.blame.", kBlame);
  ExpectNulls(json, "verdict.", {"blame"});
  for (size_t i = 0; i < json.Array("warnings").size(); ++i) {
    const std::string warning = "warnings." + std::to_string(i) + ".";
    EXPECT_FALSE(json.Text(warning + "code").empty());
    EXPECT_FALSE(json.Text(warning + "text").empty());
    ExpectIntegers(json, warning, {"count"});
  }
}

TEST_F(JsonSchemaTest, BlameAndComputeAddUpToTheMakespan) {
  const JsonDocument json = RunJson({"report", DataDirectory("paged_attention_CaseVarSeq4_L4")});
  double sum = 0;
  for (const std::string& key : kBlame) sum += json.Number("critical_path.blame." + key);
  EXPECT_NEAR(sum, json.Number("window_us"), 1e-6);
}

TEST_F(JsonSchemaTest, Stats) {
  const JsonDocument json = RunJson({"stats", DataDirectory("spmd_multiblock_mix_L4")});
  EXPECT_EQ(json.Text("schema"), "simpler.stats/1");
  ASSERT_EQ(json.Array("functions").size(), 2u);
  ExpectIntegers(json, "functions.0.", {"func_id", "count"});
  EXPECT_EQ(json.Text("functions.0.name"), "SPMD_MIX_AIC");
  ExpectNumbers(json, "functions.0.",
                {"avg_exec_us", "avg_latency_us", "avg_head_us", "avg_tail_us",
                 "avg_propagation_us", "avg_local_us"});
  ExpectIntegers(json, "total.", {"count"});
  ExpectNumbers(json, "total.", {"exec_us", "latency_us"});
}

TEST_F(JsonSchemaTest, CriticalPath) {
  const JsonDocument json =
      RunJson({"critical-path", DataDirectory("paged_attention_CaseVarSeq4_L4")});
  EXPECT_EQ(json.Text("schema"), "simpler.critical-path/1");
  ExpectNumbers(json, "static.", {"length_us"});
  EXPECT_EQ(json.Array("static.tasks").size(), 6u);
  ExpectNumbers(json, "observed.", {"makespan_us", "compute_us", "stall_us"});
  ExpectNumbers(json, "observed.by_cause.", {"data_wait_us", "core_wait_us", "front_gap_us"});
  ExpectNumbers(json, "observed.blame.", kBlame);
  ASSERT_EQ(json.Array("observed.tasks").size(), 11u);
  EXPECT_TRUE(json.IsString("observed.tasks.0.id"));
  EXPECT_EQ(json.Text("observed.tasks.0.name"), "QK");
  EXPECT_EQ(json.Text("observed.tasks.0.cause"), "front_gap");
  ExpectNumbers(json, "observed.tasks.0.", {"start_us", "end_us", "compute_us", "stall_us"});
  ExpectNulls(json, "static.tasks.0.", {"cause"});
}

TEST_F(JsonSchemaTest, InfoSaysWhatIsMissing) {
  const JsonDocument json = RunJson({"info", DataDirectory("vector_example_L1")});
  EXPECT_EQ(json.Text("schema"), "simpler.info/1");
  EXPECT_EQ(json.Text("generation"), "G2");
  ExpectIntegers(json, "", {"level", "clock_freq_hz"});
  ExpectIntegers(json, "runs.0.", {"index", "aicore_rows", "scheduler_rows"});
  ExpectIntegers(json, "graph.", {"tasks", "nodes", "edges"});
  size_t unavailable = 0;
  for (const auto capability : json.Array("capabilities")) {
    const bool available = capability["available"].get_bool().value();
    EXPECT_EQ(available, capability["missing"].get_array().value().size() == 0);
    unavailable += !available;
  }
  EXPECT_GT(unavailable, 0u);
}

TEST_F(JsonSchemaTest, Comparison) {
  const JsonDocument json = RunJson({"report", DataDirectory("spmd_multiblock_mix_L4"), "--against",
                                     DataDirectory("paged_attention_CaseVarSeq4_L4")});
  EXPECT_EQ(json.Text("schema"), "simpler.comparison/1");
  EXPECT_EQ(json.Text("before.class"), "scheduler_bound");
  EXPECT_EQ(json.Text("after.class"), "compute_or_dependency_bound");
  EXPECT_EQ(json.Text("figures.0.key"), "tasks");
  EXPECT_EQ(json.Number("figures.0.before"), 64);
  EXPECT_EQ(json.Number("figures.0.after"), 5);
  EXPECT_EQ(json.Number("figures.0.change"), -59);
}

TEST_F(JsonSchemaTest, BothLayoutsOfACaptureGiveTheSameBytes) {
  const std::string capture = DataDirectory("spmd_multiblock_mix_L4");
  const std::string names = capture + "/name_map_TestSpmdMultiblockMix_Case1.json";
  for (const std::string command : {"report", "stats", "critical-path"}) {
    const support::ProgramResult archived = Run({command, capture, "--json"});
    const support::ProgramResult current =
        Run({command, capture + "/current_layout", "--deps", capture + "/deps.json", "--func-names",
             names, "--json"});
    EXPECT_EQ(archived.exit_code, 0) << archived.err;
    EXPECT_EQ(archived.out, current.out) << command;
  }
}

}  // namespace
}  // namespace simpler::integration
