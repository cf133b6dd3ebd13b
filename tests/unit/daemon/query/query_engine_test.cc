#include "daemon/query/query_engine.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <latch>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "analysis/report/bundle_inputs.h"
#include "analysis/report/report_json.h"
#include "analysis/report/trace_summary.h"
#include "tests/support/generated_archive.h"
#include "tests/support/temp_dir.h"

namespace simpler::daemon {
namespace {

using testing::HasSubstr;
using AnalysisResult = absl::StatusOr<std::shared_ptr<const AnalyzedCapture>>;
using TraceResult = absl::StatusOr<std::shared_ptr<const SpooledTrace>>;

class QueryEngineTest : public testing::Test {
 protected:
  QueryEngineTest() : store(*CaptureStore::Open({})) { Restart({}); }

  void Restart(EngineOptions options) {
    engine.reset();
    options.spool_directory = directory.path().string();
    auto created = QueryEngine::Create(options, store.get());
    ASSERT_TRUE(created.ok()) << created.status();
    engine = *std::move(created);
  }

  std::string Import(const capture::CaptureBundle& bundle) {
    auto import = store->BeginImport({});
    EXPECT_TRUE((*import)->Feed(support::ToArchive(bundle)).ok());
    return (*import)->Finish()->capture.id;
  }
  std::string ImportGenerated(uint32_t tasks = 300) {
    return Import(support::GenerateBundle({.tasks = tasks}));
  }

  AnalysisResult Analyze(const RunKey& run) {
    AnalysisResult answer = absl::UnknownError("no answer");
    std::latch answered(1);
    engine->Analyze(run, std::nullopt, {}, [&](AnalysisResult result) {
      answer = std::move(result);
      answered.count_down();
    });
    answered.wait();
    return answer;
  }

  TraceResult Trace(const std::string& id, const timeline::TraceRequest& request = {}) {
    TraceResult answer = absl::UnknownError("no answer");
    std::latch answered(1);
    engine->RenderTrace({.capture_id = id}, request, {}, [&](TraceResult result) {
      answer = std::move(result);
      answered.count_down();
    });
    answered.wait();
    return answer;
  }

  TraceResult Archive(const std::string& id) {
    TraceResult answer = absl::UnknownError("no answer");
    std::latch answered(1);
    engine->RenderArchive(id, {}, [&](TraceResult result) {
      answer = std::move(result);
      answered.count_down();
    });
    answered.wait();
    return answer;
  }

  static std::string Bytes(const SpooledTrace& trace) {
    std::string bytes;
    while (bytes.size() < trace.size()) bytes += trace.Read(bytes.size())->data();
    return bytes;
  }

  // Occupies the only query thread of an engine until the notification.
  void Block(std::latch* go) {
    std::latch started(1);
    ASSERT_TRUE(engine
                    ->Post([&started, go] {
                      started.count_down();
                      go->wait();
                    })
                    .ok());
    started.wait();
  }

