// Eight clients that do everything at random, with a capture store that is too small for all they
// import. Memory must not grow once the caches are warm.
#include <grpcpp/client_context.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "analysis/archive/crc32c.h"
#include "tests/integration/daemon_process.h"

namespace simpler::integration {
namespace {

constexpr int kClients = 8;
constexpr int kRoundsPerClient = 40;

// How long to go on after the fixed number of rounds, from SIMPLER_LOAD_SECONDS.
std::chrono::seconds ExtraTime() {
  const char* text = std::getenv("SIMPLER_LOAD_SECONDS");
  return std::chrono::seconds(text == nullptr ? 0 : std::atoi(text));
}

bool IsExpected(const grpc::Status& status) {
  switch (status.error_code()) {
    case grpc::StatusCode::OK:
    case grpc::StatusCode::CANCELLED:
    case grpc::StatusCode::DEADLINE_EXCEEDED:
    case grpc::StatusCode::NOT_FOUND:           // another client deleted it
    case grpc::StatusCode::RESOURCE_EXHAUSTED:  // too much at once
      return true;
    default:
      return false;
  }
}

class Client {
 public:
  Client(const DaemonProcess& daemon, const std::vector<std::string>& archives, uint64_t seed)
      : stub_(v1::Profiler::NewStub(daemon.Connect())), archives_(archives), random_(seed) {}

  void Round() {
    switch (random_() % 8) {
      case 0:
      case 1:
        return DoImport();
      case 2:
        return DoDelete();
      case 3:
        return DoFetch();
      case 4:
        return DoCancelledImport();
      default:
        return DoCompute();
    }
  }

 private:
  std::string AnyCapture() {
    grpc::ClientContext context;
    v1::ListCapturesResponse response;
    Check(stub_->ListCaptures(&context, {}, &response));
    if (response.captures_size() == 0) return "cap-none";
    return response.captures(static_cast<int>(random_() % response.captures_size())).id();
  }

  void DoImport() {
    v1::ImportHeader header;
    header.set_name("load");
    Check(Import(stub_.get(), archives_[random_() % archives_.size()], header).status);
  }

  void DoCancelledImport() {
    grpc::ClientContext context;
    v1::ImportCaptureResponse response;
    auto writer = stub_->ImportCapture(&context, &response);
    v1::ImportCaptureRequest request;
    request.mutable_header();
    const std::string& archive = archives_[random_() % archives_.size()];
    request.set_data(archive.substr(0, random_() % std::min<size_t>(archive.size(), 1 << 20)));
    writer->Write(request);
    context.TryCancel();
    Check(writer->Finish());
  }

  void DoDelete() {
    grpc::ClientContext context;
    v1::DeleteCaptureRequest request;
    request.set_capture_id(AnyCapture());
    v1::DeleteCaptureResponse response;
    Check(stub_->DeleteCapture(&context, request, &response));
  }

  void DoCompute() {
    grpc::ClientContext context;
    if (random_() % 4 == 0) {
      context.set_deadline(std::chrono::system_clock::now() +
                           std::chrono::milliseconds(random_() % 10));
    }
    v1::ComputeOverheadRequest request;
    *request.mutable_run() = RunOf(AnyCapture());
    request.mutable_run()->set_strict(random_() % 2 == 0);
    request.set_document_format(v1::DOCUMENT_FORMAT_JSON);
    v1::ComputeOverheadResponse response;
    Check(stub_->ComputeOverhead(&context, request, &response));
  }

  void DoFetch() {
    v1::FetchTraceRequest request = TraceOf(AnyCapture());
    request.mutable_options()->set_format(v1::TraceFormat(random_() % 3));
    const bool give_up = random_() % 3 == 0;
    const Fetched fetched =
        Fetch(stub_.get(), request, [give_up](const v1::TraceChunk&) { return give_up; });
    Check(fetched.status);
    for (const v1::TraceChunk& chunk : fetched.chunks) {
      EXPECT_EQ(chunk.crc32c(), archive::Crc32c(chunk.data()));
    }
  }

  static void Check(const grpc::Status& status) {
    EXPECT_TRUE(IsExpected(status)) << status.error_code() << ": " << status.error_message();
  }

  std::unique_ptr<v1::Profiler::Stub> stub_;
  const std::vector<std::string>& archives_;
  std::mt19937_64 random_;
};

// Every client does `rounds` rounds, and more until `end`.
void RunClients(const DaemonProcess& daemon, const std::vector<std::string>& archives, int rounds,
                std::chrono::steady_clock::time_point end) {
  static std::atomic<uint64_t> next_seed = 1;
  std::vector<std::thread> threads;
  for (int i = 0; i < kClients; ++i) {
    threads.emplace_back([&, seed = next_seed++] {
      Client client(daemon, archives, seed);
      for (int round = 0; round < rounds || std::chrono::steady_clock::now() < end; ++round) {
        client.Round();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST(DaemonLoadTest, MixedLoadRunsCleanAndMemoryStaysFlat) {
  std::vector<std::string> archives;
  for (uint64_t seed = 1; seed <= 4; ++seed) {
    archives.push_back(GeneratedArchive(static_cast<uint32_t>(500 * seed), seed));
  }
  DaemonProcess daemon({"--store-bytes", "4M", "--cache-bytes", "4M", "--spool-bytes", "64M"});
  const auto now = [] { return std::chrono::steady_clock::now(); };
  const auto extra = ExtraTime();
  RunClients(daemon, archives, kRoundsPerClient, now() + extra / 3);
  const uint64_t warm = daemon.program().ResidentBytes();
  RunClients(daemon, archives, kRoundsPerClient, now() + extra);
  const uint64_t end = daemon.program().ResidentBytes();

  const v1::DescribeResponse use = daemon.Describe();
  RecordProperty("warm_kib", static_cast<int>(warm >> 10));
  RecordProperty("end_kib", static_cast<int>(end >> 10));
  EXPECT_LE(use.store_used_bytes(), use.store_budget_bytes());
  EXPECT_LE(use.analysis_cache_used_bytes(), use.analysis_cache_budget_bytes());
  EXPECT_LE(use.trace_spool_used_bytes(), use.trace_spool_budget_bytes());
  EXPECT_LE(end, warm + warm / 4) << "resident memory grew from " << warm << " to " << end;
  daemon.program().Signal(SIGTERM);
  EXPECT_EQ(daemon.program().Wait(), 0) << daemon.Log().substr(0, 20'000);
}

}  // namespace
}  // namespace simpler::integration
