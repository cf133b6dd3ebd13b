// Many threads on one store with little memory: every answer is one of the documented ones.
#include <gtest/gtest.h>

#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include "tests/support/temp_dir.h"
#include "tests/unit/daemon/store/imports.h"

namespace simpler::daemon {
namespace {

constexpr int kThreads = 6;
constexpr int kRounds = 40;

bool IsOkOrNotFound(const absl::Status& status) {
  return status.ok() || status.code() == absl::StatusCode::kNotFound;
}

// Returns the number of answers that must not be.
int UseStore(CaptureStore& store, const std::string& archive, int thread) {
  int wrong = 0;
  for (int round = 0; round < kRounds; ++round) {
    wrong += !ImportArchive(store, archive).ok();
    const auto captures = store.List({});
    for (const CaptureInfo& capture : captures) {
      wrong += !IsOkOrNotFound(store.Load(capture.id).status());
    }
    if (!captures.empty() && (round + thread) % 2 == 0) {
      wrong += !IsOkOrNotFound(store.Delete(captures.front().id));
    }
    if (captures.size() > 4) wrong += !IsOkOrNotFound(store.Delete(captures[2].id));
  }
  return wrong;
}

void StressStore(const std::string& directory) {
  const std::string archive = SmallArchive();
  const uint64_t bytes = ImportArchive(*OpenStore(""), archive)->capture.memory_bytes;
  const auto store = CaptureStore::Open({.budget_bytes = 3 * bytes,
                                         .max_imports = kThreads,
                                         .directory = directory,
                                         .now_unix_ms = {},
                                         .new_id = {}});
  ASSERT_TRUE(store.ok());
  std::atomic<int> wrong = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([&, i] { wrong += UseStore(**store, archive, i); });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
  uint64_t loaded = 0;
  for (const CaptureInfo& capture : (*store)->List({})) {
    if (capture.in_memory) loaded += capture.memory_bytes;
  }
  EXPECT_EQ((*store)->usage().used_bytes, loaded);
  EXPECT_LE(loaded, 3 * bytes);
}

TEST(StoreThreadsTest, MemoryOnly) { StressStore(""); }

TEST(StoreThreadsTest, WithDirectory) {
  const support::TempDir directory;
  StressStore(directory.path().string());
}

TEST(StoreThreadsTest, OneKeyIsStoredOnceHoweverManyImportIt) {
  const support::TempDir directory;
  const auto store = OpenStore(directory.path().string());
  const std::string archive = SmallArchive();
  std::vector<std::string> ids(4);
  std::vector<std::thread> threads;
  for (std::string& id : ids) {
    threads.emplace_back([&store, &archive, &id] {
      id = ImportArchive(*store, archive, {.idempotency_key = "one"})->capture.id;
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(ids, std::vector<std::string>(4, ids[0]));
  EXPECT_EQ(store->List({}).size(), 1u);
}

// Captures are equal objects only if they were decoded once.
TEST(StoreThreadsTest, LoadsOfOneCaptureAtTheSameTimeReadItOnce) {
  const support::TempDir directory;
  const std::string archive = SmallArchive();
  std::string id;
  {
    const auto store = OpenStore(directory.path().string());
    id = ImportArchive(*store, archive)->capture.id;
  }
  const auto store = OpenStore(directory.path().string());
  std::vector<std::shared_ptr<const capture::CaptureBundle>> loaded(4);
  std::vector<std::thread> threads;
  for (auto& bundle : loaded) {
    threads.emplace_back([&store, &id, &bundle] { bundle = *store->Load(id); });
  }
  for (std::thread& thread : threads) thread.join();
  for (const auto& bundle : loaded) EXPECT_EQ(bundle, loaded[0]);
}

}  // namespace
}  // namespace simpler::daemon
