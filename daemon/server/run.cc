#include "daemon/server/run.h"

#include <grpc/grpc.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <future>
#include <memory>
#include <string>

#include "daemon/server/logging.h"
#include "daemon/server/server.h"
#include "spdlog/spdlog.h"

namespace simpler::daemon {
namespace {

ExitCode Refused(const absl::Status& status) {
  std::fputs(("simplerd: " + std::string(status.message()) + '\n').c_str(), stderr);
  return ExitCode::kRefused;
}

// Completes `stop` at the first signal and ends the process at the second.
void HandleSignals(ControlThread* control, const std::shared_ptr<std::promise<int>>& stop) {
  auto seen = std::make_shared<bool>(false);
  control->OnSignal({SIGTERM, SIGINT}, [stop, seen](int signal) {
    if (*seen) {
      spdlog::warn("second signal: ending at once");
      std::_Exit(static_cast<int>(ExitCode::kOk));
    }
    *seen = true;
    stop->set_value(signal);
  });
}

// gRPC's threads end with the process. To wait for them would take up to 10 s after a fetch that
// was faster than its client: the thread that then watches the connection sleeps that long.
void LeaveGrpcRunning() { grpc_init(); }

}  // namespace

ExitCode Run(const Config& config) {
  std::signal(SIGPIPE, SIG_IGN);
  LeaveGrpcRunning();
  if (absl::Status status = StartLogging(config.log_level, config.log_file); !status.ok()) {
    return Refused(status);
  }
  absl::StatusOr<std::unique_ptr<Server>> server = Server::Start(config);
  if (!server.ok()) return Refused(server.status());
  auto stop = std::make_shared<std::promise<int>>();
  HandleSignals(&(*server)->control(), stop);
  const int signal = stop->get_future().get();
  spdlog::info("signal {}: no new calls; running ones get {} s", signal, config.drain_seconds);
  (*server)->Shutdown(std::chrono::seconds(config.drain_seconds));
  server->reset();
  spdlog::info("stopped");
  return ExitCode::kOk;
}

}  // namespace simpler::daemon
