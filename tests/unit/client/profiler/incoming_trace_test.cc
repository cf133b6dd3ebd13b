#include "client/profiler/incoming_trace.h"

#include <string>

#include "analysis/archive/crc32c.h"
#include "gtest/gtest.h"

namespace simpler::profiler {
namespace {

constexpr uint64_t kTotal = 10;

v1::TraceChunk Chunk(uint64_t offset, const std::string& data) {
  v1::TraceChunk chunk;
  chunk.set_offset(offset);
  chunk.set_data(data);
  chunk.set_crc32c(archive::Crc32c(data));
  chunk.set_total_bytes(kTotal);
  chunk.set_etag("tag");
  return chunk;
}

class IncomingTraceTest : public ::testing::Test {
 protected:
  IncomingTrace From(uint64_t offset, const std::string& etag = "") {
    v1::FetchTraceRequest request;
    request.set_offset(offset);
    request.set_etag(etag);
    return {request, [this](const v1::TraceChunk& chunk) {
              received_ += chunk.data();
              return receiver_;
            }};
  }

  std::string received_;
  absl::Status receiver_;
};

TEST_F(IncomingTraceTest, HandsOnWhatFollowsAndAsksForTheRest) {
  IncomingTrace trace = From(0);
  EXPECT_FALSE(trace.started());
  ASSERT_TRUE(trace.Accept(Chunk(0, "abcdef")).ok());
  EXPECT_FALSE(trace.complete());
  EXPECT_EQ(trace.request().offset(), 6u);
  EXPECT_EQ(trace.request().etag(), "tag");
  ASSERT_TRUE(trace.Accept(Chunk(6, "ghij")).ok());
  EXPECT_TRUE(trace.complete());
  EXPECT_EQ(received_, "abcdefghij");
  EXPECT_EQ(trace.trace().total_bytes, kTotal);
}

TEST_F(IncomingTraceTest, KeepsTheSummaryOfTheFirstChunk) {
  v1::TraceChunk first = Chunk(0, "abc");
  first.set_summary("what it holds");
  first.add_warnings()->set_code("code");
  IncomingTrace trace = From(0);
  ASSERT_TRUE(trace.Accept(first).ok());
  ASSERT_TRUE(trace.Accept(Chunk(3, "defghij")).ok());
  EXPECT_EQ(trace.trace().summary, "what it holds");
  ASSERT_EQ(trace.trace().warnings.size(), 1u);
  EXPECT_EQ(trace.trace().warnings[0].code(), "code");
}

TEST_F(IncomingTraceTest, AResumedFetchCanBeAtItsEnd) {
  IncomingTrace trace = From(kTotal, "tag");
  ASSERT_TRUE(trace.Accept(Chunk(kTotal, "")).ok());
  EXPECT_TRUE(trace.complete());
}

TEST_F(IncomingTraceTest, DamagedAndMisplacedChunksAreNotHandedOn) {
  IncomingTrace trace = From(0);
  v1::TraceChunk damaged = Chunk(0, "abc");
  damaged.set_data("abd");
  EXPECT_TRUE(absl::IsDataLoss(trace.Accept(damaged)));
  EXPECT_TRUE(absl::IsDataLoss(trace.Accept(Chunk(1, "bc"))));
  EXPECT_TRUE(absl::IsDataLoss(trace.Accept(Chunk(0, "abcdefghijk"))));
  EXPECT_EQ(received_, "");
  EXPECT_EQ(trace.offset(), 0u);
}

TEST_F(IncomingTraceTest, RefusesAnotherTrace) {
  IncomingTrace trace = From(0);
  ASSERT_TRUE(trace.Accept(Chunk(0, "abc")).ok());
  v1::TraceChunk other_tag = Chunk(3, "d");
  other_tag.set_etag("other");
  EXPECT_TRUE(absl::IsFailedPrecondition(trace.Accept(other_tag)));
  v1::TraceChunk other_size = Chunk(3, "d");
  other_size.set_total_bytes(kTotal + 1);
  EXPECT_TRUE(absl::IsFailedPrecondition(trace.Accept(other_size)));
  IncomingTrace resumed = From(3, "earlier");
  EXPECT_TRUE(absl::IsFailedPrecondition(resumed.Accept(Chunk(3, "d"))));
}

TEST_F(IncomingTraceTest, AReceiverThatFailsGetsTheChunkAgain) {
  receiver_ = absl::ResourceExhaustedError("disk full");
  IncomingTrace trace = From(0);
  EXPECT_EQ(trace.Accept(Chunk(0, "abc")), receiver_);
  EXPECT_EQ(trace.offset(), 0u);
}

}  // namespace
}  // namespace simpler::profiler
