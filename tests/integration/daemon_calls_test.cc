// Every call of the contract against a real simplerd.
#include <grpcpp/client_context.h>
#include <gtest/gtest.h>

#include <future>
#include <string>
#include <vector>

#include "analysis/archive/crc32c.h"
#include "gmock/gmock.h"
#include "tests/integration/daemon_process.h"
#include "tests/support/run_program.h"
#include "tests/support/test_data.h"

namespace simpler::integration {
namespace {

using ::testing::HasSubstr;

constexpr const char* kCapture = "paged_attention_CaseVarSeq4_L4";

// What simplerctl prints about the files.
std::string CommandLineAnswer(std::vector<std::string> command) {
  std::vector<std::string> argv = {SIMPLERCTL_PATH, command[0],
                                   support::TestDataPath(std::string("captures/") + kCapture)};
  argv.insert(argv.end(), command.begin() + 1, command.end());
  const support::ProgramResult result = support::RunProgram(argv);
  EXPECT_EQ(result.exit_code, 0) << result.err;
  return result.out;
}

void ExpectStatus(const grpc::Status& status, grpc::StatusCode code, const std::string& message) {
  EXPECT_EQ(status.error_code(), code) << status.error_message();
  EXPECT_THAT(status.error_message(), HasSubstr(message));
}

// One daemon with one recorded capture for all tests that do not change anything.
class DaemonCallsTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    daemon_ = new DaemonProcess();
    v1::ImportHeader header;
    header.set_name("paged attention");
    (*header.mutable_labels())["rank"] = "3";
    header.set_idempotency_key("once");
    imported_ = new Imported(Import(stub(), PackedArchive(kCapture), header));
    ASSERT_TRUE(imported_->status.ok()) << imported_->status.error_message();
  }
  static void TearDownTestSuite() {
    delete imported_;
    delete daemon_;
  }

  static v1::Profiler::Stub* stub() { return daemon_->stub(); }
  static DaemonProcess& daemon() { return *daemon_; }
  static const Imported& imported() { return *imported_; }
  static const std::string& id() { return imported_->id(); }

  // Makes a unary call.
  template <typename Request, typename Response>
  static grpc::Status Call(grpc::Status (v1::Profiler::Stub::*method)(grpc::ClientContext*,
                                                                      const Request&, Response*),
                           const Request& request, Response* response) {
    grpc::ClientContext context;
    return (stub()->*method)(&context, request, response);
  }

 private:
  static inline DaemonProcess* daemon_ = nullptr;
  static inline Imported* imported_ = nullptr;
};

TEST_F(DaemonCallsTest, ImportSaysWhatItStored) {
  const v1::Capture& capture = imported().response.capture();
  EXPECT_FALSE(imported().response.already_stored());
  EXPECT_THAT(capture.id(), HasSubstr("cap-"));
  EXPECT_EQ(capture.name(), "paged attention");
  EXPECT_EQ(capture.labels().at("rank"), "3");
  EXPECT_EQ(capture.level(), 4);
  EXPECT_TRUE(capture.has_name_map());
  EXPECT_TRUE(capture.in_memory());
  EXPECT_GT(capture.graph_edges(), 0u);
  ASSERT_EQ(capture.runs_size(), 1);
  EXPECT_GT(capture.runs(0).aicore_rows(), 0u);
}

TEST_F(DaemonCallsTest, SecondImportWithTheKeyStoresNothing) {
  v1::ImportHeader header;
  header.set_idempotency_key("once");
  const Imported again = Import(stub(), PackedArchive(kCapture), header);
  ASSERT_TRUE(again.status.ok()) << again.status.error_message();
  EXPECT_TRUE(again.response.already_stored());
  EXPECT_EQ(again.id(), id());
}

TEST_F(DaemonCallsTest, ListShowsCapturesWithTheLabels) {
  v1::ListCapturesRequest request;
  (*request.mutable_labels())["rank"] = "3";
  v1::ListCapturesResponse response;
  ASSERT_TRUE(Call(&v1::Profiler::Stub::ListCaptures, request, &response).ok());
  ASSERT_EQ(response.captures_size(), 1);
  EXPECT_EQ(response.captures(0).id(), id());
  EXPECT_GT(response.store_used_bytes(), 0u);
  (*request.mutable_labels())["rank"] = "4";
  ASSERT_TRUE(Call(&v1::Profiler::Stub::ListCaptures, request, &response).ok());
  EXPECT_EQ(response.captures_size(), 0);
}

