#include "daemon/server/control_thread.h"

#include <csignal>
#include <future>
#include <memory>

#include "gtest/gtest.h"

namespace simpler::daemon {
namespace {

using std::chrono::milliseconds;

TEST(ControlThreadTest, RunsLater) {
  ControlThread control;
  std::promise<void> ran;
  control.RunLater(milliseconds(1), [&ran] { ran.set_value(); });
  ran.get_future().get();
}

TEST(ControlThreadTest, RepeatsUntilToldToStop) {
  ControlThread control;
  std::promise<int> runs;
  control.RunEvery(milliseconds(1), [&runs, count = std::make_shared<int>(0)] {
    if (++*count < 3) return true;
    runs.set_value(*count);
    return false;
  });
  EXPECT_EQ(runs.get_future().get(), 3);
}

TEST(ControlThreadTest, DropsWhatHasNotRun) {
  const auto token = std::make_shared<int>(0);
  {
    ControlThread control;
    control.RunLater(std::chrono::hours(24), [token] { FAIL(); });
  }
  EXPECT_EQ(token.use_count(), 1);
}

TEST(ControlThreadTest, SeesEverySignal) {
  ControlThread control;
  std::promise<int> first, second;
  control.OnSignal({SIGUSR1}, [&, seen = std::make_shared<bool>(false)](int signal) {
    (*seen ? second : first).set_value(signal);
    *seen = true;
  });
  std::raise(SIGUSR1);
  EXPECT_EQ(first.get_future().get(), SIGUSR1);
  std::raise(SIGUSR1);
  EXPECT_EQ(second.get_future().get(), SIGUSR1);
}

}  // namespace
}  // namespace simpler::daemon
