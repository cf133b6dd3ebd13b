// A real simplerd on a private socket, and the calls that tests make to it.
#pragma once

#include <grpcpp/channel.h>
#include <grpcpp/support/channel_arguments.h>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "proto/simpler/profiler/v1/profiler.grpc.pb.h"
#include "tests/support/background_program.h"
#include "tests/support/temp_dir.h"

namespace simpler::integration {

namespace v1 = profiler::v1;

// Waits, without a bound that a slow machine could miss, until `condition` holds; false after
// several minutes.
bool Eventually(const std::function<bool()>& condition);

class DaemonProcess {
 public:
  // Starts simplerd with a socket in a directory of its own and these further arguments, and waits
  // until it serves or ends.
  explicit DaemonProcess(std::vector<std::string> arguments = {});

  // Connects anew each time, so that calls over different channels do not share a connection.
  std::shared_ptr<grpc::Channel> Connect() const;
  // Over a channel that all calls share.
  v1::Profiler::Stub* stub() const { return stub_.get(); }

  v1::DescribeResponse Describe() const;
  std::string Log() const { return support::ReadTextFile(log_); }
  // Port that the log says the daemon listens on.
  std::string TcpPort() const;

  const std::string& socket() const { return socket_; }
  const support::TempDir& directory() const { return directory_; }
  support::BackgroundProgram& program() { return *program_; }

 private:
  support::TempDir directory_;
  std::string socket_ = directory_.path() / "simplerd.sock";
  std::string log_ = directory_.path() / "log";
  std::unique_ptr<support::BackgroundProgram> program_;
  std::shared_ptr<grpc::Channel> channel_;
  std::unique_ptr<v1::Profiler::Stub> stub_;
};

// Archive of a synthetic capture; the same options give the same bytes.
std::string GeneratedArchive(uint32_t tasks, uint64_t seed = 1);
// Archive of a capture below tests/data/captures, made by `simplerctl pack`.
std::string PackedArchive(const std::string& capture);

struct Imported {
  grpc::Status status;
  v1::ImportCaptureResponse response;

  const std::string& id() const { return response.capture().id(); }
};
Imported Import(v1::Profiler::Stub* stub, const std::string& archive,
                const v1::ImportHeader& header = {});

struct Fetched {
  grpc::Status status;
  std::vector<v1::TraceChunk> chunks;

  std::string Bytes() const;
};
// `stop` ends the fetch early when it returns true; the call is then cancelled.
Fetched Fetch(v1::Profiler::Stub* stub, const v1::FetchTraceRequest& request,
              const std::function<bool(const v1::TraceChunk&)>& stop = {});

v1::FetchTraceRequest TraceOf(const std::string& id);
v1::RunSelector RunOf(const std::string& id, uint32_t run_index = 0);

}  // namespace simpler::integration
