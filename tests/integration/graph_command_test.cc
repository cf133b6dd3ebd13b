// `simplerctl graph`: which file it reads, and what the modes print.

#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/integration/simplerctl_fixture.h"

namespace simpler::integration {
namespace {

using ::testing::HasSubstr;

// 1 -> 2 -> 3 and the shortcut 1 -> 3.
constexpr const char* kShortcut = R"({"tasks": [], "edges": [
  {"pred": 1, "succ": 2}, {"pred": 2, "succ": 3}, {"pred": 1, "succ": 3}]})";

class GraphCommandTest : public SimplerctlTest {};

TEST_F(GraphCommandTest, ReadsAFileADirectoryAndTheNewestCapture) {
  Write("outputs/case/chip_swimlane_records.json", SmallRecords());
  Write("outputs/case/deps.json", kShortcut);
  const std::string direct = Run({"graph", "outputs/case/deps.json"}).out;
  EXPECT_THAT(direct, HasSubstr("unique_task_edges: 3"));
  EXPECT_EQ(Run({"graph", "outputs/case"}).out, direct);
  EXPECT_EQ(Run({"graph", "outputs/case/chip_swimlane_records.json"}).out, direct);
  EXPECT_THAT(Run({"graph"}).out, HasSubstr("unique_task_edges: 3"));
}

TEST_F(GraphCommandTest, ReducedAndOmittedDivideTheEdges) {
  Write("deps.json", kShortcut);
  const support::ProgramResult reduced = Run({"graph", "deps.json", "--mode", "reduced"});
  EXPECT_EQ(reduced.exit_code, 0);
  EXPECT_THAT(reduced.out, HasSubstr("unique_task_edges: 2"));
  EXPECT_THAT(reduced.err, HasSubstr("1 edges follow from others"));
  EXPECT_THAT(Run({"graph", "deps.json", "--mode", "omitted"}).out,
              HasSubstr("unique_task_edges: 1"));
}

TEST_F(GraphCommandTest, ACycleGivesTheFullGraphAsAPartialResult) {
  Write("deps.json", R"({"tasks": [], "edges": [{"pred": 1, "succ": 2}, {"pred": 2, "succ": 1}]})");
  const support::ProgramResult result = Run({"graph", "deps.json", "--mode", "reduced"});
  EXPECT_EQ(result.exit_code, 4);
  EXPECT_THAT(result.out, HasSubstr("unique_task_edges: 2"));
  EXPECT_THAT(result.err, HasSubstr("cycle"));
  EXPECT_EQ(Run({"graph", "deps.json"}).exit_code, 0);
}

TEST_F(GraphCommandTest, ADamagedOrMissingGraphIsRefused) {
  Write("deps.json", "{");
  const support::ProgramResult damaged = Run({"graph", "deps.json", "-o", "out.txt"});
  EXPECT_EQ(damaged.exit_code, 1);
  EXPECT_THAT(damaged.err, HasSubstr("deps.json"));
  EXPECT_FALSE(Exists("out.txt"));
  const support::ProgramResult missing = Run({"graph", "nowhere.json"});
  EXPECT_EQ(missing.exit_code, 1);
  EXPECT_THAT(missing.err, HasSubstr("nowhere.json"));
}

}  // namespace
}  // namespace simpler::integration
