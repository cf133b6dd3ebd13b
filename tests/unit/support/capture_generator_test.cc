#include "tests/support/capture_generator.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "analysis/capture/joined_run.h"
#include "analysis/capture/task_table.h"
#include "analysis/formats/deps_reader.h"
#include "analysis/formats/name_map_reader.h"
#include "analysis/formats/records_reader.h"
#include "analysis/formats/records_writer.h"
#include "tests/support/capture_dump.h"

namespace simpler::support {
namespace {

using capture::PhaseKind;
using capture::SchedulerPhaseBlock;
using ::testing::IsEmpty;
using ::testing::IsSupersetOf;

class CaptureGeneratorTest : public testing::TestWithParam<SyntheticRuntime> {
 protected:
  GeneratorOptions Options() const {
    GeneratorOptions options;
    options.tasks = 2000;
    options.runtime = GetParam();
    return options;
  }
};

INSTANTIATE_TEST_SUITE_P(AllRuntimes, CaptureGeneratorTest,
                         testing::Values(SyntheticRuntime::kTensormap, SyntheticRuntime::kHostAicpu,
                                         SyntheticRuntime::kHostAicore));

TEST_P(CaptureGeneratorTest, TheSameSeedGivesTheSameCapture) {
  GeneratorOptions options = Options();
  const std::string first = DumpCapture(GenerateCapture(options).capture);
  EXPECT_EQ(first, DumpCapture(GenerateCapture(options).capture));
  options.seed = 2;
  EXPECT_NE(first, DumpCapture(GenerateCapture(options).capture));
}

TEST_P(CaptureGeneratorTest, FilesAreAcceptedAndGiveTheSameCaptureAtEveryLevel) {
  for (int level = 1; level <= 4; ++level) {
    for (const bool run_epoch : {false, true}) {
      GeneratorOptions options = Options();
      options.level = level;
      options.run_epoch = run_epoch;
      const capture::Capture generated = GenerateCapture(options).capture;
      const auto read = formats::ParseRecords(
          formats::JsonFile::FromText(formats::WriteRecords(generated), "generated"));
      ASSERT_TRUE(read.ok()) << read.status();
      EXPECT_THAT(read->warnings, IsEmpty());
      EXPECT_EQ(DumpCapture(*read), DumpCapture(generated)) << "level " << level;
    }
  }
}

TEST_P(CaptureGeneratorTest, EveryRowHasItsSchedulerStampsInCausalOrder) {
  const GeneratedCapture generated = GenerateCapture(Options());
  const auto rows = capture::JoinedRun::Join(generated.capture, 0);
  ASSERT_TRUE(rows.ok()) << rows.status();
  EXPECT_EQ(rows->report().aicore_rows_without_scheduler, 0u);
  EXPECT_EQ(rows->report().scheduler_rows_without_aicore, 0u);
  for (size_t i = 0; i < rows->size(); ++i) {
    EXPECT_LT(rows->dispatch(i), rows->receive(i));
    EXPECT_LT(rows->receive(i), rows->start(i));
    EXPECT_LT(rows->start(i), rows->end(i));
    EXPECT_LT(rows->end(i), rows->finish(i));
  }
}

TEST_P(CaptureGeneratorTest, TasksAreDispatchedAfterTheirProducersFinished) {
  const GeneratedCapture generated = GenerateCapture(Options());
  const auto rows = capture::JoinedRun::Join(generated.capture, 0);
  ASSERT_TRUE(rows.ok()) << rows.status();
  const std::vector<capture::Task> tasks = capture::FoldTasks(*rows);
  const capture::TaskNodes nodes = capture::MatchTasks(tasks, generated.graph);
  size_t checked = 0;
  for (const auto& edge : generated.graph.edges()) {
    const uint32_t pred = nodes.task_of_node[edge.pred];
    const uint32_t succ = nodes.task_of_node[edge.succ];
    if (pred == capture::TaskNodes::kNoTask || succ == capture::TaskNodes::kNoTask) continue;
    EXPECT_LT(tasks[pred].finish, tasks[succ].dispatch);
    ++checked;
  }
  EXPECT_GT(checked, 1000u);
}

TEST_P(CaptureGeneratorTest, RowsOfOneCoreDoNotOverlap) {
  const GeneratedCapture generated = GenerateCapture(Options());
  std::map<capture::CoreId, capture::DeviceCycles> last_end;
  for (const auto& block : generated.capture.runs[0].aicore_tasks) {
    for (size_t row = 0; row < block->size(); ++row) {
      capture::DeviceCycles& last = last_end[block->core_id[row]];
      EXPECT_GT(block->start[row], last);
      last = block->end[row];
    }
  }
  EXPECT_EQ(last_end.size(), 48u);
}

TEST_P(CaptureGeneratorTest, PhaseStreamsAreOrderedByEndAndNameTheirRuntime) {
  const GeneratedCapture generated = GenerateCapture(Options());
  std::set<PhaseKind> kinds;
  for (const auto& stream : generated.capture.runs[0].scheduler_streams) {
    capture::DeviceCycles last;
    ForEachPhase(stream, [&](const SchedulerPhaseBlock& block, size_t row) {
      EXPECT_LE(block.start[row], block.end[row]);
      EXPECT_LE(last, block.end[row]);
      last = block.end[row];
      kinds.insert(block.kind[row]);
    });
  }
  EXPECT_THAT(kinds, IsSupersetOf({PhaseKind::kComplete, PhaseKind::kDispatch}));
  EXPECT_EQ(kinds.count(PhaseKind::kResolveStandalone),
            GetParam() == SyntheticRuntime::kHostAicpu ? 1u : 0u);
  EXPECT_EQ(kinds.count(PhaseKind::kBootstrap),
            GetParam() == SyntheticRuntime::kHostAicore ? 1u : 0u);
  EXPECT_EQ(generated.capture.runs[0].lifecycle.empty(),
            GetParam() != SyntheticRuntime::kHostAicore);
}

TEST_P(CaptureGeneratorTest, GraphAndNamesSurviveTheirFiles) {
  const GeneratedCapture generated = GenerateCapture(Options());
  std::ostringstream deps_text, names_text;
  WriteDeps(generated.graph, deps_text);
  WriteNameMap(generated.names, names_text);
  const auto deps = formats::ParseDeps(formats::JsonFile::FromText(deps_text.str(), "deps.json"));
  ASSERT_TRUE(deps.ok()) << deps.status();
  EXPECT_THAT(deps->warnings, IsEmpty());
  EXPECT_THAT(deps->graph.edges(), testing::ElementsAreArray(generated.graph.edges()));
  EXPECT_EQ(deps->graph.task_count(), generated.graph.task_count());
  EXPECT_GT(deps->graph.repeated_edge_count(), 0u);
  const auto names =
      formats::ParseNameMap(formats::JsonFile::FromText(names_text.str(), "name_map.json"));
  ASSERT_TRUE(names.ok()) << names.status();
  EXPECT_EQ(names->names, generated.names.names);
}

TEST(CaptureGenerator, AnEmptyPlanIsLegal) {
  GeneratorOptions options;
  options.tasks = 0;
  const GeneratedCapture generated = GenerateCapture(options);
  EXPECT_EQ(generated.capture.runs[0].aicore_row_count(), 0u);
  EXPECT_THAT(generated.graph.nodes(), IsEmpty());
}

}  // namespace
}  // namespace simpler::support
