// The client against a daemon in this process that behaves as badly as a test asks for.

#include "client/profiler/profiler_client.h"

#include <grpcpp/server.h>
#include <grpcpp/server_builder.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "analysis/archive/archive_reader.h"
#include "analysis/archive/crc32c.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "proto/simpler/profiler/v1/profiler.grpc.pb.h"
#include "tests/support/bundle_difference.h"
#include "tests/support/capture_builder.h"
#include "tests/support/temp_dir.h"

namespace simpler::profiler {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr const char* kId = "cap-0123456789ab";

// Answers what tests need; each function object decides what one call does.
class FakeDaemon final : public v1::Profiler::Service {
 public:
  using Writer = grpc::ServerWriter<v1::TraceChunk>;

  grpc::Status ImportCapture(grpc::ServerContext*,
                             grpc::ServerReader<v1::ImportCaptureRequest>* reader,
                             v1::ImportCaptureResponse* response) override {
    v1::ImportCaptureRequest message;
    while (imported.size() < stop_import_at && reader->Read(&message)) {
      if (message.has_header()) response->mutable_capture()->set_name(message.header().name());
      imported += message.data();
    }
    response->mutable_capture()->set_id(kId);
    response->set_already_stored(imported.size() >= stop_import_at);
    return import_status;
  }

  grpc::Status ListCaptures(grpc::ServerContext*, const v1::ListCapturesRequest*,
                            v1::ListCapturesResponse* response) override {
    response->add_captures()->set_id(kId);
    return grpc::Status::OK;
  }

  grpc::Status Describe(grpc::ServerContext*, const v1::DescribeRequest*,
                        v1::DescribeResponse* response) override {
    response->set_version("fake");
    return grpc::Status::OK;
  }

  grpc::Status DeleteCapture(grpc::ServerContext*, const v1::DeleteCaptureRequest* request,
                             v1::DeleteCaptureResponse*) override {
    if (request->capture_id() == kId) return grpc::Status::OK;
    return {grpc::StatusCode::NOT_FOUND, "there is no capture " + request->capture_id()};
  }

  grpc::Status ComputeOverhead(grpc::ServerContext* context, const v1::ComputeOverheadRequest*,
                               v1::ComputeOverheadResponse*) override {
    while (!context->IsCancelled()) std::this_thread::yield();
    return grpc::Status::CANCELLED;
  }

  grpc::Status ComputeStats(grpc::ServerContext*, const v1::ComputeStatsRequest*,
                            v1::ComputeStatsResponse* response) override {
    response->set_document(std::string(size_t{63} << 20, 'x'));
    return grpc::Status::OK;
  }

  grpc::Status FetchTrace(grpc::ServerContext*, const v1::FetchTraceRequest* request,
                          Writer* writer) override {
    offsets.push_back(request->offset());
    return fetch(*request, writer);
  }

  std::string imported;
  size_t stop_import_at = SIZE_MAX;
  grpc::Status import_status;
  std::vector<uint64_t> offsets;  // of all fetches
  std::function<grpc::Status(const v1::FetchTraceRequest&, Writer*)> fetch;
};

class ProfilerClientTest : public ::testing::Test {
 protected:
  ProfilerClientTest() {
    Serve();
    ClientOptions options = Options();
    client_ = *ProfilerClient::Create(options);
    for (int i = 0; i < 5000; ++i) trace_ += static_cast<char>(i * i % 253);
    daemon_.fetch = [this](const v1::FetchTraceRequest& request, FakeDaemon::Writer* writer) {
      return SendUntil(request, trace_.size(), writer);
    };
  }
  ~ProfilerClientTest() override {
    if (server_) server_->Shutdown();
  }

  ClientOptions Options() {
    ClientOptions options;
    options.endpoint.socket = scratch_.path() / "daemon.sock";
    options.pause = [this](std::chrono::milliseconds pause) { pauses_.push_back(pause); };
    return options;
  }

  void Serve() {
    grpc::ServerBuilder builder;
    builder.AddListeningPort("unix:" + (scratch_.path() / "daemon.sock").string(),
                             grpc::InsecureServerCredentials());
    builder.RegisterService(&daemon_);
    server_ = builder.BuildAndStart();
    ASSERT_NE(server_, nullptr);
  }

