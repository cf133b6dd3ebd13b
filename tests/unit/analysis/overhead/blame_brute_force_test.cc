#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <random>
#include <string>

#include "analysis/overhead/blame.h"
#include "gtest/gtest.h"
#include "tests/support/prepared_run.h"
#include "tests/unit/analysis/overhead/literal_path.h"
#include "tests/unit/analysis/overhead/random_run.h"

namespace simpler::overhead {
namespace {

constexpr int kRuns = 10'000;
constexpr int kTolerance = 2;

// Names the class of single cycles by the words of the definition.
class LiteralBlame {
 public:
  explicit LiteralBlame(const RandomRun& run) : run_(run) {}

  // Absent when no row of the task was stamped.
  std::optional<int> Dispatch(uint64_t task) const {
    std::optional<int> dispatch;
    for (const RandomRow& row : run_.rows) {
      if (row.task != task || !row.stamped) continue;
      dispatch = dispatch ? std::min(*dispatch, row.dispatch) : row.dispatch;
    }
    return dispatch;
  }

  std::string ClassOf(int x, uint64_t task) const {
    const int dispatch = Dispatch(task).value();
    const std::optional<Producer> last = LastProducer(task);
    if (!last && x < dispatch) return "front";
    if (last && x < last->end) return "data_wait";
    if (x < dispatch ? NoFreeCore(x, task) : OtherRowRuns(x, task)) return "core_wait";
    if (x >= dispatch) return "pickup";
    if (last && x < last->finish) return "detection";
    return "dispatch_latency";
  }

 private:
  struct Producer {
    int end;
    uint64_t id;
    int finish;
  };

  std::optional<Producer> LastProducer(uint64_t task) const {
    std::optional<Producer> last;
    for (const auto& [pred, succ] : run_.edges) {
      if (succ != task || pred == task) continue;
      const std::optional<Producer> producer = Completed(pred);
      if (!producer) continue;
      if (!last || std::pair(last->end, last->id) < std::pair(producer->end, producer->id)) {
        last = producer;
      }
    }
    return last;
  }

  // By its rows, else by its marker; the latter has no finish of its own.
  std::optional<Producer> Completed(uint64_t task) const {
    std::optional<int> end, finish;
    for (const RandomRow& row : run_.rows) {
      if (row.task != task) continue;
      end = end ? std::max(*end, row.end) : row.end;
      if (row.stamped) finish = finish ? std::max(*finish, row.finish) : row.finish;
    }
    if (!end) {
      for (const RandomMarker& marker : run_.markers) {
        if (marker.task == task) end = end ? std::max(*end, marker.end) : marker.end;
      }
    }
    if (!end) return std::nullopt;
    return Producer{*end, task, finish.value_or(*end)};
  }

  bool NoFreeCore(int x, uint64_t task) const {
    std::map<std::string, bool> engine_has_free_core;  // of the task's engines
    for (const RandomRow& row : run_.rows) {
      if (row.task == task) engine_has_free_core[run_.cores[row.core]] = false;
    }
    for (auto& [engine, has_free_core] : engine_has_free_core) {
      for (const RandomRow& row : run_.rows) {
        const bool free = run_.cores[row.core] == engine && IsFree(row.core, x);
        has_free_core = has_free_core || free;
      }
    }
    return std::any_of(engine_has_free_core.begin(), engine_has_free_core.end(),
                       [](const auto& engine) { return !engine.second; });
  }

  bool IsFree(size_t core, int x) const {
    return std::none_of(run_.rows.begin(), run_.rows.end(), [&](const RandomRow& row) {
      const int from = row.stamped ? std::min(row.dispatch, row.start) : row.start;
      return row.core == core && from <= x && x < row.end;
    });
  }

  // On the core of the task's earliest row; the first stamped one in the capture among equals,
  // because the join puts rows without stamps last.
  bool OtherRowRuns(int x, uint64_t task) const {
    const RandomRow* first = nullptr;
    for (const bool stamped : {true, false}) {
      for (const RandomRow& row : run_.rows) {
        if (row.task != task || row.stamped != stamped) continue;
        if (first == nullptr || row.start < first->start) first = &row;
      }
    }
    return std::any_of(run_.rows.begin(), run_.rows.end(), [&](const RandomRow& row) {
      return &row != first && row.core == first->core && row.start <= x && x < row.end;
    });
  }

  const RandomRun& run_;
};

void ExpectBlame(const RandomRun& run, const ObservedPath& path, const Blame& blame) {
  const LiteralBlame literal(run);
  std::map<std::string, int> expected;
  capture::CycleSpan sum = blame.compute;
  for (const LiteralStep& step : LiteralPath(run, kTolerance).Observed()) {
    for (int x = step.gap_begin; x < step.task.start; ++x) {
      ++expected[literal.ClassOf(x, step.task.id)];
    }
  }
  for (size_t i = 0; i < kBlameClassCount; ++i) {
    const char* name = BlameClassName(static_cast<BlameClass>(i));
    EXPECT_EQ(blame.classes[i], expected[name]) << name;
    sum += blame.classes[i];
  }
  EXPECT_EQ(sum, path.makespan);
  ASSERT_EQ(blame.by_task.size(), path.tasks.size());
  for (size_t task = 0; task < path.tasks.size(); ++task) {
    capture::CycleSpan of_task = 0;
    for (capture::CycleSpan span : blame.by_task[task]) of_task += span;
    EXPECT_EQ(of_task, path.tasks[task].stall);
  }
}

bool AllDispatchesKnown(const RandomRun& run, const ObservedPath& path) {
  const LiteralBlame literal(run);
  return std::all_of(path.tasks.begin(), path.tasks.end(),
                     [&](const PathTask& task) { return literal.Dispatch(task.id).has_value(); });
}

TEST(BlameBruteForceTest, AgreesWithTheLiteralDefinitionAtEveryCycle) {
  std::mt19937 random(31415926);
  BlameSpans seen{};
  int unknown = 0;
  for (int i = 0; i < kRuns && !testing::Test::HasFailure(); ++i) {
    SCOPED_TRACE("run " + std::to_string(i));
    const RandomRun run = MakeRandomRun(random);
    const support::PreparedRun prepared(run.ToBuilder());
    const auto path = FindCriticalPath(prepared.inputs, {kTolerance});
    ASSERT_TRUE(path.ok()) << path.status();
    const auto blame = BlameObservedPath(prepared.inputs, path->observed);
    ASSERT_EQ(blame.ok(), AllDispatchesKnown(run, path->observed)) << blame.status();
    if (!blame.ok()) {
      ++unknown;
      continue;
    }
    ExpectBlame(run, path->observed, *blame);
    for (size_t c = 0; c < kBlameClassCount; ++c) seen[c] += blame->classes[c];
  }
  // The runs are varied enough to say something about every class and about missing stamps.
  for (size_t c = 0; c < kBlameClassCount; ++c) {
    EXPECT_GT(seen[c], kRuns / 50) << BlameClassName(static_cast<BlameClass>(c));
  }
  EXPECT_GT(unknown, 0);
}

}  // namespace
}  // namespace simpler::overhead
