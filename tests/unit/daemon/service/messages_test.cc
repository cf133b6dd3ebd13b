// Conversions between the contract and what the daemon works with.
#include <grpcpp/grpcpp.h>
#include <grpcpp/impl/codegen/proto_utils.h>

#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "daemon/service/answer_messages.h"
#include "daemon/service/call_log.h"
#include "daemon/service/capture_messages.h"
#include "daemon/service/trace_messages.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace simpler::daemon {
namespace {

namespace v1 = profiler::v1;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

void ExpectRefused(const absl::Status& status, absl::StatusCode code, const std::string& message) {
  EXPECT_EQ(status.code(), code) << status;
  EXPECT_THAT(std::string(status.message()), HasSubstr(message));
}

TEST(CaptureMessagesTest, CaptureKeepsEveryValue) {
  const CaptureInfo info{
      .id = "cap-1",
      .import = {.name = "case", .labels = {{"rank", "3"}}, .idempotency_key = "k"},
      .import_time_unix_ms = 11,
      .level = 4,
      .clock_freq_hz = 50'000'000,
      .runs = {{.epoch = std::nullopt, .aicore_rows = 1},
               {.epoch = 7,
                .aicore_rows = 2,
                .scheduler_rows = 3,
                .scheduler_phases = 4,
                .orchestrator_records = 5}},
      .graph_tasks = 21,
      .graph_edges = 22,
      .has_name_map = true,
      .memory_bytes = 23,
      .archive_bytes = 24,
      .on_disk = true,
      .in_memory = false};
  v1::Capture message;
  FillCapture(info, &message);
  EXPECT_EQ(message.id(), "cap-1");
  EXPECT_EQ(message.name(), "case");
  EXPECT_EQ(message.labels().at("rank"), "3");
  EXPECT_EQ(message.import_time_unix_ms(), 11);
  EXPECT_EQ(message.level(), 4);
  EXPECT_EQ(message.clock_freq_hz(), 50'000'000);
  ASSERT_EQ(message.runs_size(), 2);
  EXPECT_EQ(message.runs(0).index(), 0u);
  EXPECT_FALSE(message.runs(0).has_epoch());
  EXPECT_EQ(message.runs(1).index(), 1u);
  EXPECT_EQ(message.runs(1).epoch(), 7);
  EXPECT_EQ(message.runs(1).aicore_rows(), 2u);
  EXPECT_EQ(message.runs(1).scheduler_rows(), 3u);
  EXPECT_EQ(message.runs(1).scheduler_phases(), 4u);
  EXPECT_EQ(message.runs(1).orchestrator_records(), 5u);
  EXPECT_EQ(message.graph_tasks(), 21u);
  EXPECT_EQ(message.graph_edges(), 22u);
  EXPECT_TRUE(message.has_name_map());
  EXPECT_EQ(message.memory_bytes(), 23u);
  EXPECT_EQ(message.archive_bytes(), 24u);
  EXPECT_TRUE(message.on_disk());
  EXPECT_FALSE(message.in_memory());
}

TEST(CaptureMessagesTest, EvictionKeepsEveryValue) {
  v1::Eviction message;
  FillEviction({.capture_id = "cap-1",
                .name = "case",
                .reason = "room",
                .time_unix_ms = 5,
                .memory_bytes = 6,
                .still_on_disk = true},
               &message);
  EXPECT_EQ(message.capture_id(), "cap-1");
  EXPECT_EQ(message.name(), "case");
  EXPECT_EQ(message.reason(), "room");
  EXPECT_EQ(message.time_unix_ms(), 5);
  EXPECT_EQ(message.memory_bytes(), 6u);
  EXPECT_TRUE(message.still_on_disk());
}

TEST(CaptureMessagesTest, HeaderBecomesLabels) {
  v1::ImportHeader header;
  header.set_name("case");
  (*header.mutable_labels())["job"] = "nightly";
  header.set_idempotency_key("key");
  const ImportLabels labels = ToImportLabels(header);
  EXPECT_EQ(labels.name, "case");
  EXPECT_THAT(labels.labels,
              ElementsAre(std::pair<const std::string, std::string>("job", "nightly")));
  EXPECT_EQ(labels.idempotency_key, "key");
}

TEST(AnswerMessagesTest, RunNeedsACapture) {
  v1::RunSelector selector;
  ExpectRefused(ToRunKey(selector).status(), absl::StatusCode::kInvalidArgument, "capture_id");
  selector.set_capture_id("cap-1");
  selector.set_run_index(2);
  selector.set_strict(true);
  const absl::StatusOr<RunKey> key = ToRunKey(selector);
  ASSERT_TRUE(key.ok());
  EXPECT_EQ(*key, (RunKey{.capture_id = "cap-1", .run_index = 2, .strict = true}));
}

TEST(AnswerMessagesTest, DocumentFormatsAreChecked) {
  EXPECT_TRUE(CheckDocumentFormat(v1::DOCUMENT_FORMAT_TEXT, false).ok());
  EXPECT_TRUE(CheckDocumentFormat(v1::DOCUMENT_FORMAT_CSV, true).ok());
  ExpectRefused(CheckDocumentFormat(v1::DOCUMENT_FORMAT_CSV, false),
                absl::StatusCode::kInvalidArgument, "no table");
  ExpectRefused(CheckDocumentFormat(v1::DocumentFormat(17), true),
                absl::StatusCode::kInvalidArgument, "17");
}

TEST(AnswerMessagesTest, DocumentsAreBounded) {
  EXPECT_TRUE(CheckDocumentSize(std::string(kMaxDocumentBytes, 'x')).ok());
  ExpectRefused(CheckDocumentSize(std::string(kMaxDocumentBytes + 1, 'x')),
                absl::StatusCode::kResourceExhausted, std::to_string(kMaxDocumentBytes));
}

TEST(AnswerMessagesTest, PathOptionsHaveRanges) {
  v1::ComputeCriticalPathRequest request;
  EXPECT_TRUE(CheckPathRequest(request).ok());
  request.set_tolerance_cycles(0);
  request.set_top_families(1);
  EXPECT_TRUE(CheckPathRequest(request).ok());
  request.set_tolerance_cycles(-1);
  ExpectRefused(CheckPathRequest(request), absl::StatusCode::kInvalidArgument, "tolerance_cycles");
  request.set_tolerance_cycles(1'000'001);
  ExpectRefused(CheckPathRequest(request), absl::StatusCode::kInvalidArgument, "1000000");
  request.set_tolerance_cycles(2);
  request.set_top_families(0);
  ExpectRefused(CheckPathRequest(request), absl::StatusCode::kInvalidArgument, "top_families");
}

TEST(TraceMessagesTest, OptionsKeepEveryValue) {
  v1::TraceOptions options;
  options.set_format(v1::TRACE_FORMAT_CHROME_JSON);
  options.add_flows("dependency");
  options.set_names(v1::TASK_NAMING_TASK);
  options.set_to_us(5);
  options.add_lanes("Worker");
  options.set_overhead_counters(true);
  const absl::StatusOr<timeline::TraceRequest> request = ToTraceRequest(options);
  ASSERT_TRUE(request.ok());
  EXPECT_EQ(request->format, timeline::TraceFormat::kChromeJson);
  EXPECT_THAT(request->flows, ElementsAre("dependency"));
  EXPECT_EQ(request->naming, timeline::TaskNaming::kTask);
  EXPECT_EQ(request->from_us, std::nullopt);
  EXPECT_EQ(request->to_us, 5.0);
  EXPECT_THAT(request->lanes, ElementsAre("Worker"));
  EXPECT_TRUE(request->overhead_counters);
  EXPECT_EQ(*ToTraceRequest({}), timeline::TraceRequest{});
}

TEST(TraceMessagesTest, UnknownOptionsAreRefused) {
  v1::TraceOptions options;
  options.set_format(v1::TraceFormat(9));
  ExpectRefused(ToTraceRequest(options).status(), absl::StatusCode::kInvalidArgument, "format 9");
  options.set_format(v1::TRACE_FORMAT_PERFETTO);
  options.set_names(v1::TaskNaming(9));
  ExpectRefused(ToTraceRequest(options).status(), absl::StatusCode::kInvalidArgument, "naming 9");
}

TEST(TraceMessagesTest, ArchiveTakesNoOptions) {
  v1::FetchTraceRequest request;
  request.mutable_options()->set_format(v1::TRACE_FORMAT_ARCHIVE);
  EXPECT_TRUE(CheckArchiveRequest(request).ok());
  request.mutable_options()->set_from_us(0);
  ExpectRefused(CheckArchiveRequest(request), absl::StatusCode::kInvalidArgument, "whole capture");
  request.mutable_options()->clear_from_us();
  request.set_summary_format(v1::DOCUMENT_FORMAT_JSON);
  ExpectRefused(CheckArchiveRequest(request), absl::StatusCode::kInvalidArgument, "summary");
}

TEST(TraceMessagesTest, BrokenRequestsAreRefused) {
  const grpc::Slice slice("\xFF\xFF\xFF");
  grpc::ByteBuffer buffer(&slice, 1);
  ExpectRefused(ParseFetchTraceRequest(&buffer).status(), absl::StatusCode::kInvalidArgument,
                "FetchTraceRequest");
}

// The message that arrives when `data` is sent.
v1::TraceChunk SentChunk(const v1::TraceChunk& head, const std::string& data) {
  SpooledTrace::Chunk sent;
  sent.buffer = std::shared_ptr<const char[]>(data.data(), [](const char*) {});
  sent.size = data.size();
  grpc::ByteBuffer buffer = ChunkMessage(head, sent);
  v1::TraceChunk chunk;
  EXPECT_TRUE(grpc::SerializationTraits<v1::TraceChunk>::Deserialize(&buffer, &chunk).ok());
  return chunk;
}

TEST(TraceMessagesTest, ChunkIsTheMessageWithItsData) {
  v1::TraceChunk head;
  head.set_offset(std::numeric_limits<uint64_t>::max());
  head.set_crc32c(5);
  head.set_etag("tag");
  head.add_warnings()->set_code("w");
  for (const size_t size : {0, 1, 127, 128, 20'000, 1 << 20}) {
    const std::string data(size, 'x');
    v1::TraceChunk expected = head;
    expected.set_data(data);
    EXPECT_EQ(SentChunk(head, data).SerializeAsString(), expected.SerializeAsString()) << size;
  }
}

TEST(CallLogTest, TextOfClientsStaysOnOneLine) {
  EXPECT_EQ(OnOneLine("a\nb\r\x1b[31mc\x7f µ"), "a b  [31mc  µ");
}

}  // namespace
}  // namespace simpler::daemon
