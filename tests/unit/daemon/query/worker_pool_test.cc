#include "daemon/query/worker_pool.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <latch>
#include <string>
#include <vector>

namespace simpler::daemon {
namespace {

TEST(WorkerPoolTest, RunsEverythingBeforeItEnds) {
  std::atomic<int> runs = 0;
  {
    WorkerPool pool(3, 1000);
    for (int i = 0; i < 500; ++i) ASSERT_TRUE(pool.Post([&] { ++runs; }).ok());
  }
  EXPECT_EQ(runs, 500);
}

TEST(WorkerPoolTest, WorkThatRunningWorkPostsStillRuns) {
  std::atomic<int> runs = 0;
  {
    WorkerPool pool(2, 10);
    ASSERT_TRUE(pool.Post([&] {
                      pool.PostAnswer([&] {
                        ++runs;
                        pool.PostAnswer([&] { ++runs; });
                      });
                    })
                    .ok());
  }
  EXPECT_EQ(runs, 2);
}

TEST(WorkerPoolTest, AFullQueueRefusesWorkButNotAnswers) {
  std::atomic<int> runs = 0;
  {
    std::latch started(1), go(1);
    WorkerPool pool(1, 2);
    ASSERT_TRUE(pool.Post([&] {
                      started.count_down();
                      go.wait();
                    })
                    .ok());
    started.wait();
    EXPECT_TRUE(pool.Post([&] { ++runs; }).ok());
    EXPECT_TRUE(pool.Post([&] { ++runs; }).ok());
    const absl::Status refused = pool.Post([&] { ++runs; });
    EXPECT_EQ(refused.code(), absl::StatusCode::kResourceExhausted);
    EXPECT_THAT(std::string(refused.message()), testing::HasSubstr("2 questions wait already"));
    pool.PostAnswer([&] { ++runs; });
    go.count_down();
  }
  EXPECT_EQ(runs, 3);
}

TEST(WorkerPoolTest, AnswersDoNotWaitForWork) {
  std::string order;
  {
    std::latch started(1), go(1);
    WorkerPool pool(1, 10);
    ASSERT_TRUE(pool.Post([&] {
                      started.count_down();
                      go.wait();
                    })
                    .ok());
    started.wait();
    ASSERT_TRUE(pool.Post([&] { order += 'w'; }).ok());
    pool.PostAccepted([&] { order += 's'; });
    pool.PostAnswer([&] { order += 'a'; });
    go.count_down();
  }
  EXPECT_EQ(order, "aws");
}

TEST(WorkerPoolTest, WorkRunsInTheOrderOfPosting) {
  std::vector<int> order;
  {
    WorkerPool pool(1, 100);
    for (int i = 0; i < 50; ++i) ASSERT_TRUE(pool.Post([&order, i] { order.push_back(i); }).ok());
  }
  EXPECT_EQ(order.size(), 50u);
  EXPECT_TRUE(std::is_sorted(order.begin(), order.end()));
}

}  // namespace
}  // namespace simpler::daemon
