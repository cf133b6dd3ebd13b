// simplerd as a process: its socket, signals, health, reflection and TLS.
#include "tests/integration/daemon_process.h"

#include <grpcpp/client_context.h>
#include <grpcpp/create_channel.h>
#include <grpcpp/generic/generic_stub.h>
#include <grpcpp/support/client_callback.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <future>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "tests/support/run_program.h"

namespace simpler::integration {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

// The answer to a unary request in wire format.
struct RawAnswer {
  grpc::Status status;
  std::string bytes;
};
RawAnswer CallRaw(const std::shared_ptr<grpc::Channel>& channel, const std::string& method,
                  const std::string& request) {
  grpc::GenericStub stub(channel);
  grpc::ClientContext context;
  const grpc::Slice slice(request);
  const grpc::ByteBuffer message(&slice, 1);
  grpc::ByteBuffer response;
  std::promise<grpc::Status> done;
  stub.UnaryCall(&context, method, {}, &message, &response,
                 [&done](grpc::Status status) { done.set_value(std::move(status)); });
  RawAnswer answer{.status = done.get_future().get(), .bytes = {}};
  grpc::Slice bytes;
  if (answer.status.ok() && response.TrySingleSlice(&bytes).ok()) {
    answer.bytes.assign(bytes.begin(), bytes.end());
  }
  return answer;
}

// grpc.health.v1: field 1 of the request is the service, field 1 of the answer 1 when it serves.
RawAnswer Health(const std::shared_ptr<grpc::Channel>& channel, const std::string& service) {
  std::string request;
  if (!service.empty())
    request = "\x0A" + std::string(1, static_cast<char>(service.size())) + service;
  return CallRaw(channel, "/grpc.health.v1.Health/Check", request);
}
constexpr const char* kServing = "\x08\x01";

TEST(DaemonProcessTest, SocketIsForOwnerAndGroupAndGoesAtTheEnd) {
  DaemonProcess daemon;
  struct stat info {};
  ASSERT_EQ(stat(daemon.socket().c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 07777, 0660u);
  daemon.program().Signal(SIGTERM);
  EXPECT_EQ(daemon.program().Wait(), 0);
  EXPECT_FALSE(fs::exists(daemon.socket()));
  EXPECT_THAT(daemon.Log(), HasSubstr("stopped"));
}

TEST(DaemonProcessTest, SecondDaemonIsRefusedAndTheFirstGoesOn) {
  DaemonProcess daemon;
  const support::ProgramResult second =
      support::RunProgram({SIMPLERD_PATH, "--socket", daemon.socket()});
  EXPECT_EQ(second.exit_code, 1);
  EXPECT_THAT(second.err, HasSubstr("process " + std::to_string(daemon.program().pid())));
  EXPECT_FALSE(daemon.Describe().version().empty());
  EXPECT_TRUE(
      Import(v1::Profiler::NewStub(daemon.Connect()).get(), GeneratedArchive(10)).status.ok());
}

TEST(DaemonProcessTest, SocketOfAKilledDaemonIsReplaced) {
  DaemonProcess killed;
  killed.program().Signal(SIGKILL);
  killed.program().Wait();
  ASSERT_TRUE(fs::exists(killed.socket()));
  support::BackgroundProgram next({SIMPLERD_PATH, "--socket", killed.socket()},
                                  killed.directory().path() / "next");
  EXPECT_TRUE(Eventually([&] {
    return support::ReadTextFile(killed.directory().path() / "next").find(" serves ") !=
           std::string::npos;
  }));
  const auto stub = v1::Profiler::NewStub(killed.Connect());
  grpc::ClientContext context;
  v1::DescribeResponse response;
  EXPECT_TRUE(stub->Describe(&context, {}, &response).ok());
}

TEST(DaemonProcessTest, BadStartsAreRefusedWithTheReason) {
  const auto refusal = [](std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), SIMPLERD_PATH);
    const support::ProgramResult result = support::RunProgram(arguments);
    EXPECT_EQ(result.exit_code, 1) << result.err;
    return result.err;
  };
  const support::TempDir scratch;
  const std::string socket = scratch.path() / "s.sock";
  EXPECT_THAT(refusal({"--socket", scratch.path() / "missing" / "s.sock"}), HasSubstr("missing"));
  EXPECT_THAT(refusal({"--socket", "/tmp/" + std::string(120, 'x')}), HasSubstr("107"));
  EXPECT_THAT(refusal({"--socket", socket, "--listen", "0.0.0.0:0"}), HasSubstr("--tls-cert"));
  EXPECT_THAT(refusal({"--socket", socket, "--spool-dir", "/proc/nowhere"}),
              HasSubstr("/proc/nowhere"));
  EXPECT_THAT(refusal({"--socket", socket, "--socket-group", "no such group"}),
              HasSubstr("no such group"));
  EXPECT_THAT(refusal({"--socket", socket, "--log-file", "/proc/nowhere/log"}),
              HasSubstr("/proc/nowhere/log"));
  EXPECT_FALSE(fs::exists(socket));
}