TEST_F(DaemonCallsTest, DocumentsAreThoseOfTheCommandLine) {
  v1::ComputeOverheadRequest overhead;
  *overhead.mutable_run() = RunOf(id());
  overhead.set_document_format(v1::DOCUMENT_FORMAT_JSON);
  v1::ComputeOverheadResponse report;
  ASSERT_TRUE(Call(&v1::Profiler::Stub::ComputeOverhead, overhead, &report).ok());
  EXPECT_EQ(report.document(), CommandLineAnswer({"report", "--json"}));
  EXPECT_GT(report.window_us(), 0);
  EXPECT_TRUE(report.has_has_overhead_percent());
  EXPECT_EQ(report.verdict().sentences_size(), 3);

  v1::ComputeStatsRequest stats_request;
  *stats_request.mutable_run() = RunOf(id());
  stats_request.set_document_format(v1::DOCUMENT_FORMAT_CSV);
  v1::ComputeStatsResponse stats;
  ASSERT_TRUE(Call(&v1::Profiler::Stub::ComputeStats, stats_request, &stats).ok());
  EXPECT_EQ(stats.document(), CommandLineAnswer({"stats", "--csv"}));
  EXPECT_GT(stats.rows(), 0u);

  v1::ComputeCriticalPathRequest path_request;
  *path_request.mutable_run() = RunOf(id());
  path_request.set_document_format(v1::DOCUMENT_FORMAT_JSON);
  path_request.set_tolerance_cycles(5);
  v1::ComputeCriticalPathResponse path;
  ASSERT_TRUE(Call(&v1::Profiler::Stub::ComputeCriticalPath, path_request, &path).ok());
  EXPECT_EQ(path.document(), CommandLineAnswer({"critical-path", "--tol", "5", "--json"}));
  EXPECT_THAT(path.summary(), HasSubstr("[paged attention]"));
  EXPECT_NEAR(path.observed_makespan_us(), path.observed_compute_us() + path.observed_stall_us(),
              1e-6);

  v1::GetCaptureRequest info_request;
  info_request.set_capture_id(id());
  info_request.set_document_format(v1::DOCUMENT_FORMAT_JSON);
  v1::GetCaptureResponse info;
  ASSERT_TRUE(Call(&v1::Profiler::Stub::GetCapture, info_request, &info).ok());
  EXPECT_EQ(info.document(), CommandLineAnswer({"info", "--json"}));
  EXPECT_EQ(info.capture().id(), id());
}

TEST_F(DaemonCallsTest, TraceIsThatOfTheCommandLine) {
  for (const std::string format : {"perfetto", "json"}) {
    const std::string file = daemon().directory().path() / ("trace." + format);
    CommandLineAnswer({"trace", "--format", format, "-o", file});
    v1::FetchTraceRequest request = TraceOf(id());
    if (format == "json") request.mutable_options()->set_format(v1::TRACE_FORMAT_CHROME_JSON);
    request.set_summary_format(v1::DOCUMENT_FORMAT_TEXT);
    const Fetched fetched = Fetch(stub(), request);
    ASSERT_TRUE(fetched.status.ok()) << fetched.status.error_message();
    EXPECT_EQ(fetched.Bytes(), support::ReadTextFile(file));
    EXPECT_FALSE(fetched.chunks[0].summary().empty());
  }
}

TEST_F(DaemonCallsTest, ArchiveComesBackAsACapture) {
  v1::FetchTraceRequest request = TraceOf(id());
  request.mutable_options()->set_format(v1::TRACE_FORMAT_ARCHIVE);
  const Fetched fetched = Fetch(stub(), request);
  ASSERT_TRUE(fetched.status.ok()) << fetched.status.error_message();
  EXPECT_EQ(fetched.Bytes(), PackedArchive(kCapture));
}

