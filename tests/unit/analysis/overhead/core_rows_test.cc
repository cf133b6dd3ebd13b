#include "analysis/overhead/core_rows.h"

#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/capture_builder.h"
#include "tests/support/prepared_run.h"

namespace simpler::overhead {
namespace {

using capture::CoreType;
using support::CaptureBuilder;
using support::PreparedRun;
using ::testing::ElementsAre;

TEST(CoreRowsTest, GroupsByCoreInOrderOfStart) {
  const PreparedRun run(CaptureBuilder()
                            .Cores({"aic", "none", "aiv", "aiv"})
                            .Row(5, 3, {0, 7, 8, 9})
                            .Row(4, 3, {0, 1, 2, 9})
                            .Row(3, 3, {0, 7, 9, 9})
                            .Row(2, 0, {0, 1, 2, 9})
                            .Row(1, 1, {0, 1, 2, 9}));
  const CoreRows& rows = run.inputs.core_rows;
  std::vector<capture::CoreId> cores;
  for (const CoreRows::Core& core : rows.cores()) cores.push_back(core.id);
  EXPECT_THAT(cores, ElementsAre(0, 1, 3));
  EXPECT_EQ(rows.CountOf(CoreType::kAic), 1);
  EXPECT_EQ(rows.CountOf(CoreType::kAiv), 1);
  std::vector<uint64_t> tasks;
  for (const CoreRow& row : rows.cores()[2].rows) tasks.push_back(run.rows.task_id(row.row));
  EXPECT_THAT(tasks, ElementsAre(4, 3, 5));
}

}  // namespace
}  // namespace simpler::overhead