TEST(DaemonProcessTest, TcpPortInUseIsRefused) {
  DaemonProcess daemon({"--listen", "127.0.0.1:0"});
  ASSERT_FALSE(daemon.TcpPort().empty()) << daemon.Log();
  const support::TempDir scratch;
  const support::ProgramResult second =
      support::RunProgram({SIMPLERD_PATH, "--socket", scratch.path() / "s.sock", "--listen",
                           "127.0.0.1:" + daemon.TcpPort()});
  EXPECT_EQ(second.exit_code, 1);
  EXPECT_THAT(second.err, HasSubstr(daemon.TcpPort()));
}

TEST(DaemonProcessTest, TermLetsARunningFetchFinish) {
  DaemonProcess daemon({"--drain-seconds", "600"});
  const Imported imported = Import(daemon.stub(), GeneratedArchive(50'000));
  ASSERT_TRUE(imported.status.ok());
  const Fetched whole = Fetch(daemon.stub(), TraceOf(imported.id()));
  ASSERT_GT(whole.chunks.size(), 4u);
  bool asked = false;
  const Fetched fetched = Fetch(daemon.stub(), TraceOf(imported.id()), [&](const v1::TraceChunk&) {
    if (!asked) daemon.program().Signal(SIGTERM);
    asked = true;
    return false;
  });
  // Every byte arrives. The status behind them may not: gRPC closes the connection of a server that
  // ends as soon as it has written the status, and a client that writes to it in that moment gives
  // up what it has not read. Clients know by the size that they have everything.
  EXPECT_TRUE(fetched.Bytes() == whole.Bytes()) << fetched.status.error_message();
  EXPECT_EQ(daemon.program().Wait(), 0);
}

// A call that never ends by itself.
class HangingImport {
 public:
  explicit HangingImport(v1::Profiler::Stub* stub)
      : writer_(stub->ImportCapture(&context_, &response_)) {
    v1::ImportCaptureRequest request;
    request.mutable_header();
    EXPECT_TRUE(writer_->Write(request));
  }
  ~HangingImport() {
    context_.TryCancel();
    Finish();
  }
  HangingImport(const HangingImport&) = delete;
  HangingImport& operator=(const HangingImport&) = delete;

  grpc::Status Finish() {
    if (!finished_) status_ = writer_->Finish();
    finished_ = true;
    return status_;
  }

 private:
  grpc::ClientContext context_;
  v1::ImportCaptureResponse response_;
  std::unique_ptr<grpc::ClientWriter<v1::ImportCaptureRequest>> writer_;
  bool finished_ = false;
  grpc::Status status_;
};

TEST(DaemonProcessTest, CallsThatDoNotFinishInTimeAreCancelled) {
  DaemonProcess daemon({"--drain-seconds", "1"});
  HangingImport import(daemon.stub());
  daemon.program().Signal(SIGTERM);
  EXPECT_EQ(daemon.program().Wait(), 0);
  EXPECT_FALSE(import.Finish().ok());
  EXPECT_THAT(daemon.Log(), HasSubstr("stopped"));
}

TEST(DaemonProcessTest, SecondSignalEndsAtOnce) {
  DaemonProcess daemon({"--drain-seconds", "86400", "--slow-reader-seconds", "86400"});
  HangingImport import(daemon.stub());
  daemon.program().Signal(SIGTERM);
  EXPECT_TRUE(Eventually([&] { return daemon.Log().find("signal 15") != std::string::npos; }));
  daemon.program().Signal(SIGINT);
  EXPECT_EQ(daemon.program().Wait(), 0);
  EXPECT_THAT(daemon.Log(), HasSubstr("second signal"));
}

TEST(DaemonProcessTest, HealthAnswersForTheServerAndTheService) {
  DaemonProcess daemon;
  for (const char* service : {"", "simpler.profiler.v1.Profiler"}) {
    EXPECT_EQ(Health(daemon.Connect(), service).bytes, kServing) << service;
  }
  EXPECT_EQ(Health(daemon.Connect(), "other").status.error_code(), grpc::StatusCode::NOT_FOUND);
}

TEST(DaemonProcessTest, HealthAnswersWhileEverythingIsBusy) {
  DaemonProcess daemon({"--threads", "1", "--max-queued", "1"});
  const Imported imported = Import(daemon.stub(), GeneratedArchive(200'000));
  ASSERT_TRUE(imported.status.ok()) << imported.status.error_message();
  // Different questions until the queue is full.
  std::vector<std::future<grpc::StatusCode>> answers;
  const auto ask = [&](int64_t tolerance) {
    grpc::ClientContext context;
    v1::ComputeCriticalPathRequest request;
    *request.mutable_run() = RunOf(imported.id());
    request.set_tolerance_cycles(tolerance);
    v1::ComputeCriticalPathResponse response;
    return daemon.stub()->ComputeCriticalPath(&context, request, &response).error_code();
  };
  for (int i = 0; i < 16; ++i) answers.push_back(std::async(std::launch::async, ask, 10 + i));
  EXPECT_EQ(Health(daemon.Connect(), "").bytes, kServing);
  EXPECT_FALSE(daemon.Describe().version().empty());
  std::map<grpc::StatusCode, int> counts;
  for (auto& answer : answers) ++counts[answer.get()];
  EXPECT_GT(counts[grpc::StatusCode::RESOURCE_EXHAUSTED], 0);
  EXPECT_GT(counts[grpc::StatusCode::OK], 0);
}

// Not even for what it leaves to be freed.
TEST(DaemonProcessTest, AnImportThatEndedTakesNoPlaceInTheQueue) {
  DaemonProcess daemon({"--threads", "1", "--max-queued", "1"});
  const std::string archive = GeneratedArchive(5'000);
  for (int i = 0; i < 50; ++i) {
    const Imported imported = Import(daemon.stub(), archive);
    ASSERT_TRUE(imported.status.ok()) << imported.status.error_message();
    grpc::ClientContext context;
    v1::ComputeOverheadRequest request;
    *request.mutable_run() = RunOf(imported.id());
    v1::ComputeOverheadResponse response;
    const grpc::Status status = daemon.stub()->ComputeOverhead(&context, request, &response);
    ASSERT_TRUE(status.ok()) << i << ": " << status.error_message();
  }
}

TEST(DaemonProcessTest, ReflectionIsThereOnlyWhenAskedFor) {
  constexpr const char* kMethod = "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo";
  constexpr const char* kListServices = "\x3A\x01*";  // field 7
  const RawAnswer without = CallRaw(DaemonProcess().Connect(), kMethod, kListServices);
  EXPECT_EQ(without.status.error_code(), grpc::StatusCode::UNIMPLEMENTED);
  DaemonProcess daemon({"--reflection"});
  const RawAnswer with = CallRaw(daemon.Connect(), kMethod, kListServices);
  EXPECT_TRUE(with.status.ok()) << with.status.error_message();
  EXPECT_THAT(with.bytes, HasSubstr("simpler.profiler.v1.Profiler"));
}

// Authorities and certificates, made by the openssl command.
class TlsTest : public ::testing::Test {
 protected:
  TlsTest() {
    for (const std::string authority : {"good", "wrong"}) {
      OpenSsl({"req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj",
               "/CN=" + authority, "-keyout", Path(authority + ".key"), "-out",
               Path(authority + ".pem")});
    }
    scratch_.Write("names", "subjectAltName=IP:127.0.0.1,DNS:localhost");
    Certify("server", "good");
    Certify("client", "good");
    Certify("stranger", "wrong");
  }

  std::string Path(const std::string& name) const { return scratch_.path() / name; }

  DaemonProcess StartDaemon() const {
    return DaemonProcess({"--listen", "127.0.0.1:0", "--tls-cert", Path("server.pem"), "--tls-key",
                          Path("server.key"), "--tls-client-ca", Path("good.pem")});
  }

  // Asks the daemon as the owner of a certificate, or as nobody.
  grpc::Status Ask(const DaemonProcess& daemon, const std::string& client,
                   const std::string& authority = "good") const {
    grpc::SslCredentialsOptions options;
    options.pem_root_certs = support::ReadTextFile(Path(authority + ".pem"));
    if (!client.empty()) {
      options.pem_cert_chain = support::ReadTextFile(Path(client + ".pem"));
      options.pem_private_key = support::ReadTextFile(Path(client + ".key"));
    }
    return Ask(daemon, grpc::SslCredentials(options));
  }
  static grpc::Status Ask(const DaemonProcess& daemon,
                          const std::shared_ptr<grpc::ChannelCredentials>& credentials) {
    const auto stub =
        v1::Profiler::NewStub(grpc::CreateChannel("127.0.0.1:" + daemon.TcpPort(), credentials));
    grpc::ClientContext context;
    v1::DescribeResponse response;
    return stub->Describe(&context, {}, &response);
  }

 private:
  static void OpenSsl(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "/usr/bin/openssl");
    const support::ProgramResult result = support::RunProgram(arguments);
    ASSERT_EQ(result.exit_code, 0) << result.err;
  }
  void Certify(const std::string& name, const std::string& authority) const {
    OpenSsl({"req", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=" + name, "-keyout",
             Path(name + ".key"), "-out", Path(name + ".csr")});
    OpenSsl({"x509", "-req", "-in", Path(name + ".csr"), "-CA", Path(authority + ".pem"), "-CAkey",
             Path(authority + ".key"), "-CAcreateserial", "-days", "2", "-extfile", Path("names"),
             "-out", Path(name + ".pem")});
  }

  support::TempDir scratch_;
};

TEST_F(TlsTest, OnlyCertifiedClientsAreServed) {
  const DaemonProcess daemon = StartDaemon();
  ASSERT_FALSE(daemon.TcpPort().empty()) << daemon.Log();
  const grpc::Status served = Ask(daemon, "client");
  EXPECT_TRUE(served.ok()) << served.error_message();
  EXPECT_FALSE(Ask(daemon, "stranger").ok());
  EXPECT_FALSE(Ask(daemon, "").ok());
  EXPECT_FALSE(Ask(daemon, "client", "wrong").ok());
  EXPECT_FALSE(Ask(daemon, grpc::InsecureChannelCredentials()).ok());
  EXPECT_TRUE(Ask(daemon, "client").ok());
}

TEST_F(TlsTest, BadFilesAreRefusedByName) {
  const support::TempDir scratch;
  for (const std::string bad : {scratch.path() / "missing.pem", fs::path(Path("names"))}) {
    const support::ProgramResult result = support::RunProgram(
        {SIMPLERD_PATH, "--socket", scratch.path() / "s.sock", "--listen", "127.0.0.1:0",
         "--tls-cert", bad, "--tls-key", Path("server.key"), "--tls-client-ca", Path("good.pem")});
    EXPECT_EQ(result.exit_code, 1);
    EXPECT_THAT(result.err, HasSubstr(bad));
  }
}

}  // namespace
}  // namespace simpler::integration
