#include "daemon/query/flight_cache.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <deque>
#include <random>
#include <string>
#include <thread>
#include <vector>

namespace simpler::daemon {
namespace {

using testing::ElementsAre;

using Cache = FlightCache<std::string, int>;

// Runs work when the test says so, in the order of posting.
class ManualExecutor final : public Executor {
 public:
  absl::Status Post(Work work) override {
    if (full) return absl::ResourceExhaustedError("full");
    work_.push_back(std::move(work));
    return absl::OkStatus();
  }
  void PostAccepted(Work work) override { work_.push_back(std::move(work)); }
  void PostAnswer(Work work) override { work_.push_back(std::move(work)); }

  bool RunOne() {
    if (work_.empty()) return false;
    const Work work = std::move(work_.front());
    work_.pop_front();
    work();
    return true;
  }
  void RunAll() {
    while (RunOne()) {
    }
  }

  bool full = false;

 private:
  std::deque<Work> work_;
};

// Collects answers as text.
class FlightCacheTest : public testing::Test {
 protected:
  // Asks for the length of `key`.
  void Ask(const std::string& key, const std::stop_token& stop = {}) {
    cache.Get(
        key, stop,
        [this, key](const std::stop_token&, const Cache::Done& done) {
          ++computations;
          done(std::make_shared<const int>(static_cast<int>(key.size())));
        },
        Collect());
  }
  // Asks for something that is computed when `Land` is called.
  void AskSlow(const std::string& key, const std::stop_token& stop = {}) {
    cache.Get(
        key, stop,
        [this](const std::stop_token& abandoned, Cache::Done done) {
          ++computations;
          flights.emplace_back(abandoned, std::move(done));
        },
        Collect());
  }
  void Land(size_t flight, Cache::Result result) {
    flights[flight].second(std::move(result));
    executor.RunAll();
  }

  Cache::Done Collect() {
    return [this](Cache::Result result) {
      answers.push_back(result.ok() ? std::to_string(**result)
                                    : absl::StatusCodeToString(result.status().code()));
    };
  }

  static Cache::Result Value(int value) { return std::make_shared<const int>(value); }

