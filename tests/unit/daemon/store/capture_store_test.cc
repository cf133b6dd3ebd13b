#include "daemon/store/capture_store.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "analysis/archive/crc32c.h"
#include "tests/support/bundle_difference.h"
#include "tests/unit/daemon/store/imports.h"

namespace simpler::daemon {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

std::string MessageOf(const absl::Status& status) { return std::string(status.message()); }

uint64_t MemoryOfArchive(const std::string& archive) {
  const auto store = OpenStore("");
  return ImportArchive(*store, archive)->capture.memory_bytes;
}

TEST(CaptureStoreTest, AnImportedCaptureIsListedAndLoadsUnchanged) {
  const auto bundle = support::GenerateBundle({.tasks = 50, .clusters = 1, .threads = 1});
  const std::string archive = support::ToArchive(bundle);
  const auto store = OpenStore("");
  const auto result = ImportArchive(*store, archive, {.name = "case", .labels = {{"job", "7"}}});
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_FALSE(result->already_stored);
  EXPECT_EQ(result->capture.import.name, "case");
  EXPECT_EQ(result->capture.archive_bytes, archive.size());
  EXPECT_EQ(result->capture.level, 4);
  EXPECT_EQ(result->capture.graph_tasks, bundle.graph->task_count());
  EXPECT_EQ(result->capture.runs.at(0).aicore_rows, bundle.capture.runs[0].aicore_row_count());
  EXPECT_TRUE(result->capture.in_memory);
  EXPECT_FALSE(result->capture.on_disk);
  const auto loaded = store->Load(result->capture.id);
  ASSERT_TRUE(loaded.ok()) << loaded.status();
  EXPECT_EQ(support::FirstDifference(**loaded, bundle), "");
  EXPECT_EQ(store->usage().used_bytes, result->capture.memory_bytes);
}

TEST(CaptureStoreTest, ListsByLabelsInTheOrderOfImports) {
  const auto store = OpenStore("");
  const std::string archive = SmallArchive();
  const auto first = ImportArchive(*store, archive, {.labels = {{"job", "1"}, {"rank", "0"}}});
  const auto second = ImportArchive(*store, archive, {.labels = {{"job", "1"}}});
  const auto all = store->List({{"job", "1"}});
  ASSERT_THAT(all, SizeIs(2));
  EXPECT_EQ(all[0].id, first->capture.id);
  EXPECT_EQ(all[1].id, second->capture.id);
  EXPECT_THAT(store->List({{"job", "1"}, {"rank", "0"}}), SizeIs(1));
  EXPECT_THAT(store->List({{"job", "2"}}), IsEmpty());
}

TEST(CaptureStoreTest, RefusesTextsThatAreNoPlainText) {
  const auto store = OpenStore("");
  const auto refused = [&](const ImportLabels& labels) {
    return store->BeginImport(labels).status().code() == absl::StatusCode::kInvalidArgument;
  };
  const std::string longest(256, 'x');
  EXPECT_FALSE(refused({.name = longest, .labels = {{"k", longest}}, .idempotency_key = "k"}));
  EXPECT_TRUE(refused({.name = longest + "x"}));
  EXPECT_TRUE(refused({.name = "a\nb"}));
  EXPECT_TRUE(refused({.name = "\xff"}));
  EXPECT_TRUE(refused({.labels = {{"", "v"}}}));
  EXPECT_TRUE(refused({.labels = {{"k", "\x7f"}}}));
  EXPECT_TRUE(refused({.labels = {}, .idempotency_key = longest + "x"}));
  ImportLabels many;
  for (int i = 0; i < 65; ++i) many.labels[std::to_string(i)] = "";
  EXPECT_TRUE(refused(many));
}

TEST(CaptureStoreTest, RefusesMoreImportsAtOnceThanAllowed) {
  const auto store =
      CaptureStore::Open({.max_imports = 1, .directory = "", .now_unix_ms = {}, .new_id = {}});
  auto held = (*store)->BeginImport({});
  EXPECT_EQ((*store)->BeginImport({}).status().code(), absl::StatusCode::kResourceExhausted);
  held->reset();
  EXPECT_TRUE((*store)->BeginImport({}).ok());
}

TEST(CaptureStoreTest, TheRefusalOfALargeCaptureNamesTheBudgetThatFits) {
  const std::string archive = SmallArchive();
  const uint64_t bytes = MemoryOfArchive(archive);
  EXPECT_TRUE(ImportArchive(*OpenStore("", bytes), archive).ok());
  for (const uint64_t budget : {bytes - 1, uint64_t{1}}) {
    const auto store = OpenStore("", budget);
    const auto refused = ImportArchive(*store, archive).status();
    EXPECT_EQ(refused.code(), absl::StatusCode::kResourceExhausted);
    EXPECT_THAT(MessageOf(refused), HasSubstr("at least " + std::to_string(bytes)));
    EXPECT_THAT(MessageOf(refused), HasSubstr("--store-bytes"));
    EXPECT_EQ(store->usage().captures, 0u);
  }
}

TEST(CaptureStoreTest, TheLeastRecentlyUsedCaptureMakesRoomAndItsIdSaysSo) {
  const std::string archive = SmallArchive();
  const auto store = OpenStore("", 2 * MemoryOfArchive(archive));
  const std::string a = ImportArchive(*store, archive)->capture.id;
  const std::string b = ImportArchive(*store, archive)->capture.id;
  ASSERT_TRUE(store->Load(a).ok());
  const auto third = ImportArchive(*store, archive);
  ASSERT_THAT(third->evictions, SizeIs(1));
  EXPECT_EQ(third->evictions[0].capture_id, b);
  EXPECT_FALSE(third->evictions[0].still_on_disk);
  EXPECT_THAT(store->evictions(), SizeIs(1));
  EXPECT_TRUE(store->Get(a).ok());
  const auto gone = store->Load(b).status();
  EXPECT_EQ(gone.code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(MessageOf(gone), HasSubstr("dropped"));
  EXPECT_THAT(MessageOf(gone), HasSubstr(third->capture.id));
}

TEST(CaptureStoreTest, AKnownKeyReturnsTheFirstCapture) {
  const auto store = OpenStore("");
  const ImportLabels labels{.labels = {}, .idempotency_key = "once"};
  EXPECT_FALSE(store->FindByKey("once").has_value());
  const std::string archive = SmallArchive();
  // Both are under way before either is done.
  auto first = *store->BeginImport(labels);
  auto second = *store->BeginImport(labels);
  ASSERT_TRUE(first->Feed(archive).ok());
  ASSERT_TRUE(second->Feed(archive).ok());
  const auto stored = first->Finish();
  const auto again = second->Finish();
  EXPECT_FALSE(stored->already_stored);
  EXPECT_TRUE(again->already_stored);
  EXPECT_EQ(again->capture.id, stored->capture.id);
  EXPECT_EQ(store->FindByKey("once")->id, stored->capture.id);
  EXPECT_EQ(store->usage().captures, 1u);
}

TEST(CaptureStoreTest, ADeletedCaptureStaysWithItsHolder) {
  const auto store = OpenStore("");
  const std::string id = ImportArchive(*store, SmallArchive())->capture.id;
  const auto held = *store->Load(id);
  EXPECT_TRUE(store->Delete(id).ok());
  EXPECT_EQ(held->capture.level, 4);
  EXPECT_EQ(store->usage().used_bytes, 0u);
  EXPECT_EQ(store->Load(id).status().code(), absl::StatusCode::kNotFound);
  EXPECT_EQ(store->Delete(id).code(), absl::StatusCode::kNotFound);
}

TEST(CaptureStoreTest, NothingOfADamagedOrCutArchiveIsStored) {
  const auto store = OpenStore("");
  const std::string archive = SmallArchive(1, 3);
  for (size_t at = 0; at < archive.size(); ++at) {
    std::string damaged = archive;
    damaged[at] = static_cast<char>(damaged[at] ^ 1);
    ASSERT_FALSE(ImportArchive(*store, damaged).ok()) << "byte " << at;
    ASSERT_FALSE(ImportArchive(*store, archive.substr(0, at)).ok()) << "cut at " << at;
  }
  EXPECT_EQ(store->usage().captures, 0u);
  EXPECT_TRUE(ImportArchive(*store, archive).ok());
}

TEST(CaptureStoreTest, AnArchiveOfANewerVersionIsSaidToBeNewer) {
  const auto store = OpenStore("");
  std::string archive = SmallArchive();
  archive[8] = 2;  // the major version, which the checksum at 12 covers
  const uint32_t checksum = archive::Crc32c(std::string_view(archive).substr(0, 12));
  for (size_t i = 0; i < 4; ++i) archive[12 + i] = static_cast<char>(checksum >> (8 * i));
  EXPECT_EQ(ImportArchive(*store, archive).status().code(), absl::StatusCode::kUnimplemented);
}

}  // namespace
}  // namespace simpler::daemon
