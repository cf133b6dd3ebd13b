#include "tests/integration/daemon_process.h"

#include <grpcpp/client_context.h>
#include <grpcpp/create_channel.h>

#include <chrono>
#include <filesystem>
#include <regex>
#include <thread>
#include <utility>

#include "analysis/archive/archive_writer.h"
#include "gtest/gtest.h"
#include "tests/support/capture_generator.h"
#include "tests/support/run_program.h"
#include "tests/support/test_data.h"

namespace simpler::integration {
namespace {

constexpr size_t kMessageBytes = size_t{1} << 20;

std::vector<std::string> Arguments(const std::string& socket, const std::string& spool,
                                   std::vector<std::string> more) {
  std::vector<std::string> argv = {SIMPLERD_PATH, "--socket",    socket, "--spool-dir",
                                   spool,         "--log-level", "debug"};
  argv.insert(argv.end(), std::make_move_iterator(more.begin()),
              std::make_move_iterator(more.end()));
  return argv;
}

}  // namespace

bool Eventually(const std::function<bool()>& condition) {
  for (int i = 0; i < 60'000; ++i) {
    if (condition()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return false;
}

DaemonProcess::DaemonProcess(std::vector<std::string> arguments)
    : program_(std::make_unique<support::BackgroundProgram>(
          Arguments(socket_, directory_.path(), std::move(arguments)), log_)) {
  const bool serves = Eventually([this] {
    return Log().find(" serves ") != std::string::npos || Log().find("simplerd: ") == 0;
  });
  EXPECT_TRUE(serves) << Log();
  channel_ = Connect();
  stub_ = v1::Profiler::NewStub(channel_);
}

std::shared_ptr<grpc::Channel> DaemonProcess::Connect() const {
  grpc::ChannelArguments arguments;
  arguments.SetMaxReceiveMessageSize(-1);
  arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
  return grpc::CreateCustomChannel("unix:" + socket_, grpc::InsecureChannelCredentials(),
                                   arguments);
}

v1::DescribeResponse DaemonProcess::Describe() const {
  grpc::ClientContext context;
  v1::DescribeResponse response;
  const grpc::Status status = stub_->Describe(&context, {}, &response);
  EXPECT_TRUE(status.ok()) << status.error_message();
  return response;
}

std::string DaemonProcess::TcpPort() const {
  std::smatch match;
  const std::string log = Log();
  const std::regex pattern(R"( and [^;]*:(\d+)[^;]*;)");
  return std::regex_search(log, match, pattern) ? match[1].str() : "";
}

std::string GeneratedArchive(uint32_t tasks, uint64_t seed) {
  support::GeneratedCapture generated = support::GenerateCapture({.tasks = tasks, .seed = seed});
  capture::CaptureBundle bundle;
  bundle.capture = std::move(generated.capture);
  bundle.graph = std::move(generated.graph);
  bundle.names = std::move(generated.names);
  std::string bytes;
  timeline::StringSink sink(&bytes);
  EXPECT_TRUE(archive::WriteArchive(bundle, &sink).ok());
  return bytes;
}

std::string PackedArchive(const std::string& capture) {
  const support::TempDir directory;
  const std::string file = directory.path() / "packed.simpler";
  const support::ProgramResult packed = support::RunProgram(
      {SIMPLERCTL_PATH, "pack", support::TestDataPath("captures/" + capture), "-o", file});
  EXPECT_EQ(packed.exit_code, 0) << packed.err;
  return support::ReadTextFile(file);
}

Imported Import(v1::Profiler::Stub* stub, const std::string& archive,
                const v1::ImportHeader& header) {
  Imported imported;
  grpc::ClientContext context;
  auto writer = stub->ImportCapture(&context, &imported.response);
  v1::ImportCaptureRequest request;
  *request.mutable_header() = header;
  for (size_t begin = 0; begin < archive.size(); begin += kMessageBytes) {
    request.set_data(archive.substr(begin, kMessageBytes));
    if (!writer->Write(request)) break;
    request.clear_header();
  }
  writer->WritesDone();
  imported.status = writer->Finish();
  return imported;
}

std::string Fetched::Bytes() const {
  std::string bytes;
  for (const v1::TraceChunk& chunk : chunks) bytes += chunk.data();
  return bytes;
}

Fetched Fetch(v1::Profiler::Stub* stub, const v1::FetchTraceRequest& request,
              const std::function<bool(const v1::TraceChunk&)>& stop) {
  Fetched fetched;
  grpc::ClientContext context;
  auto reader = stub->FetchTrace(&context, request);
  v1::TraceChunk chunk;
  while (reader->Read(&chunk)) {
    fetched.chunks.push_back(chunk);
    if (stop && stop(chunk)) {
      context.TryCancel();
      break;
    }
  }
  fetched.status = reader->Finish();
  return fetched;
}

v1::FetchTraceRequest TraceOf(const std::string& id) {
  v1::FetchTraceRequest request;
  *request.mutable_run() = RunOf(id);
  return request;
}

v1::RunSelector RunOf(const std::string& id, uint32_t run_index) {
  v1::RunSelector run;
  run.set_capture_id(id);
  run.set_run_index(run_index);
  return run;
}

}  // namespace simpler::integration
