#include "client/profiler/import_stream.h"

#include <string>
#include <vector>

#include "gtest/gtest.h"

namespace simpler::profiler {
namespace {

class ImportStreamTest : public ::testing::Test {
 protected:
  ImportStreamTest() { header_.set_name("case"); }

  // Takes messages until `limit` of them have come.
  ImportStream::Send Collect(size_t limit = 1000) {
    return [this, limit](const v1::ImportCaptureRequest& message) {
      if (messages_.size() == limit) return false;
      messages_.push_back(message);
      return true;
    };
  }

  v1::ImportHeader header_;
  std::vector<v1::ImportCaptureRequest> messages_;
};

TEST_F(ImportStreamTest, CutsTheBytesAndNamesTheCaptureOnce) {
  ImportStream stream(header_, Collect());
  std::string bytes;
  for (size_t i = 0; i < 5 * ImportStream::kMessageBytes / 2; ++i) {
    bytes += static_cast<char>(i % 251);
  }
  // Pieces that do not divide a message.
  for (size_t at = 0; at < bytes.size(); at += 700'001) {
    ASSERT_TRUE(stream.Append(std::string_view(bytes).substr(at, 700'001)).ok());
  }
  ASSERT_TRUE(stream.Commit().ok());
  ASSERT_EQ(messages_.size(), 3u);
  std::string received;
  for (const v1::ImportCaptureRequest& message : messages_) {
    EXPECT_EQ(message.has_header(), received.empty());
    EXPECT_LE(message.data().size(), ImportStream::kMessageBytes);
    received += message.data();
  }
  EXPECT_EQ(messages_[0].header().name(), "case");
  EXPECT_EQ(received, bytes);
}

TEST_F(ImportStreamTest, AFullLastMessageIsNotFollowedByAnEmptyOne) {
  ImportStream stream(header_, Collect());
  ASSERT_TRUE(stream.Append(std::string(ImportStream::kMessageBytes, 'x')).ok());
  ASSERT_TRUE(stream.Commit().ok());
  EXPECT_EQ(messages_.size(), 1u);
}

TEST_F(ImportStreamTest, AnEmptyArchiveStillHasItsHeader) {
  ImportStream stream(header_, Collect());
  ASSERT_TRUE(stream.Commit().ok());
  ASSERT_EQ(messages_.size(), 1u);
  EXPECT_TRUE(messages_[0].has_header());
}

TEST_F(ImportStreamTest, StopsWhenTheDaemonTakesNoMore) {
  ImportStream stream(header_, Collect(1));
  const std::string message(ImportStream::kMessageBytes, 'x');
  EXPECT_TRUE(stream.Append(message).ok());
  EXPECT_FALSE(stream.closed_by_daemon());
  EXPECT_TRUE(absl::IsAborted(stream.Append(message)));
  EXPECT_TRUE(stream.closed_by_daemon());
  EXPECT_TRUE(absl::IsAborted(stream.Commit()));
}

}  // namespace
}  // namespace simpler::profiler
