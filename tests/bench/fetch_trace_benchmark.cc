// FetchTrace against a bare gRPC stream of the same bytes, in one run. Both servers are processes
// of their own behind Unix sockets: the real simplerd, and this program as a server that sends one
// prepared buffer again and again to a client that drops it unread.
//
// FetchRendered alternates the two. Counters:
//
//   ratio             rate of the fetch / rate of the bare stream, fastest round of each
//   checked_ratio     the same when the client verifies the checksum of every chunk
//   bare_MBps, fetch_MBps
//   first_fetch_MBps  of the fetch that also rendered the trace
//
// Rates are wall time, since client and server share the processors.
#include <benchmark/benchmark.h>
#include <grpcpp/generic/async_generic_service.h>
#include <grpcpp/grpcpp.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "analysis/archive/crc32c.h"
#include "proto/simpler/profiler/v1/profiler.grpc.pb.h"
#include "tests/support/generated_archive.h"
#include "tests/support/temp_dir.h"

namespace simpler {
namespace {

using profiler::v1::FetchTraceRequest;
using profiler::v1::Profiler;
using profiler::v1::TraceChunk;

constexpr size_t kChunkBytes = size_t{1} << 20;
constexpr const char* kServeBare = "--serve-bare";
// Metadata of a bare stream: how many bytes to send.
constexpr const char* kBytesKey = "bytes";
constexpr uint32_t kTasks = 200'000;

// A chunk as it is on the wire.
grpc::ByteBuffer Message(size_t data_bytes) {
  TraceChunk chunk;
  chunk.set_data(std::string(data_bytes, 'x'));
  const grpc::Slice slice(chunk.SerializeAsString());
  return {&slice, 1};
}

// Answers any call with as many bytes, in chunks, as its metadata say.
class BareStream final : public grpc::ServerGenericBidiReactor {
 public:
  explicit BareStream(uint64_t bytes) : left_(bytes), message_(Message(kChunkBytes)) { Next(); }

  void OnWriteDone(bool ok) override { ok ? Next() : Finish(grpc::Status::CANCELLED); }
  void OnDone() override { delete this; }

 private:
  void Next() {
    if (left_ == 0) return Finish(grpc::Status::OK);
    const size_t size = std::min<uint64_t>(left_, kChunkBytes);
    left_ -= size;
    if (size < kChunkBytes) message_ = Message(size);
    StartWrite(&message_);
  }

  uint64_t left_;
  grpc::ByteBuffer message_;
};

class BareService final : public grpc::CallbackGenericService {
 public:
  grpc::ServerGenericBidiReactor* CreateReactor(grpc::GenericCallbackServerContext* ctx) override {
    const auto bytes = ctx->client_metadata().find(kBytesKey);
    return new BareStream(std::stoull(std::string(bytes->second.begin(), bytes->second.end())));
  }
};

int ServeBare(const std::string& address) {
  BareService service;
  grpc::ServerBuilder builder;
  builder.AddListeningPort(address, grpc::InsecureServerCredentials());
  builder.RegisterCallbackGenericService(&service);
  builder.BuildAndStart()->Wait();
  return 0;
}

// A server process that ends with this object.
class ServerProcess {
 public:
  explicit ServerProcess(std::vector<std::string> argv) : pid_(fork()) {
    if (pid_ != 0) return;
    std::vector<char*> pointers;
    for (std::string& argument : argv) pointers.push_back(argument.data());
    pointers.push_back(nullptr);
    execv(pointers[0], pointers.data());
    _exit(127);
  }
  ServerProcess(const ServerProcess&) = delete;
  ServerProcess& operator=(const ServerProcess&) = delete;
  ~ServerProcess() {
    kill(pid_, SIGTERM);
    waitpid(pid_, nullptr, 0);
  }

