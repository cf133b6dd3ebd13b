// The daemon without its process: store, query engine and gRPC server of one configuration.
#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "daemon/server/config.h"
#include "daemon/server/control_thread.h"

namespace simpler::daemon {

// Start, Shutdown and the destructor are called by one thread.
class Server {
 public:
  // Opens the store, takes the socket's lock and listens. Errors say what to change.
  static absl::StatusOr<std::unique_ptr<Server>> Start(const Config& config);
  // Shuts down at once if that has not happened.
  ~Server();

  // Accepts no more calls, reports itself as not serving, gives running calls that much time and
  // cancels those that are left. Returns when no call is left.
  void Shutdown(std::chrono::milliseconds drain);

  // Port of the TCP endpoint, 0 without one.
  int tcp_port() const;
  ControlThread& control();

 private:
  class State;
  explicit Server(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace simpler::daemon
