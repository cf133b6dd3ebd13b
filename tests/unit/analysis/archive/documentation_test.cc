// The example in docs/capture-archive.md is what the writer writes.
#include <gtest/gtest.h>

#include <fstream>
#include <memory>
#include <sstream>
#include <string>

#include "analysis/archive/archive_reader.h"
#include "tests/support/bundle_difference.h"
#include "tests/unit/analysis/archive/sample_bundle.h"

namespace simpler::archive {
namespace {

using capture::CaptureBundle;

// The bytes of the page's hexdump: an offset and up to sixteen bytes per line.
std::string BytesOnThePage() {
  std::ifstream page(SIMPLER_DOCS_DIR "/capture-archive.md");
  std::string line;
  while (std::getline(page, line) && line != "```hexdump") {
  }
  std::string bytes;
  while (std::getline(page, line) && line != "```") {
    std::istringstream words(line);
    std::string word;
    words >> word;
    EXPECT_EQ(std::stoul(word, nullptr, 16), bytes.size());
    while (words >> word) bytes += static_cast<char>(std::stoul(word, nullptr, 16));
  }
  return bytes;
}

CaptureBundle CaptureOnThePage() {
  auto rows = std::make_shared<capture::AicoreTaskBlock>();
  rows->core_id = {0, 0, 0};
  rows->task_id = {4294967296, 4294967297, 4294967298};
  rows->reg_task_id = {1, 2, 3};
  rows->start = {{1000}, {1300}, {1600}};
  rows->end = {{1200}, {1501}, {1802}};
  CaptureBundle bundle = EmptyBundle();
  bundle.capture.level = 1;
  bundle.capture.metadata.clock_freq_hz = 50'000'000;
  bundle.capture.metadata.core_types = {capture::CoreType::kAic};
  bundle.capture.runs[0].aicore_tasks = {rows};
  return bundle;
}

TEST(ArchiveDocumentationTest, TheExampleIsWhatTheWriterWrites) {
  EXPECT_EQ(Archive(CaptureOnThePage()), BytesOnThePage());
}

TEST(ArchiveDocumentationTest, TheExampleIsReadAsThePageSays) {
  ArchiveDecoder decoder("page");
  ASSERT_TRUE(decoder.Feed(BytesOnThePage()).ok());
  const auto bundle = decoder.Finish();
  ASSERT_TRUE(bundle.ok()) << bundle.status();
  EXPECT_EQ(support::FirstDifference(*bundle, CaptureOnThePage()), "");
}

}  // namespace
}  // namespace simpler::archive
