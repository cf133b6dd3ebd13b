// Streams that break, stall, or are given up.
#include <grpcpp/client_context.h>
#include <grpcpp/create_channel.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "tests/integration/daemon_process.h"

namespace simpler::integration {
namespace {

using ::testing::HasSubstr;

uint64_t CountCaptures(const DaemonProcess& daemon) { return daemon.Describe().captures(); }

TEST(DaemonStreamTest, InterruptedFetchesGoOnInTheSameBytes) {
  DaemonProcess daemon;
  const Imported imported = Import(daemon.stub(), GeneratedArchive(10'000));
  ASSERT_TRUE(imported.status.ok()) << imported.status.error_message();
  const Fetched whole = Fetch(daemon.stub(), TraceOf(imported.id()));
  ASSERT_TRUE(whole.status.ok()) << whole.status.error_message();
  const std::string expected = whole.Bytes();
  std::mt19937_64 random(7);
  for (int i = 0; i < 100; ++i) {
    const uint64_t cut = random() % (expected.size() + 1);
    v1::FetchTraceRequest request = TraceOf(imported.id());
    Fetched first = Fetch(daemon.stub(), request, [cut](const v1::TraceChunk& chunk) {
      return chunk.offset() + chunk.data().size() >= cut;
    });
    // The client got the bytes up to `cut` and lost the connection.
    std::string bytes = first.Bytes().substr(0, cut);
    request.set_offset(bytes.size());
    request.set_etag(first.chunks[0].etag());
    const Fetched rest = Fetch(daemon.stub(), request);
    ASSERT_TRUE(rest.status.ok()) << rest.status.error_message();
    EXPECT_EQ(rest.chunks[0].offset(), cut);
    ASSERT_TRUE(bytes + rest.Bytes() == expected) << "cut at " << cut;
  }
  EXPECT_EQ(daemon.Describe().traces_rendered(), 1u);
}

// A fetch that takes the first chunk and then nothing more.
class StalledFetch {
 public:
  StalledFetch(const DaemonProcess& daemon, const std::string& id)
      : stub_(v1::Profiler::NewStub(daemon.Connect())),
        reader_(stub_->FetchTrace(&context_, TraceOf(id))) {
    EXPECT_TRUE(reader_->Read(&chunk_));
  }

  // Takes what is there.
  grpc::Status Drain() {
    while (reader_->Read(&chunk_)) {
    }
    return reader_->Finish();
  }

 private:
  std::unique_ptr<v1::Profiler::Stub> stub_;
  grpc::ClientContext context_;
  std::unique_ptr<grpc::ClientReader<v1::TraceChunk>> reader_;
  v1::TraceChunk chunk_;
};

TEST(DaemonStreamTest, SlowReadersAreBoundedAndCutWithAReason) {
  constexpr int kReaders = 64;
  DaemonProcess daemon({"--slow-reader-seconds", "2", "--max-fetches", "100"});
  const Imported imported = Import(daemon.stub(), GeneratedArchive(100'000));
  ASSERT_TRUE(imported.status.ok()) << imported.status.error_message();
  ASSERT_TRUE(Fetch(daemon.stub(), TraceOf(imported.id())).status.ok());
  const uint64_t before = daemon.program().ResidentBytes();

  std::vector<std::unique_ptr<StalledFetch>> readers;
  for (int i = 0; i < kReaders; ++i) {
    readers.push_back(std::make_unique<StalledFetch>(daemon, imported.id()));
  }
  const uint64_t chunk_bytes = uint64_t{1} << 20;
  EXPECT_LT(daemon.program().ResidentBytes(), before + kReaders * 4 * chunk_bytes);
  EXPECT_TRUE(
      Fetch(daemon.stub(), TraceOf(Import(daemon.stub(), GeneratedArchive(10)).id())).status.ok());

  EXPECT_TRUE(Eventually([&] { return daemon.Describe().slow_readers_cut() == kReaders; }));
  for (const auto& reader : readers) {
    const grpc::Status status = reader->Drain();
    EXPECT_EQ(status.error_code(), grpc::StatusCode::RESOURCE_EXHAUSTED);
    EXPECT_THAT(status.error_message(), HasSubstr("took nothing"));
    EXPECT_THAT(status.error_message(), HasSubstr("offset"));
  }
  EXPECT_THAT(daemon.Log(), HasSubstr("took nothing"));
}

TEST(DaemonStreamTest, FetchesBeyondTheLimitAreRefused) {
  DaemonProcess daemon({"--max-fetches", "1"});
  const Imported imported = Import(daemon.stub(), GeneratedArchive(100'000));
  ASSERT_TRUE(imported.status.ok()) << imported.status.error_message();
  StalledFetch first(daemon, imported.id());
  const grpc::Status refused = Fetch(daemon.stub(), TraceOf(imported.id())).status;
  EXPECT_EQ(refused.error_code(), grpc::StatusCode::RESOURCE_EXHAUSTED);
  EXPECT_THAT(refused.error_message(), HasSubstr("1 fetches run"));
  EXPECT_TRUE(first.Drain().ok());
  EXPECT_TRUE(Eventually([&] { return Fetch(daemon.stub(), TraceOf(imported.id())).status.ok(); }));
}

TEST(DaemonStreamTest, SilentImportsAreGivenUp) {
  DaemonProcess daemon({"--slow-reader-seconds", "1"});
  grpc::ClientContext context;
  v1::ImportCaptureResponse response;
  auto writer = daemon.stub()->ImportCapture(&context, &response);
  v1::ImportCaptureRequest request;
  request.mutable_header();
  ASSERT_TRUE(writer->Write(request));
  const grpc::Status status = writer->Finish();
  EXPECT_EQ(status.error_code(), grpc::StatusCode::RESOURCE_EXHAUSTED);
  EXPECT_THAT(status.error_message(), HasSubstr("sent nothing"));
}

TEST(DaemonStreamTest, ClientKilledDuringImportLeavesNothing) {
  DaemonProcess daemon;
  const std::string archive = GeneratedArchive(50'000);
  ASSERT_GT(archive.size(), size_t{1} << 20);
  const std::string half = daemon.directory().Write("half", archive.substr(0, archive.size() / 2));
  // The client is this program, told what to do by its environment.
  support::BackgroundProgram client({"/proc/self/exe", "--import-and-hang", daemon.socket(), half},
                                    daemon.directory().path() / "client");
  EXPECT_TRUE(Eventually([&] {
    return support::ReadTextFile(daemon.directory().path() / "client").find("sent") !=
           std::string::npos;
  }));
  client.Signal(SIGKILL);
  client.Wait();
  EXPECT_TRUE(Eventually([&] { return daemon.Log().find("import refused") != std::string::npos; }));
  EXPECT_EQ(CountCaptures(daemon), 0u);
  EXPECT_TRUE(Import(daemon.stub(), archive).status.ok());
}

TEST(DaemonStreamTest, KilledDaemonListsOnlyCompleteCaptures) {
  const support::TempDir store;
  const std::string archive = GeneratedArchive(50'000);
  std::string complete;
  {
    DaemonProcess daemon({"--store-dir", store.path()});
    complete = Import(daemon.stub(), GeneratedArchive(100)).id();
    ASSERT_FALSE(complete.empty());
    grpc::ClientContext context;
    v1::ImportCaptureResponse response;
    auto writer = daemon.stub()->ImportCapture(&context, &response);
    v1::ImportCaptureRequest request;
    request.mutable_header();
    request.set_data(archive.substr(0, size_t{1} << 20));
    ASSERT_TRUE(writer->Write(request));
    daemon.program().Signal(SIGKILL);
    EXPECT_EQ(daemon.program().Wait(), -SIGKILL);
    EXPECT_FALSE(writer->Finish().ok());
  }
  DaemonProcess daemon({"--store-dir", store.path()});
  grpc::ClientContext context;
  v1::ListCapturesResponse response;
  ASSERT_TRUE(daemon.stub()->ListCaptures(&context, {}, &response).ok());
  ASSERT_EQ(response.captures_size(), 1);
  EXPECT_EQ(response.captures(0).id(), complete);
  EXPECT_TRUE(Fetch(daemon.stub(), TraceOf(complete)).status.ok());
}

TEST(DaemonStreamTest, CancelledAndLateCallsEndAndTheDaemonGoesOn) {
  DaemonProcess daemon({"--threads", "1"});
  const Imported imported = Import(daemon.stub(), GeneratedArchive(50'000));
  ASSERT_TRUE(imported.status.ok()) << imported.status.error_message();
  for (int i = 0; i < 20; ++i) {
    grpc::ClientContext context;
    context.set_deadline(std::chrono::system_clock::now() + std::chrono::milliseconds(i));
    v1::ComputeOverheadRequest request;
    *request.mutable_run() = RunOf(imported.id());
    request.mutable_run()->set_strict(i % 2 == 0);
    v1::ComputeOverheadResponse response;
    const grpc::Status status = daemon.stub()->ComputeOverhead(&context, request, &response);
    EXPECT_TRUE(status.ok() || status.error_code() == grpc::StatusCode::DEADLINE_EXCEEDED)
        << status.error_message();
  }
  const Fetched cancelled =
      Fetch(daemon.stub(), TraceOf(imported.id()), [](const v1::TraceChunk&) { return true; });
  EXPECT_EQ(cancelled.status.error_code(), grpc::StatusCode::CANCELLED);
  EXPECT_TRUE(Fetch(daemon.stub(), TraceOf(imported.id())).status.ok());
}

}  // namespace

// Sends the bytes of a file as an import and waits to be killed.
int ImportAndHang(const std::string& socket, const std::string& file) {
  auto stub = v1::Profiler::NewStub(
      grpc::CreateChannel("unix:" + socket, grpc::InsecureChannelCredentials()));
  grpc::ClientContext context;
  v1::ImportCaptureResponse response;
  auto writer = stub->ImportCapture(&context, &response);
  v1::ImportCaptureRequest request;
  request.mutable_header();
  request.set_data(support::ReadTextFile(file).substr(0, size_t{1} << 20));
  if (!writer->Write(request)) return 1;
  if (write(STDOUT_FILENO, "sent", 4) != 4) return 1;
  pause();
  return 0;
}

}  // namespace simpler::integration