TEST_F(DaemonCallsTest, ChunksAreCheckedAndSayWhereTheyBelong) {
  const Imported large = Import(stub(), GeneratedArchive(20'000));
  ASSERT_TRUE(large.status.ok()) << large.status.error_message();
  const Fetched fetched = Fetch(stub(), TraceOf(large.id()));
  ASSERT_TRUE(fetched.status.ok()) << fetched.status.error_message();
  ASSERT_GT(fetched.chunks.size(), 2u);
  uint64_t offset = 0;
  for (const v1::TraceChunk& chunk : fetched.chunks) {
    EXPECT_EQ(chunk.offset(), offset);
    EXPECT_LE(chunk.data().size(), size_t{1} << 20);
    EXPECT_EQ(chunk.crc32c(), archive::Crc32c(chunk.data()));
    EXPECT_EQ(chunk.etag(), fetched.chunks[0].etag());
    EXPECT_EQ(chunk.total_bytes(), fetched.chunks[0].total_bytes());
    offset += chunk.data().size();
  }
  EXPECT_EQ(offset, fetched.chunks[0].total_bytes());
}

TEST_F(DaemonCallsTest, FetchAtAndBeyondTheEnd) {
  const Fetched whole = Fetch(stub(), TraceOf(id()));
  v1::FetchTraceRequest request = TraceOf(id());
  request.set_offset(whole.chunks[0].total_bytes());
  const Fetched at_end = Fetch(stub(), request);
  EXPECT_TRUE(at_end.status.ok());
  ASSERT_EQ(at_end.chunks.size(), 1u);
  EXPECT_TRUE(at_end.chunks[0].data().empty());
  request.set_offset(request.offset() + 1);
  ExpectStatus(Fetch(stub(), request).status, grpc::StatusCode::OUT_OF_RANGE,
               std::to_string(whole.chunks[0].total_bytes()));
  request.set_offset(0);
  request.set_etag("another");
  ExpectStatus(Fetch(stub(), request).status, grpc::StatusCode::FAILED_PRECONDITION,
               whole.chunks[0].etag());
}

TEST_F(DaemonCallsTest, UnknownCapturesAndRunsAreNamed) {
  v1::ComputeOverheadRequest request;
  v1::ComputeOverheadResponse response;
  ExpectStatus(Call(&v1::Profiler::Stub::ComputeOverhead, request, &response),
               grpc::StatusCode::INVALID_ARGUMENT, "capture_id");
  *request.mutable_run() = RunOf("cap-nowhere");
  ExpectStatus(Call(&v1::Profiler::Stub::ComputeOverhead, request, &response),
               grpc::StatusCode::NOT_FOUND, "cap-nowhere");
  *request.mutable_run() = RunOf(id(), 1);
  ExpectStatus(Call(&v1::Profiler::Stub::ComputeOverhead, request, &response),
               grpc::StatusCode::OUT_OF_RANGE, "run 1");
  v1::FetchTraceRequest trace = TraceOf("cap-nowhere");
  ExpectStatus(Fetch(stub(), trace).status, grpc::StatusCode::NOT_FOUND, "cap-nowhere");
  v1::GetCaptureRequest get;
  get.set_capture_id("cap-nowhere");
  v1::GetCaptureResponse got;
  ExpectStatus(Call(&v1::Profiler::Stub::GetCapture, get, &got), grpc::StatusCode::NOT_FOUND,
               "cap-nowhere");
  v1::DeleteCaptureRequest removal;
  removal.set_capture_id("cap-nowhere");
  v1::DeleteCaptureResponse removed;
  ExpectStatus(Call(&v1::Profiler::Stub::DeleteCapture, removal, &removed),
               grpc::StatusCode::NOT_FOUND, "cap-nowhere");
}

TEST_F(DaemonCallsTest, BadOptionsAreRefused) {
  v1::FetchTraceRequest request = TraceOf(id());
  request.mutable_options()->add_flows("sideways");
  ExpectStatus(Fetch(stub(), request).status, grpc::StatusCode::INVALID_ARGUMENT, "sideways");
  request = TraceOf(id());
  request.mutable_options()->set_from_us(2);
  request.mutable_options()->set_to_us(1);
  ExpectStatus(Fetch(stub(), request).status, grpc::StatusCode::INVALID_ARGUMENT, "window");
  request = TraceOf(id());
  request.set_summary_format(v1::DOCUMENT_FORMAT_CSV);
  ExpectStatus(Fetch(stub(), request).status, grpc::StatusCode::INVALID_ARGUMENT, "CSV");
  v1::ComputeOverheadRequest overhead;
  *overhead.mutable_run() = RunOf(id());
  overhead.set_document_format(v1::DOCUMENT_FORMAT_CSV);
  v1::ComputeOverheadResponse response;
  ExpectStatus(Call(&v1::Profiler::Stub::ComputeOverhead, overhead, &response),
               grpc::StatusCode::INVALID_ARGUMENT, "CSV");
}

TEST_F(DaemonCallsTest, DeletedCaptureIsGone) {
  const Imported imported = Import(stub(), GeneratedArchive(50, 7));
  ASSERT_TRUE(imported.status.ok());
  v1::DeleteCaptureRequest request;
  request.set_capture_id(imported.id());
  v1::DeleteCaptureResponse response;
  ASSERT_TRUE(Call(&v1::Profiler::Stub::DeleteCapture, request, &response).ok());
  ExpectStatus(Fetch(stub(), TraceOf(imported.id())).status, grpc::StatusCode::NOT_FOUND,
               imported.id());
}

TEST_F(DaemonCallsTest, ManyEqualQuestionsAreOneAnalysis) {
  const Imported imported = Import(stub(), GeneratedArchive(20'000, 2));
  ASSERT_TRUE(imported.status.ok());
  const v1::DescribeResponse before = daemon().Describe();
  std::vector<std::future<grpc::Status>> answers;
  for (int i = 0; i < 64; ++i) {
    answers.push_back(std::async(std::launch::async, [&] {
      v1::ComputeOverheadRequest request;
      *request.mutable_run() = RunOf(imported.id());
      v1::ComputeOverheadResponse response;
      return Call(&v1::Profiler::Stub::ComputeOverhead, request, &response);
    }));
  }
  for (auto& answer : answers) {
    const grpc::Status status = answer.get();
    EXPECT_TRUE(status.ok()) << status.error_message();
  }
  const v1::DescribeResponse after = daemon().Describe();
  EXPECT_EQ(after.analyses_computed() - before.analyses_computed(), 1u);
  EXPECT_EQ(after.analyses_shared() - before.analyses_shared(), 63u);
}

TEST_F(DaemonCallsTest, DescribeTellsBudgetsAndUse) {
  const v1::DescribeResponse response = daemon().Describe();
  EXPECT_FALSE(response.version().empty());
  EXPECT_EQ(response.archive_major_version(), 1u);
  EXPECT_EQ(response.store_budget_bytes(), uint64_t{4} << 30);
  EXPECT_GT(response.store_used_bytes(), 0u);
  EXPECT_GT(response.captures(), 0u);
  EXPECT_GT(response.query_threads(), 0u);
  EXPECT_EQ(response.trace_spool_budget_bytes(), uint64_t{4} << 30);
}

TEST_F(DaemonCallsTest, ImportMessagesAreChecked) {
  const auto refusal = [](const std::vector<v1::ImportCaptureRequest>& messages) {
    grpc::ClientContext context;
    v1::ImportCaptureResponse response;
    auto writer = stub()->ImportCapture(&context, &response);
    for (const v1::ImportCaptureRequest& message : messages) writer->Write(message);
    writer->WritesDone();
    return writer->Finish();
  };
  v1::ImportCaptureRequest data, header, large, larger;
  data.set_data("x");
  header.mutable_header();
  large.mutable_header();
  large.set_data(std::string((size_t{1} << 20) + 1, 'x'));
  larger.mutable_header();
  larger.set_data(std::string(size_t{2} << 20, 'x'));
  ExpectStatus(refusal({}), grpc::StatusCode::INVALID_ARGUMENT, "without a message");
  ExpectStatus(refusal({data}), grpc::StatusCode::INVALID_ARGUMENT, "no header");
  ExpectStatus(refusal({header, header}), grpc::StatusCode::INVALID_ARGUMENT, "only the first");
  ExpectStatus(refusal({large}), grpc::StatusCode::INVALID_ARGUMENT, "at most 1048576");
  ExpectStatus(refusal({larger}), grpc::StatusCode::RESOURCE_EXHAUSTED, "larger than max");
  ExpectStatus(refusal({header}), grpc::StatusCode::INVALID_ARGUMENT, "");
  header.mutable_header()->set_name(std::string(257, 'x'));
  ExpectStatus(refusal({header}), grpc::StatusCode::INVALID_ARGUMENT, "256");
}

}  // namespace
}  // namespace simpler::integration
