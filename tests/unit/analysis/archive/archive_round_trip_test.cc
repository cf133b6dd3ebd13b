// Writing a bundle and reading the archive gives the same bundle, in every column and flag.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analysis/archive/archive_reader.h"
#include "analysis/archive/archive_writer.h"
#include "analysis/archive/format.h"
#include "analysis/formats/deps_reader.h"
#include "analysis/formats/records_reader.h"
#include "tests/support/bundle_difference.h"
#include "tests/support/temp_dir.h"
#include "tests/support/test_data.h"
#include "tests/unit/analysis/archive/sample_bundle.h"

namespace simpler::archive {
namespace {

using capture::AicoreTaskBlock;
using capture::CaptureBundle;
using capture::SchedulerPhaseBlock;
using support::FirstDifference;
using ::testing::HasSubstr;

// Reads an archive that arrives in pieces of `piece` bytes.
absl::StatusOr<CaptureBundle> ReadInPieces(std::string_view bytes, size_t piece) {
  ArchiveDecoder decoder("test.simpler");
  for (; !bytes.empty(); bytes.remove_prefix(std::min(piece, bytes.size()))) {
    if (absl::Status status = decoder.Feed(bytes.substr(0, piece)); !status.ok()) return status;
  }
  return decoder.Finish();
}

// What is different after writing and reading; empty when nothing is.
std::string RoundTripDifference(const CaptureBundle& bundle) {
  const auto read = ReadInPieces(Archive(bundle), SIZE_MAX);
  return read.ok() ? FirstDifference(bundle, *read) : std::string(read.status().message());
}

std::string WriteError(const CaptureBundle& bundle) {
  std::string bytes;
  timeline::StringSink sink(&bytes);
  return std::string(WriteArchive(bundle, &sink).message());
}

CaptureBundle BundleOf(AicoreTaskBlock block) {
  CaptureBundle bundle = EmptyBundle();
  bundle.capture.runs[0].aicore_tasks.push_back(
      std::make_shared<const AicoreTaskBlock>(std::move(block)));
  return bundle;
}

CaptureBundle BundleOf(SchedulerPhaseBlock block) {
  CaptureBundle bundle = EmptyBundle();
  bundle.capture.runs[0].scheduler_streams.emplace_back().blocks.push_back(
      std::make_shared<const SchedulerPhaseBlock>(std::move(block)));
  return bundle;
}

AicoreTaskBlock AicoreRows(size_t rows) {
  AicoreTaskBlock block;
  for (size_t i = 0; i < rows; ++i) {
    block.core_id.push_back(static_cast<capture::CoreId>(i % 48));
    block.task_id.push_back(i);
    block.reg_task_id.push_back(static_cast<uint32_t>(i / 48));
    block.start.push_back({static_cast<int64_t>(100 * i)});
    block.end.push_back({static_cast<int64_t>(100 * i + i % 77)});
  }
  return block;
}

SchedulerPhaseBlock PhaseRows(size_t rows) {
  SchedulerPhaseBlock block;
  for (size_t i = 0; i < rows; ++i) {
    block.start.push_back({static_cast<int64_t>(i)});
    block.end.push_back({static_cast<int64_t>(i)});
  }
  block.kind.resize(rows);
  block.present.resize(rows);
  block.loop_iter.resize(rows);
  block.tasks_processed.resize(rows);
  block.task_id.resize(rows);
  block.pop_hit.resize(rows);
  block.pop_miss.resize(rows);
  block.depths_at_start.resize(rows);
  block.depths_at_end.resize(rows);
  return block;
}

TEST(ArchiveRoundTripTest, KeepsEveryPartOfABundle) {
  EXPECT_EQ(RoundTripDifference(FullBundle()), "");
}

TEST(ArchiveRoundTripTest, KeepsABundleWithoutRecords) {
  EXPECT_EQ(RoundTripDifference(EmptyBundle()), "");
}

TEST(ArchiveRoundTripTest, KeepsRandomBundles) {
  for (uint64_t seed = 0; seed < 300; ++seed) {
    ASSERT_EQ(RoundTripDifference(RandomBundle(seed)), "") << "seed " << seed;
  }
}

TEST(ArchiveRoundTripTest, GivesEqualBytesForWhatWasRead) {
  for (uint64_t seed = 0; seed < 100; ++seed) {
    const std::string bytes = Archive(RandomBundle(seed));
    const auto read = ReadInPieces(bytes, SIZE_MAX);
    ASSERT_TRUE(read.ok()) << read.status();
    ASSERT_EQ(Archive(*read), bytes) << "seed " << seed;
  }
}

TEST(ArchiveRoundTripTest, AcceptsBytesInPiecesOfAnySize) {
  const CaptureBundle bundle = FullBundle();
  const std::string bytes = Archive(bundle);
  for (size_t piece : {1, 2, 3, 15, 16, 17, 100, 1000}) {
    const auto read = ReadInPieces(bytes, piece);
    ASSERT_TRUE(read.ok()) << piece << ": " << read.status();
    EXPECT_EQ(FirstDifference(bundle, *read), "") << piece;
  }
}

TEST(ArchiveRoundTripTest, CutsLargeBlocks) {
  const CaptureBundle bundle = BundleOf(AicoreRows(2 * kRowsPerBlock + 1));
  const auto read = ReadInPieces(Archive(bundle), SIZE_MAX);
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(FirstDifference(bundle, *read), "");
  const auto& blocks = read->capture.runs[0].aicore_tasks;
  ASSERT_EQ(blocks.size(), 3u);
  EXPECT_EQ(blocks[0]->size(), kRowsPerBlock);
  EXPECT_EQ(blocks[2]->size(), 1u);
}

TEST(ArchiveRoundTripTest, CutsTextsThatAreLongerThanASection) {
  CaptureBundle bundle = EmptyBundle();
  bundle.capture.opaque = {
      {"before", "1"}, {"long", std::string(2 * kMaxSectionBytes + 5, 'x')}, {"after", "2"}};
  bundle.capture.metadata.opaque = {{"exact", std::string(kTextBytesPerSection, 'y')}};
  EXPECT_EQ(RoundTripDifference(bundle), "");
}

TEST(ArchiveRoundTripTest, CutsPhaseBlocksWhoseFieldsAreLong) {
  SchedulerPhaseBlock block = PhaseRows(40);
  for (uint32_t row = 0; row < 40; ++row) {
    block.extra.push_back({row, "k", std::string(kMaxSectionBytes / 8, static_cast<char>(row))});
  }
  EXPECT_EQ(RoundTripDifference(BundleOf(std::move(block))), "");
}

TEST(ArchiveRoundTripTest, KeepsRecordedCaptures) {
  for (const char* name : {"paged_attention_CaseVarSeq4_L4", "spmd_multiblock_mix_L4",
                           "spmd_multiblock_mix_L4/current_layout", "vector_example_L1"}) {
    const std::string directory = support::TestDataPath(std::string("captures/") + name);
    auto records = formats::ReadRecords(directory + "/chip_swimlane_records.json");
    ASSERT_TRUE(records.ok()) << records.status();
    CaptureBundle bundle;
    bundle.capture = *std::move(records);
    if (auto deps = formats::ReadDeps(directory + "/deps.json"); deps.ok()) {
      bundle.graph = std::move(deps->graph);
    }
    EXPECT_EQ(RoundTripDifference(bundle), "") << name;
  }
}

TEST(ArchiveFileTest, ReadsWhatWasWritten) {
  const support::TempDir directory;
  const CaptureBundle bundle = FullBundle();
  const std::string path = directory.Write("a.simpler", Archive(bundle));
  EXPECT_TRUE(IsArchiveFile(path));
  const auto read = ReadArchive(path);
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(FirstDifference(bundle, *read), "");
}

TEST(ArchiveFileTest, SaysWhyAFileCannotBeRead) {
  const support::TempDir directory;
  const std::string missing = directory.path() / "missing.simpler";
  EXPECT_EQ(ReadArchive(missing).status().code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(std::string(ReadArchive(missing).status().message()), HasSubstr(missing));
  EXPECT_THAT(std::string(ReadArchive(directory.path()).status().message()),
              HasSubstr("Is a directory"));
  const std::string json = directory.Write("a.json", "{\"chip_swimlane_level\": 4}");
  EXPECT_FALSE(IsArchiveFile(json));
  EXPECT_FALSE(IsArchiveFile(missing));
  EXPECT_THAT(std::string(ReadArchive(json).status().message()),
              HasSubstr("does not begin with the mark of a capture archive"));
}

TEST(ArchiveWriterTest, RefusesStampsThatNoReaderAccepts) {
  AicoreTaskBlock block = AicoreRows(5);
  block.end[3] = block.start[3] - 1;
  EXPECT_THAT(WriteError(BundleOf(block)), HasSubstr("AICore tasks of run 0: row 3"));
  block = AicoreRows(5);
  block.start[2] = {-1};
  EXPECT_THAT(WriteError(BundleOf(block)), HasSubstr("row 2"));
  block = AicoreRows(5);
  block.has_receive = true;
  block.receive_to_start = {0, 1, 201, 0, 0};
  EXPECT_THAT(WriteError(BundleOf(block)), HasSubstr("row 2: received 201 cycles before"));
}

TEST(ArchiveWriterTest, RefusesColumnsOfDifferentLengths) {
  AicoreTaskBlock block = AicoreRows(5);
  block.end.pop_back();
  EXPECT_THAT(WriteError(BundleOf(block)), HasSubstr("a block of 5 rows has a column of 4 values"));
  SchedulerPhaseBlock phases = PhaseRows(2);
  phases.extra = {{2, "k", "1"}};
  EXPECT_THAT(WriteError(BundleOf(phases)), HasSubstr("a field of a row that it does not have"));
}

TEST(ArchiveWriterTest, RefusesATextThatFitsNoSection) {
  SchedulerPhaseBlock block = PhaseRows(1);
  block.extra = {{0, "k", std::string(kMaxSectionBytes, 'x')}};
  EXPECT_THAT(WriteError(BundleOf(std::move(block))),
              HasSubstr("one of its texts is too long to be archived"));
}

}  // namespace
}  // namespace simpler::archive
