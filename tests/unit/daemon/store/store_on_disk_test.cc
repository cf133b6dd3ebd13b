// A store with a directory: what survives restarts, evictions, damage and SIGKILL.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <string>

#include "daemon/store/capture_store.h"
#include "tests/support/temp_dir.h"
#include "tests/unit/daemon/store/imports.h"

namespace simpler::daemon {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::SizeIs;

const ImportLabels kLabels{.name = "case", .labels = {{"job", "7"}}, .idempotency_key = "key"};

std::set<std::string> FilesOf(const std::string& directory) {
  std::set<std::string> names;
  for (const auto& file : fs::directory_iterator(directory)) {
    names.insert(file.path().filename().string());
  }
  return names;
}

class StoreOnDiskTest : public ::testing::Test {
 protected:
  std::string File(const std::string& name) const { return directory_ + "/" + name; }

  void Overwrite(const std::string& name, const std::string& bytes) const {
    std::ofstream(File(name), std::ios::binary) << bytes;
  }

  const support::TempDir temp_;
  const std::string directory_ = (temp_.path() / "store").string();
};

TEST_F(StoreOnDiskTest, CapturesAndKeysSurviveARestart) {
  const std::string id = ImportArchive(*OpenStore(directory_), SmallArchive(), kLabels)->capture.id;
  EXPECT_EQ(FilesOf(directory_), (std::set<std::string>{".lock", id + ".entry", id + ".simpler"}));
  const auto store = OpenStore(directory_);
  const auto found = store->FindByKey("key");
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->id, id);
  EXPECT_EQ(found->import.labels, kLabels.labels);
  EXPECT_TRUE(found->on_disk);
  EXPECT_FALSE(found->in_memory);
  EXPECT_TRUE(store->Load(id).ok());
  EXPECT_TRUE(store->Get(id)->in_memory);
  EXPECT_EQ(store->usage().used_bytes, found->memory_bytes);
}

TEST_F(StoreOnDiskTest, OneStoreUsesADirectory) {
  const auto store = OpenStore(directory_);
  const auto second =
      CaptureStore::Open({.directory = directory_, .now_unix_ms = {}, .new_id = {}});
  EXPECT_EQ(second.status().code(), absl::StatusCode::kFailedPrecondition);
}

TEST_F(StoreOnDiskTest, AnEvictedCaptureIsReadBack) {
  const std::string archive = SmallArchive();
  const uint64_t bytes = ImportArchive(*OpenStore(""), archive)->capture.memory_bytes;
  const auto store = OpenStore(directory_, bytes);
  const std::string a = ImportArchive(*store, archive)->capture.id;
  const auto second = ImportArchive(*store, archive);
  ASSERT_THAT(second->evictions, SizeIs(1));
  EXPECT_TRUE(second->evictions[0].still_on_disk);
  EXPECT_FALSE(store->Get(a)->in_memory);
  EXPECT_TRUE(store->Load(a).ok());
  EXPECT_TRUE(store->Get(a)->in_memory);
  EXPECT_FALSE(store->Get(second->capture.id)->in_memory);
  EXPECT_EQ(store->usage().used_bytes, bytes);
}

TEST_F(StoreOnDiskTest, ADamagedEntryIsMadeAnew) {
  const auto before = ImportArchive(*OpenStore(directory_), SmallArchive(), kLabels)->capture;
  for (const std::string& bytes : {std::string(), std::string("damaged entry")}) {
    Overwrite(before.id + ".entry", bytes);
    const auto after = OpenStore(directory_)->Get(before.id);
    ASSERT_TRUE(after.ok());
    EXPECT_EQ(after->memory_bytes, before.memory_bytes);
    EXPECT_EQ(after->graph_tasks, before.graph_tasks);
    EXPECT_EQ(after->import.name, "");
  }
}

TEST_F(StoreOnDiskTest, DamageAfterTheImportNamesThePath) {
  const std::string archive = SmallArchive();
  const std::string id = ImportArchive(*OpenStore(directory_), archive)->capture.id;
  const auto store = OpenStore(directory_);
  Overwrite(id + ".simpler", archive.substr(0, archive.size() - 1));
  const auto damaged = store->Load(id).status();
  EXPECT_EQ(damaged.code(), absl::StatusCode::kDataLoss);
  EXPECT_THAT(std::string(damaged.message()), HasSubstr(File(id + ".simpler")));
}

TEST_F(StoreOnDiskTest, DeletingAndAbandoningLeaveNoFiles) {
  const auto store = OpenStore(directory_);
  const std::string id = ImportArchive(*store, SmallArchive())->capture.id;
  EXPECT_TRUE(store->Delete(id).ok());
  auto abandoned = *store->BeginImport({});
  ASSERT_TRUE(abandoned->Feed(SmallArchive().substr(0, 500)).ok());
  abandoned.reset();
  EXPECT_EQ(FilesOf(directory_), std::set<std::string>{".lock"});
}

TEST_F(StoreOnDiskTest, LeftoversOfInterruptedImportsAreRemoved) {
  OpenStore(directory_);
  Overwrite(".incoming-cap-000000000001", "part");
  Overwrite("cap-000000000001.entry", "entry");
  Overwrite("notes.txt", "not ours");
  EXPECT_TRUE(OpenStore(directory_)->List({}).empty());
  EXPECT_EQ(FilesOf(directory_), (std::set<std::string>{".lock", "notes.txt"}));
}

// Imports until it is killed; the pipe gets a byte when the first import begins.
[[noreturn]] void ImportForever(const std::string& directory, const std::string& archive, int fd) {
  const auto store = OpenStore(directory);
  if (write(fd, "!", 1) != 1 || store == nullptr) _exit(1);
  while (ImportArchive(*store, archive).ok()) {
  }
  _exit(1);
}

TEST_F(StoreOnDiskTest, AKilledProcessLeavesOnlyWholeCaptures) {
  const std::string archive = SmallArchive();
  for (unsigned round = 0; round < 50; ++round) {
    int ready[2];
    ASSERT_EQ(pipe(ready), 0);
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) ImportForever(directory_, archive, ready[1]);
    close(ready[1]);
    char byte = 0;
    ASSERT_EQ(read(ready[0], &byte, 1), 1);
    close(ready[0]);
    usleep(round * 131 % 4000);  // where the import is hit
    kill(child, SIGKILL);
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFSIGNALED(status));

    const auto store = OpenStore(directory_);
    ASSERT_NE(store, nullptr);
    const auto captures = store->List({});
    for (const CaptureInfo& capture : captures) {
      ASSERT_EQ(capture.archive_bytes, archive.size());
      ASSERT_TRUE(store->Load(capture.id).ok());
      ASSERT_TRUE(store->Delete(capture.id).ok());
    }
    ASSERT_EQ(FilesOf(directory_), std::set<std::string>{".lock"});
  }
}

}  // namespace
}  // namespace simpler::daemon
