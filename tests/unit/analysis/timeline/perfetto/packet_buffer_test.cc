#include "analysis/timeline/perfetto/packet_buffer.h"

#include <gtest/gtest.h>

#include <cstring>
#include <string>

namespace simpler::timeline {
namespace {

// Takes `limit` bytes, then reports a full disk.
class LimitedSink final : public ByteSink {
 public:
  explicit LimitedSink(size_t limit) : limit_(limit) {}

  std::string bytes;

 private:
  absl::Status Store(std::string_view piece) override {
    if (bytes.size() + piece.size() > limit_) return absl::ResourceExhaustedError("full");
    bytes.append(piece);
    return absl::OkStatus();
  }
  absl::Status Finish() override { return absl::OkStatus(); }

  size_t limit_;
};

void Put(PacketBuffer& buffer, std::string_view text) {
  ASSERT_TRUE(buffer.EnsureRoom(text.size()));
  std::memcpy(buffer.next(), text.data(), text.size());
  buffer.CommitTo(buffer.next() + text.size());
}

TEST(PacketBufferTest, KeepsBytesUntilTheyNoLongerFit) {
  LimitedSink sink(100);
  PacketBuffer buffer(&sink, 8);
  Put(buffer, "12345");
  Put(buffer, "678");
  EXPECT_EQ(sink.bytes, "");
  Put(buffer, "9");
  EXPECT_EQ(sink.bytes, "12345678");
  EXPECT_EQ(buffer.bytes_written(), 9u);
  ASSERT_TRUE(buffer.Flush().ok());
  EXPECT_EQ(sink.bytes, "123456789");
  EXPECT_EQ(buffer.bytes_written(), 9u);
}

TEST(PacketBufferTest, UnusedRoomIsNotWritten) {
  LimitedSink sink(100);
  PacketBuffer buffer(&sink, 8);
  ASSERT_TRUE(buffer.EnsureRoom(8));
  *buffer.next() = 'x';
  buffer.CommitTo(buffer.next() + 1);
  ASSERT_TRUE(buffer.Flush().ok());
  EXPECT_EQ(sink.bytes, "x");
}

TEST(PacketBufferTest, GrowsForOneLargePieceAndShrinksAgain) {
  LimitedSink sink(1000);
  PacketBuffer buffer(&sink, 8);
  Put(buffer, "before ");
  Put(buffer, std::string(100, 'a'));
  EXPECT_EQ(sink.bytes, "before ");
  Put(buffer, "after");
  EXPECT_EQ(sink.bytes, "before " + std::string(100, 'a'));
  Put(buffer, "1234");
  EXPECT_EQ(sink.bytes, "before " + std::string(100, 'a') + "after");
}

TEST(PacketBufferTest, ThereIsNoRoomOnceTheSinkHasFailed) {
  LimitedSink sink(8);
  PacketBuffer buffer(&sink, 8);
  Put(buffer, "12345678");
  Put(buffer, "9");
  EXPECT_FALSE(buffer.EnsureRoom(8));
  EXPECT_EQ(buffer.status().code(), absl::StatusCode::kResourceExhausted);
  EXPECT_FALSE(buffer.EnsureRoom(1));
  EXPECT_EQ(buffer.Flush(), buffer.status());
  EXPECT_EQ(sink.bytes, "12345678");
}

}  // namespace
}  // namespace simpler::timeline