  v1::TraceChunk ChunkAt(uint64_t offset, uint64_t size) const {
    v1::TraceChunk chunk;
    chunk.set_offset(offset);
    chunk.set_data(trace_.substr(offset, size));
    chunk.set_crc32c(archive::Crc32c(chunk.data()));
    chunk.set_total_bytes(trace_.size());
    chunk.set_etag("tag");
    return chunk;
  }

  // Sends chunks of 300 bytes up to `end`.
  grpc::Status SendUntil(const v1::FetchTraceRequest& request, uint64_t end,
                         FakeDaemon::Writer* writer) const {
    for (uint64_t at = request.offset(); at < end;) {
      const uint64_t size = std::min<uint64_t>(300, end - at);
      writer->Write(ChunkAt(at, size));
      at += size;
    }
    return grpc::Status::OK;
  }

  absl::StatusOr<FetchedTrace> Fetch() {
    v1::FetchTraceRequest request;
    request.mutable_run()->set_capture_id(kId);
    return client_->FetchTrace(request, [this](const v1::TraceChunk& chunk) {
      received_ += chunk.data();
      return absl::OkStatus();
    });
  }

  support::TempDir scratch_;
  FakeDaemon daemon_;
  std::unique_ptr<grpc::Server> server_;
  std::unique_ptr<ProfilerClient> client_;
  std::vector<std::chrono::milliseconds> pauses_;
  std::string trace_;
  std::string received_;
};

TEST_F(ProfilerClientTest, AnswersComeThrough) {
  const absl::StatusOr<v1::ListCapturesResponse> list = client_->ListCaptures({});
  ASSERT_TRUE(list.ok()) << list.status();
  EXPECT_EQ(list->captures(0).id(), kId);
}

TEST_F(ProfilerClientTest, ErrorsKeepCodeAndMessage) {
  v1::DeleteCaptureRequest request;
  request.set_capture_id("cap-unknown");
  const absl::Status status = client_->DeleteCapture(request).status();
  EXPECT_EQ(status, absl::NotFoundError("there is no capture cap-unknown"));
}

TEST_F(ProfilerClientTest, DocumentsMayBeLarge) {
  const absl::StatusOr<v1::ComputeStatsResponse> stats = client_->ComputeStats({});
  ASSERT_TRUE(stats.ok()) << stats.status();
  EXPECT_EQ(stats->document().size(), size_t{63} << 20);
}

TEST_F(ProfilerClientTest, WithoutADaemonTheMessageSaysWhatToDo) {
  ClientOptions options = Options();
  options.endpoint.socket = scratch_.path() / "nobody.sock";
  const absl::Status status = (*ProfilerClient::Create(options))->Describe().status();
  EXPECT_TRUE(absl::IsUnavailable(status));
  EXPECT_THAT(std::string(status.message()),
              AllOf(HasSubstr("no daemon answers at unix:" + options.endpoint.socket),
                    HasSubstr("No such file or directory"),
                    HasSubstr("start simplerd, or name its socket with --socket")));
}

TEST_F(ProfilerClientTest, WaitsForADaemonThatIsJustStarting) {
  server_->Shutdown();
  server_.reset();
  const absl::Status alone = client_->Describe(std::chrono::milliseconds(20)).status();
  EXPECT_TRUE(absl::IsUnavailable(alone));
  EXPECT_THAT(std::string(alone.message()), HasSubstr("no daemon answers"));
  std::thread starter([this] { Serve(); });
  const auto status = client_->Describe(std::chrono::minutes(5));
  starter.join();
  ASSERT_TRUE(status.ok()) << status.status();
  EXPECT_EQ(status->version(), "fake");
}

TEST_F(ProfilerClientTest, ADaemonThatIsNotReadySaysSoItself) {
  daemon_.fetch = [](const v1::FetchTraceRequest&, FakeDaemon::Writer*) {
    return grpc::Status(grpc::StatusCode::UNAVAILABLE, "stopping");
  };
  const absl::Status status = Fetch().status();
  EXPECT_TRUE(absl::IsUnavailable(status));
  EXPECT_THAT(std::string(status.message()), HasSubstr("is not available: stopping"));
  EXPECT_EQ(daemon_.offsets.size(), 1u);
}

TEST_F(ProfilerClientTest, CallsEndAtTheTimeout) {
  ClientOptions options = Options();
  options.timeout = std::chrono::milliseconds(20);
  const absl::Status status = (*ProfilerClient::Create(options))->ComputeOverhead({}).status();
  EXPECT_TRUE(absl::IsDeadlineExceeded(status));
  EXPECT_THAT(std::string(status.message()), HasSubstr("within 20ms; raise --timeout"));
}

TEST_F(ProfilerClientTest, ImportsABundleAsAnArchive) {
  capture::CaptureBundle bundle;
  bundle.capture = support::CaptureBuilder().Row(1, 0, {.start = 1, .end = 2}).BuildCapture();
  v1::ImportHeader header;
  header.set_name("case");
  const auto imported = client_->ImportCapture(header, bundle);
  ASSERT_TRUE(imported.ok()) << imported.status();
  EXPECT_EQ(imported->capture().name(), "case");
  archive::ArchiveDecoder decoder("imported");
  ASSERT_TRUE(decoder.Feed(daemon_.imported).ok());
  const auto decoded = decoder.Finish();
  ASSERT_TRUE(decoded.ok()) << decoded.status();
  EXPECT_EQ(support::FirstDifference(*decoded, bundle), "");
}

TEST_F(ProfilerClientTest, ImportsAFileAsItIs) {
  const std::string path = scratch_.Write("any.simpler", std::string(3'000'000, 'x'));
  ASSERT_TRUE(client_->ImportArchiveFile({}, path).ok());
  EXPECT_EQ(daemon_.imported, std::string(3'000'000, 'x'));
}

TEST_F(ProfilerClientTest, AnImportThatTheDaemonRefusesGivesItsReason) {
  daemon_.stop_import_at = 1;
  daemon_.import_status = {grpc::StatusCode::INVALID_ARGUMENT, "not an archive"};
  const auto imported = client_->ImportCapture({}, [](timeline::ByteSink* sink) {
    absl::Status status;
    while (status.ok()) status = sink->Append(std::string(100'000, 'x'));
    return status;
  });
  EXPECT_EQ(imported.status(), absl::InvalidArgumentError("not an archive"));
}

TEST_F(ProfilerClientTest, AnImportThatIsAnsweredEarlyIsDone) {
  daemon_.stop_import_at = 1;
  const auto imported = client_->ImportCapture({}, [](timeline::ByteSink* sink) {
    absl::Status status;
    while (status.ok()) status = sink->Append(std::string(100'000, 'x'));
    return status;
  });
  ASSERT_TRUE(imported.ok()) << imported.status();
  EXPECT_TRUE(imported->already_stored());
}

TEST_F(ProfilerClientTest, AnImportWhoseSourceFailsIsGivenUp) {
  const absl::Status failure = absl::InvalidArgumentError("source failed");
  const auto imported =
      client_->ImportCapture({}, [&failure](timeline::ByteSink*) { return failure; });
  EXPECT_EQ(imported.status(), failure);
  EXPECT_TRUE(absl::IsNotFound(client_->ImportArchiveFile({}, "missing.simpler").status()));
}

TEST_F(ProfilerClientTest, FetchesAWholeTrace) {
  const absl::StatusOr<FetchedTrace> fetched = Fetch();
  ASSERT_TRUE(fetched.ok()) << fetched.status();
  EXPECT_EQ(received_, trace_);
  EXPECT_EQ(fetched->total_bytes, trace_.size());
  EXPECT_EQ(fetched->etag, "tag");
}

TEST_F(ProfilerClientTest, ResumesWhereverTheStreamBreaks) {
  for (const grpc::StatusCode code : {grpc::StatusCode::UNAVAILABLE, grpc::StatusCode::CANCELLED,
                                      grpc::StatusCode::RESOURCE_EXHAUSTED, grpc::StatusCode::OK}) {
    std::mt19937 random(static_cast<unsigned>(code));
    received_.clear();
    daemon_.fetch = [&](const v1::FetchTraceRequest& request, FakeDaemon::Writer* writer) {
      const uint64_t left = trace_.size() - request.offset();
      const uint64_t end = request.offset() + std::min<uint64_t>(1 + random() % 700, left);
      const grpc::Status sent = SendUntil(request, end, writer);
      return end == trace_.size() || code == grpc::StatusCode::OK ? sent
                                                                  : grpc::Status(code, "broken");
    };
    const absl::StatusOr<FetchedTrace> fetched = Fetch();
    ASSERT_TRUE(fetched.ok()) << fetched.status();
    EXPECT_EQ(received_, trace_);
  }
  EXPECT_GT(daemon_.offsets.size(), 20u);
}

TEST_F(ProfilerClientTest, ATraceThatArrivedCompletelyIsCompleteHoweverTheCallEnds) {
  daemon_.fetch = [this](const v1::FetchTraceRequest& request, FakeDaemon::Writer* writer) {
    SendUntil(request, trace_.size(), writer);
    return grpc::Status(grpc::StatusCode::UNAVAILABLE, "stopping");
  };
  EXPECT_TRUE(Fetch().ok());
  EXPECT_EQ(daemon_.offsets.size(), 1u);
}

TEST_F(ProfilerClientTest, AsksAgainForADamagedChunk) {
  daemon_.fetch = [this](const v1::FetchTraceRequest& request, FakeDaemon::Writer* writer) {
    if (daemon_.offsets.size() > 1) return SendUntil(request, trace_.size(), writer);
    SendUntil(request, 300, writer);
    v1::TraceChunk chunk = ChunkAt(300, 300);
    chunk.mutable_data()->front() ^= 1;
    writer->Write(chunk);
    return grpc::Status::OK;
  };
  ASSERT_TRUE(Fetch().ok());
  EXPECT_EQ(received_, trace_);
  EXPECT_THAT(daemon_.offsets, ElementsAre(0u, 300u));
}

TEST_F(ProfilerClientTest, GivesUpWhenNothingMoreArrives) {
  daemon_.fetch = [this](const v1::FetchTraceRequest& request, FakeDaemon::Writer* writer) {
    if (request.offset() == 0) SendUntil(request, 300, writer);
    return grpc::Status(grpc::StatusCode::RESOURCE_EXHAUSTED, "too slow");
  };
  const absl::StatusOr<FetchedTrace> fetched = Fetch();
  EXPECT_EQ(fetched.status(), absl::ResourceExhaustedError("too slow"));
  EXPECT_EQ(daemon_.offsets.size(), 6u);
  using std::chrono::milliseconds;
  EXPECT_THAT(pauses_, ElementsAre(milliseconds(100), milliseconds(200), milliseconds(400),
                                   milliseconds(800), milliseconds(1600)));
}

TEST_F(ProfilerClientTest, DoesNotGoOnInAnotherTrace) {
  daemon_.fetch = [this](const v1::FetchTraceRequest& request, FakeDaemon::Writer* writer) {
    if (request.offset() == 0) {
      SendUntil(request, 300, writer);
      return grpc::Status(grpc::StatusCode::UNAVAILABLE, "restarting");
    }
    EXPECT_EQ(request.etag(), "tag");
    v1::TraceChunk chunk = ChunkAt(300, 300);
    chunk.set_etag("other");
    writer->Write(chunk);
    return grpc::Status::OK;
  };
  EXPECT_TRUE(absl::IsFailedPrecondition(Fetch().status()));
  EXPECT_EQ(received_, trace_.substr(0, 300));
}

TEST_F(ProfilerClientTest, AFetchThatNeverStartedIsNotRepeated) {
  daemon_.fetch = [](const v1::FetchTraceRequest&, FakeDaemon::Writer*) {
    return grpc::Status(grpc::StatusCode::RESOURCE_EXHAUSTED, "the trace does not fit");
  };
  EXPECT_TRUE(absl::IsResourceExhausted(Fetch().status()));
  EXPECT_EQ(daemon_.offsets.size(), 1u);
}

TEST_F(ProfilerClientTest, AReceiverThatFailsEndsTheFetch) {
  const absl::Status full = absl::ResourceExhaustedError("disk full");
  const auto fetched = client_->FetchTrace({}, [&full](const v1::TraceChunk&) { return full; });
  EXPECT_EQ(fetched.status(), full);
  EXPECT_EQ(daemon_.offsets.size(), 1u);
}

}  // namespace
}  // namespace simpler::profiler