  ManualExecutor executor;
  Cache cache{10, [](const int& value) { return static_cast<uint64_t>(value); }, &executor};
  int computations = 0;
  std::vector<std::pair<std::stop_token, Cache::Done>> flights;
  std::vector<std::string> answers;
};

TEST_F(FlightCacheTest, EqualQuestionsShareOneComputation) {
  for (int i = 0; i < 64; ++i) Ask("abc");
  executor.RunAll();
  EXPECT_EQ(computations, 1);
  EXPECT_EQ(answers, std::vector<std::string>(64, "3"));
  EXPECT_EQ(cache.counts().computed, 1u);
  EXPECT_EQ(cache.counts().shared, 63u);
}

TEST_F(FlightCacheTest, ResultsAreKeptUntilTheBudgetIsUsed) {
  Ask("aaaa");
  Ask("bbbb");
  executor.RunAll();
  EXPECT_EQ(cache.used(), 8u);
  Ask("aaaa");  // most recently used now
  Ask("ccc");   // 8 + 3 > 10: bbbb goes
  executor.RunAll();
  EXPECT_EQ(cache.used(), 7u);
  EXPECT_EQ(computations, 3);
  Ask("aaaa");
  executor.RunAll();
  EXPECT_EQ(computations, 3);
  Ask("bbbb");
  executor.RunAll();
  EXPECT_EQ(computations, 4);
}

TEST_F(FlightCacheTest, WhatIsLargerThanTheBudgetIsNotKept) {
  Ask("elevenchars");
  executor.RunAll();
  EXPECT_THAT(answers, ElementsAre("11"));
  EXPECT_EQ(cache.used(), 0u);
  Ask("elevenchars");
  executor.RunAll();
  EXPECT_EQ(computations, 2);
}

TEST_F(FlightCacheTest, ErrorsReachEveryoneAndAreNotKept) {
  AskSlow("a");
  AskSlow("a");
  executor.RunAll();
  Land(0, absl::DataLossError("broken"));
  EXPECT_THAT(answers, ElementsAre("DATA_LOSS", "DATA_LOSS"));
  Ask("a");
  executor.RunAll();
  EXPECT_EQ(computations, 2);
  EXPECT_EQ(answers.back(), "1");
}

TEST_F(FlightCacheTest, AFullExecutorIsAnAnswer) {
  executor.full = true;
  Ask("a");
  executor.RunAll();
  EXPECT_THAT(answers, ElementsAre("RESOURCE_EXHAUSTED"));
  executor.full = false;
  Ask("a");
  executor.RunAll();
  EXPECT_EQ(answers.back(), "1");
}

TEST_F(FlightCacheTest, WhoGivesUpIsAnsweredAtOnceAndTheOthersLater) {
  std::stop_source stop;
  AskSlow("a", stop.get_token());
  AskSlow("a");
  executor.RunAll();
  stop.request_stop();
  executor.RunAll();
  EXPECT_THAT(answers, ElementsAre("CANCELLED"));
  EXPECT_FALSE(flights[0].first.stop_requested());
  Land(0, Value(5));
  EXPECT_THAT(answers, ElementsAre("CANCELLED", "5"));
}

TEST_F(FlightCacheTest, TheComputationIsStoppedWhenNobodyWaits) {
  std::stop_source first, second;
  AskSlow("a", first.get_token());
  AskSlow("a", second.get_token());
  executor.RunAll();
  first.request_stop();
  EXPECT_FALSE(flights[0].first.stop_requested());
  second.request_stop();
  EXPECT_TRUE(flights[0].first.stop_requested());
  // Who asks now does not get the result of the abandoned one.
  AskSlow("a");
  executor.RunAll();
  ASSERT_EQ(flights.size(), 2u);
  Land(0, absl::CancelledError("stopped"));
  EXPECT_THAT(answers, ElementsAre("CANCELLED", "CANCELLED"));
  Land(1, Value(7));
  EXPECT_EQ(answers.back(), "7");
}

TEST_F(FlightCacheTest, AComputationThatNobodyWaitsForAnyMoreIsNotBegun) {
  std::stop_source stop;
  Ask("a", stop.get_token());
  stop.request_stop();
  executor.RunAll();
  EXPECT_THAT(answers, ElementsAre("CANCELLED"));
  EXPECT_EQ(computations, 0);
}

TEST_F(FlightCacheTest, ACallerThatGaveUpBeforeAskingCostsNothing) {
  std::stop_source stop;
  stop.request_stop();
  Ask("a", stop.get_token());
  executor.RunAll();
  EXPECT_THAT(answers, ElementsAre("CANCELLED"));
  EXPECT_EQ(cache.counts().computed, 0u);
}

TEST_F(FlightCacheTest, GivingUpAfterTheAnswerChangesNothing) {
  std::stop_source stop;
  Ask("a", stop.get_token());
  executor.RunAll();
  stop.request_stop();
  executor.RunAll();
  EXPECT_THAT(answers, ElementsAre("1"));
}

TEST_F(FlightCacheTest, GivingUpBetweenResultAndAnswerStillGivesOneAnswer) {
  std::stop_source stop;
  AskSlow("a", stop.get_token());
  executor.RunAll();
  flights[0].second(Value(4));
  stop.request_stop();
  executor.RunAll();
  EXPECT_THAT(answers, ElementsAre("4"));
}

TEST_F(FlightCacheTest, ErasedKeysAreComputedAnew) {
  Ask("aa");
  AskSlow("bb");
  executor.RunAll();
  cache.EraseIf([](const std::string&) { return true; });
  EXPECT_EQ(cache.used(), 0u);
  Land(0, Value(2));  // whoever asked before still gets it, but it is not kept
  EXPECT_THAT(answers, ElementsAre("2", "2"));
  EXPECT_EQ(cache.used(), 0u);
  Ask("aa");
  Ask("bb");
  executor.RunAll();
  EXPECT_EQ(computations, 4);
}

TEST_F(FlightCacheTest, TheOldestIdleValueCanBeEvictedByHand) {
  std::shared_ptr<const int> held;
  cache.Get(
      "a", {}, [](const std::stop_token&, const Cache::Done& done) { done(Value(1)); },
      [&held](const Cache::Result& result) { held = *result; });
  executor.RunAll();
  Ask("aa");
  Ask("bbb");
  executor.RunAll();
  EXPECT_TRUE(cache.EvictOldestIdle());
  EXPECT_EQ(cache.used(), 4u);
  EXPECT_TRUE(cache.EvictOldestIdle());
  EXPECT_FALSE(cache.EvictOldestIdle());
  held.reset();
  EXPECT_TRUE(cache.EvictOldestIdle());
  EXPECT_EQ(cache.used(), 0u);
}

TEST_F(FlightCacheTest, StepsOfAcceptedQuestionsAreNotRefused) {
  executor.full = true;
  cache.Get(
      "a", {}, [](const std::stop_token&, const Cache::Done& done) { done(Value(1)); }, Collect(),
      Admission::kAccepted);
  executor.RunAll();
  EXPECT_THAT(answers, ElementsAre("1"));
}

TEST_F(FlightCacheTest, ClosingReachesErasedFlights) {
  AskSlow("a");
  executor.RunAll();
  cache.EraseIf([](const std::string&) { return true; });
  cache.Close();
  executor.RunAll();
  EXPECT_TRUE(flights[0].first.stop_requested());
  EXPECT_THAT(answers, ElementsAre("CANCELLED"));
  Land(0, Value(1));
  EXPECT_EQ(answers.size(), 1u);
}

TEST_F(FlightCacheTest, ClosingAnswersEveryoneAndStopsComputations) {
  AskSlow("a");
  executor.RunAll();
  AskSlow("b");
  cache.Close();
  EXPECT_TRUE(flights[0].first.stop_requested());
  Ask("c");
  executor.RunAll();
  EXPECT_THAT(answers, ElementsAre("CANCELLED", "CANCELLED", "CANCELLED"));
  EXPECT_EQ(computations, 1);
  Land(0, Value(1));
  EXPECT_EQ(answers.size(), 3u);
}

// Many threads ask, give up and evict; every question gets exactly one answer, and a right one.
TEST(FlightCacheStressTest, EveryQuestionGetsOneAnswer) {
  constexpr int kThreads = 4;
  constexpr int kQuestions = 2000;
  std::atomic<int> answers = 0;
  std::atomic<int> wrong = 0;
  {
    WorkerPool pool(3, 1'000'000);
    FlightCache<int, int> cache(
        40, [](const int&) { return uint64_t{10}; }, &pool);
    const auto ask = [&](int seed) {
      std::minstd_rand random(static_cast<unsigned>(seed));
      for (int i = 0; i < kQuestions; ++i) {
        const int key = static_cast<int>(random() % 8);
        std::stop_source stop;
        cache.Get(
            key, stop.get_token(),
            [key](const std::stop_token&, const auto& done) {
              done(std::make_shared<const int>(key * key));
            },
            [&answers, &wrong, key](const absl::StatusOr<std::shared_ptr<const int>>& result) {
              ++answers;
              const bool right = result.ok()
                                     ? **result == key * key
                                     : result.status().code() == absl::StatusCode::kCancelled;
              if (!right) ++wrong;
            });
        if (random() % 3 == 0) stop.request_stop();
        if (random() % 50 == 0) cache.EvictOldestIdle();
        if (random() % 70 == 0) cache.EraseIf([key](int other) { return other == key; });
      }
    };
    std::vector<std::thread> threads;
    for (int i = 0; i < kThreads; ++i) threads.emplace_back(ask, i + 1);
    for (std::thread& thread : threads) thread.join();
    cache.Close();
    while (answers < kThreads * kQuestions) std::this_thread::yield();
  }
  EXPECT_EQ(answers, kThreads * kQuestions);
  EXPECT_EQ(wrong, 0);
}

}  // namespace
}  // namespace simpler::daemon