 private:
  pid_t pid_;
};

std::shared_ptr<grpc::Channel> Connect(const std::string& address) {
  grpc::ChannelArguments arguments;
  arguments.SetMaxReceiveMessageSize(-1);
  auto channel = grpc::CreateCustomChannel(address, grpc::InsecureChannelCredentials(), arguments);
  channel->WaitForConnected(std::chrono::system_clock::now() + std::chrono::seconds(60));
  return channel;
}

// Empty when the import failed.
std::string Import(Profiler::Stub* stub, const std::string& archive) {
  grpc::ClientContext context;
  profiler::v1::ImportCaptureResponse response;
  auto writer = stub->ImportCapture(&context, &response);
  profiler::v1::ImportCaptureRequest request;
  request.mutable_header()->set_name("benchmark");
  for (size_t begin = 0; begin < archive.size(); begin += kChunkBytes) {
    request.set_data(archive.substr(begin, kChunkBytes));
    if (!writer->Write(request)) break;
    request.clear_header();
  }
  writer->WritesDone();
  return writer->Finish().ok() ? response.capture().id() : std::string();
}

// Bytes of the trace; absent when the fetch failed or a checksum was wrong.
std::optional<uint64_t> Read(Profiler::Stub* stub, grpc::ClientContext* context,
                             const FetchTraceRequest& request, bool check) {
  auto reader = stub->FetchTrace(context, request);
  TraceChunk chunk;
  uint64_t received = 0;
  while (reader->Read(&chunk)) {
    received += chunk.data().size();
    if (check && archive::Crc32c(chunk.data()) != chunk.crc32c()) return std::nullopt;
  }
  return reader->Finish().ok() ? std::optional(received) : std::nullopt;
}

std::optional<uint64_t> Fetch(Profiler::Stub* stub, const FetchTraceRequest& request, bool check) {
  grpc::ClientContext context;
  return Read(stub, &context, request, check);
}

std::optional<uint64_t> ReadBare(Profiler::Stub* stub, uint64_t bytes) {
  grpc::ClientContext context;
  context.AddMetadata(kBytesKey, std::to_string(bytes));
  return Read(stub, &context, {}, /*check=*/false);
}

template <typename Work>
double Seconds(Work&& work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

// Both servers, and the trace to fetch.
struct Servers {
  Servers() {
    request.mutable_run()->set_capture_id(
        Import(stub.get(), support::ToArchive(support::GenerateBundle({.tasks = kTasks}))));
    first_fetch_seconds = Seconds([this] { bytes = Fetch(stub.get(), request, false); });
  }

  support::TempDir directory;
  const std::string socket = (directory.path() / "simplerd.sock").string();
  const std::string bare_socket = (directory.path() / "bare.sock").string();
  ServerProcess daemon{{SIMPLERD_PATH, "--socket", socket, "--log-level", "warn"}};
  ServerProcess bare{{"/proc/self/exe", kServeBare, "unix:" + bare_socket}};
  std::shared_ptr<grpc::Channel> channel = Connect("unix:" + socket);
  std::unique_ptr<Profiler::Stub> stub = Profiler::NewStub(channel);
  std::unique_ptr<Profiler::Stub> bare_stub = Profiler::NewStub(Connect("unix:" + bare_socket));
  FetchTraceRequest request;
  std::optional<uint64_t> bytes;
  double first_fetch_seconds = 0;
};

Servers& TheServers() {
  static Servers servers;
  return servers;
}

void FetchRendered(benchmark::State& state) {
  Servers& servers = TheServers();
  if (!servers.bytes) {
    state.SkipWithError("the daemon did not import the capture or render its trace");
    return;
  }
  const uint64_t bytes = *servers.bytes;
  double fetch = 1e9, checked = 1e9, bare = 1e9;
  for (auto _ : state) {
    bare = std::min(bare, Seconds([&] {
                      if (ReadBare(servers.bare_stub.get(), bytes) != bytes)
                        state.SkipWithError("bare stream");
                    }));
    checked = std::min(checked, Seconds([&] {
                         if (Fetch(servers.stub.get(), servers.request, true) != bytes)
                           state.SkipWithError("fetch");
                       }));
    const double seconds = Seconds([&] {
      if (Fetch(servers.stub.get(), servers.request, false) != bytes) state.SkipWithError("fetch");
    });
    fetch = std::min(fetch, seconds);
    state.SetIterationTime(seconds);
  }
  const double megabytes = 1e-6 * static_cast<double>(bytes);
  state.counters["ratio"] = bare / fetch;
  state.counters["checked_ratio"] = bare / checked;
  state.counters["bare_MBps"] = megabytes / bare;
  state.counters["fetch_MBps"] = megabytes / fetch;
  state.counters["first_fetch_MBps"] = megabytes / servers.first_fetch_seconds;
  state.counters["MB"] = megabytes;
}
BENCHMARK(FetchRendered)->Iterations(15)->UseManualTime()->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace simpler

int main(int argc, char** argv) {
  if (argc == 3 && argv[1] == std::string(simpler::kServeBare)) return simpler::ServeBare(argv[2]);
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