  support::TempDir directory;
  std::unique_ptr<CaptureStore> store;
  std::unique_ptr<QueryEngine> engine;
};

TEST_F(QueryEngineTest, AnswersAreThoseOfTheLibrary) {
  const capture::CaptureBundle bundle = support::GenerateBundle({.tasks = 300});
  const auto answer = Analyze({.capture_id = Import(bundle)});
  ASSERT_TRUE(answer.ok()) << answer.status();
  const auto expected = report::Analyze(*report::InputsOf(bundle, 0));
  EXPECT_EQ(report::ReportJson((*answer)->analysis), report::ReportJson(*expected));
}

TEST_F(QueryEngineTest, SixtyFourQuestionsCostOneComputation) {
  const std::string id = ImportGenerated();
  constexpr int kAsking = 64;
  std::latch waiting(kAsking);
  std::mutex mutex;
  std::vector<const AnalyzedCapture*> answers;
  for (int i = 0; i < kAsking; ++i) {
    engine->Analyze({.capture_id = id}, std::nullopt, {}, [&](const AnalysisResult& result) {
      {
        const std::lock_guard lock(mutex);
        answers.push_back(result.ok() ? result->get() : nullptr);
      }
      waiting.count_down();
    });
  }
  waiting.wait();
  EXPECT_NE(answers.front(), nullptr);
  EXPECT_THAT(answers, testing::Each(answers.front()));
  EXPECT_EQ(engine->usage().analyses_computed, 1u);
  EXPECT_EQ(engine->usage().analyses_shared, 63u);
}

TEST_F(QueryEngineTest, OptionsHaveAnswersOfTheirOwn) {
  const std::string id = ImportGenerated();
  const auto plain = Analyze({.capture_id = id});
  const auto strict = Analyze({.capture_id = id, .strict = true});
  EXPECT_EQ(engine->usage().analyses_computed, 2u);
  ASSERT_TRUE(plain.ok() && strict.ok()) << strict.status();
  EXPECT_NE(*plain, *strict);
}

TEST_F(QueryEngineTest, UnknownCapturesAndRunsAreNamed) {
  const auto unknown = Analyze({.capture_id = "cap-000000000000"});
  EXPECT_EQ(unknown.status().code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(std::string(unknown.status().message()), HasSubstr("cap-000000000000"));
  const auto beyond = Analyze({.capture_id = ImportGenerated(), .run_index = 3});
  EXPECT_EQ(beyond.status().code(), absl::StatusCode::kOutOfRange);
  EXPECT_THAT(std::string(beyond.status().message()), HasSubstr("there is no run 3"));
  EXPECT_EQ(Trace("cap-000000000000").status().code(), absl::StatusCode::kNotFound);
  EXPECT_EQ(Archive("cap-000000000000").status().code(), absl::StatusCode::kNotFound);
}

TEST_F(QueryEngineTest, AFullQueueIsAnAnswer) {
  Restart({.threads = 1, .max_queued = 1});
  const std::string id = ImportGenerated();
  std::latch go(1);
  Block(&go);
  ASSERT_TRUE(engine->Post([] {}).ok());
  std::latch answered(1);
  absl::Status status;
  engine->Analyze({.capture_id = id}, std::nullopt, {}, [&](const AnalysisResult& result) {
    status = result.status();
    answered.count_down();
  });
  go.count_down();
  answered.wait();
  EXPECT_EQ(status.code(), absl::StatusCode::kResourceExhausted);
}

TEST_F(QueryEngineTest, WhatIsLeftOfAcceptedWorkTakesNoPlaceInTheQueue) {
  Restart({.threads = 1, .max_queued = 1});
  std::latch go(1);
  Block(&go);
  std::latch ran(2);
  engine->PostAccepted([&ran] { ran.count_down(); });
  EXPECT_TRUE(engine->Post([&ran] { ran.count_down(); }).ok());
  go.count_down();
  ran.wait();
}

TEST_F(QueryEngineTest, WhoGivesUpWhileQueuedCostsNothing) {
  Restart({.threads = 1});
  const std::string id = ImportGenerated();
  std::latch go(1), answered(1);
  Block(&go);
  std::stop_source stop;
  absl::Status status;
  engine->Analyze({.capture_id = id}, std::nullopt, stop.get_token(),
                  [&](const AnalysisResult& result) {
                    status = result.status();
                    answered.count_down();
                  });
  stop.request_stop();
  go.count_down();
  answered.wait();
  EXPECT_EQ(status.code(), absl::StatusCode::kCancelled);
  EXPECT_EQ(engine->usage().analysis_cache_used_bytes, 0u);
}

TEST_F(QueryEngineTest, TheDestructorAnswersEveryone) {
  Restart({.threads = 1});
  const std::string id = ImportGenerated();
  std::latch go(1);
  Block(&go);
  std::vector<absl::StatusCode> codes;
  for (int i = 0; i < 3; ++i) {
    engine->Analyze({.capture_id = id}, i, {},
                    [&](const AnalysisResult& result) { codes.push_back(result.status().code()); });
  }
  std::thread release([&go] { go.count_down(); });
  engine.reset();
  release.join();
  EXPECT_EQ(codes.size(), 3u);
}

TEST_F(QueryEngineTest, TracesAreThoseOfTheLibraryAndRenderedOnce) {
  const capture::CaptureBundle bundle = support::GenerateBundle({.tasks = 2000});
  const std::string id = Import(bundle);
  const auto analysis = report::Analyze(*report::InputsOf(bundle, 0));
  for (const auto format : {timeline::TraceFormat::kPerfetto, timeline::TraceFormat::kChromeJson}) {
    const timeline::TraceRequest request{.format = format, .overhead_counters = true};
    const auto trace = Trace(id, request);
    ASSERT_TRUE(trace.ok()) << trace.status();
    std::string expected;
    timeline::StringSink sink(&expected);
    const auto summary = timeline::WriteTrace(format, report::TimelineInputsOf(*analysis),
                                              *timeline::OptionsFor(request), sink);
    ASSERT_TRUE(summary.ok());
    EXPECT_TRUE(Bytes(**trace) == expected);
    EXPECT_EQ(report::TraceSummaryJson(*(*trace)->summary()), report::TraceSummaryJson(*summary));
    EXPECT_EQ(*Trace(id, request), *trace);
  }
  EXPECT_EQ(engine->usage().traces_rendered, 2u);
  EXPECT_EQ(engine->usage().traces_shared, 2u);
  EXPECT_EQ(engine->usage().analyses_computed, 1u);
}

TEST_F(QueryEngineTest, ARenderedTraceThatWasDroppedComesBackWithTheSameTag) {
  const std::string id = ImportGenerated();
  const std::string etag = (*Trace(id))->etag();
  engine->Forget(id);
  // The thread that answered may be about to let go of the trace.
  while (engine->usage().spool_used_bytes > 0) std::this_thread::yield();
  EXPECT_EQ((*Trace(id))->etag(), etag);
  EXPECT_EQ(engine->usage().traces_rendered, 2u);
}

TEST_F(QueryEngineTest, CapturesThatLeaveMemoryAreNotHeldByTheCache) {
  const std::string probe = ImportGenerated();
  const uint64_t each = store->Get(probe)->memory_bytes;
  engine.reset();
  store = *CaptureStore::Open({.budget_bytes = each});
  Restart({});
  const std::string first = ImportGenerated();
  std::weak_ptr<const capture::CaptureBundle> bundle = (*Analyze({.capture_id = first}))->bundle;
  EXPECT_GT(engine->usage().analysis_cache_used_bytes, 0u);
  ImportGenerated();
  EXPECT_EQ(engine->usage().analysis_cache_used_bytes, 0u);
  engine.reset();  // also waits for what still runs
  EXPECT_TRUE(bundle.expired());
}

TEST_F(QueryEngineTest, BadTraceOptionsAreRefused) {
  const std::string id = ImportGenerated();
  EXPECT_EQ(Trace(id, {.flows = {"sideways"}}).status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(Trace(id, {.from_us = 5.0, .to_us = 5.0}).status().code(),
            absl::StatusCode::kInvalidArgument);
}

TEST_F(QueryEngineTest, ArchivesAreThoseThatWereImported) {
  const capture::CaptureBundle bundle = support::GenerateBundle({.tasks = 300});
  const auto archive = Archive(Import(bundle));
  ASSERT_TRUE(archive.ok()) << archive.status();
  EXPECT_TRUE(Bytes(**archive) == support::ToArchive(bundle));
  EXPECT_FALSE((*archive)->summary().has_value());
}

TEST_F(QueryEngineTest, ASmallSpoolHoldsTheTraceThatWasAskedForLast) {
  const std::string first = ImportGenerated(2000), second = ImportGenerated(2000);
  const uint64_t size = (*Trace(first))->size();
  Restart({.spool_bytes = size + size / 2});
  EXPECT_TRUE(Trace(first).ok());
  EXPECT_TRUE(Trace(second).ok());
  EXPECT_EQ(engine->usage().spool_used_bytes, size);
  Restart({.spool_bytes = size - 1});
  EXPECT_THAT(std::string(Trace(first).status().message()),
              HasSubstr("at least " + std::to_string(size)));
}

}  // namespace
}  // namespace simpler::daemon
