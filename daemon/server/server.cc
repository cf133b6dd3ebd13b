#include "daemon/server/server.h"

#include <grp.h>
#include <grpc/grpc.h>
#include <grpcpp/ext/proto_server_reflection_plugin.h>
#include <grpcpp/health_check_service_interface.h>
#include <grpcpp/impl/server_builder_option.h>
#include <grpcpp/impl/server_builder_plugin.h>
#include <grpcpp/server.h>
#include <grpcpp/server_builder.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <mutex>
#include <utility>
#include <vector>

#include "daemon/query/query_engine.h"
#include "daemon/server/credentials.h"
#include "daemon/server/socket_lock.h"
#include "daemon/service/answer_messages.h"
#include "daemon/service/profiler_service.h"
#include "daemon/store/capture_store.h"
#include "fmt/format.h"
#include "spdlog/spdlog.h"

namespace simpler::daemon {
namespace {

constexpr int kMaxReceivedBytes = 2 << 20;
// A document and what stands beside it.
constexpr int kMaxSentBytes = static_cast<int>(kMaxDocumentBytes) + (4 << 20);
constexpr const char* kServiceName = "simpler.profiler.v1.Profiler";

// Sockets that are made meanwhile get mode 0660: no time in which others could connect.
class ScopedSocketUmask {
 public:
  ScopedSocketUmask() : before_(umask(0117)) {}
  ~ScopedSocketUmask() { umask(before_); }
  ScopedSocketUmask(const ScopedSocketUmask&) = delete;
  ScopedSocketUmask& operator=(const ScopedSocketUmask&) = delete;

 private:
  const mode_t before_;
};

EngineOptions EngineOptionsOf(const Config& config) {
  return {.threads = config.threads,
          .max_queued = config.max_queued,
          .analysis_cache_bytes = config.cache_bytes,
          .spool_bytes = config.spool_bytes,
          .spool_directory = config.spool_dir};
}

StoreOptions StoreOptionsOf(const Config& config) {
  StoreOptions options;
  options.budget_bytes = config.store_bytes;
  options.directory = config.store_dir;
  return options;
}

ServiceOptions ServiceOptionsOf(const Config& config, ControlThread* control) {
  return {.max_fetches = config.max_fetches,
          .client_patience = std::chrono::seconds(config.slow_reader_seconds),
          .engine = EngineOptionsOf(config),
          .run_later = [control](std::chrono::milliseconds delay, std::function<void()> work) {
            control->RunLater(delay, std::move(work));
          }};
}

absl::Status GiveToGroup(const std::string& socket, const std::string& group) {
  if (group.empty()) return absl::OkStatus();
  const struct group* entry = getgrnam(group.c_str());
  if (entry == nullptr) {
    return absl::InvalidArgumentError(
        fmt::format("--socket-group {}: there is no such group", group));
  }
  if (chown(socket.c_str(), static_cast<uid_t>(-1), entry->gr_gid) != 0) {
    return absl::ErrnoToStatus(
        errno, fmt::format("--socket-group {}: cannot give the socket to the group", group));
  }
  return absl::OkStatus();
}

void EnableHealth() {
  static std::once_flag once;
  std::call_once(once, [] { grpc::EnableDefaultHealthCheckService(true); });
}

// The reflection library adds its plugin to every server of the process; this takes it away again.
class WithoutReflection final : public grpc::ServerBuilderOption {
 public:
  void UpdateArguments(grpc::ChannelArguments*) override {}
  void UpdatePlugins(std::vector<std::unique_ptr<grpc::ServerBuilderPlugin>>* plugins) override {
    std::erase_if(*plugins, [](const std::unique_ptr<grpc::ServerBuilderPlugin>& plugin) {
      return plugin->name() == "proto_server_reflection";
    });
  }
};

// Connections that died silently are noticed, clients may check theirs, and a second server on the
// same TCP port is an error.
void SetLimits(grpc::ServerBuilder* builder) {
  builder->SetMaxReceiveMessageSize(kMaxReceivedBytes);
  builder->SetMaxSendMessageSize(kMaxSentBytes);
  builder->AddChannelArgument(GRPC_ARG_ALLOW_REUSEPORT, 0);
  builder->AddChannelArgument(GRPC_ARG_KEEPALIVE_TIME_MS, 60'000);
  builder->AddChannelArgument(GRPC_ARG_KEEPALIVE_TIMEOUT_MS, 20'000);
  builder->AddChannelArgument(GRPC_ARG_KEEPALIVE_PERMIT_WITHOUT_CALLS, 1);
  builder->AddChannelArgument(GRPC_ARG_HTTP2_MIN_RECV_PING_INTERVAL_WITHOUT_DATA_MS, 10'000);
}

std::string Endpoints(const Config& config, int tcp_port) {
  if (tcp_port == 0) return config.socket;
  const std::string host = config.listen.substr(0, config.listen.rfind(':'));
  return fmt::format("{} and {}:{}{}", config.socket, host, tcp_port,
                     config.tls == TlsFiles{} ? "" : " (TLS)");
}

}  // namespace

// Members are destroyed from the last to the first: calls end before what they use.
class Server::State {
 public:
  explicit State(const Config& config, SocketLock lock) : config_(config), lock_(std::move(lock)) {}
  ~State() { Shutdown(std::chrono::milliseconds(0)); }

  absl::Status Open();
  absl::Status Listen();
  void WatchClients();
  void Shutdown(std::chrono::milliseconds drain);

  const Config config_;
  SocketLock lock_;
  int tcp_port_ = 0;
  ControlThread control_;
  std::unique_ptr<CaptureStore> store_;
  std::unique_ptr<QueryEngine> engine_;
  std::shared_ptr<ProfilerService> service_;
  std::unique_ptr<grpc::Server> server_;
};

absl::Status Server::State::Open() {
  absl::StatusOr<std::unique_ptr<CaptureStore>> store = CaptureStore::Open(StoreOptionsOf(config_));
  if (!store.ok()) return store.status();
  store_ = *std::move(store);
  absl::StatusOr<std::unique_ptr<QueryEngine>> engine =
      QueryEngine::Create(EngineOptionsOf(config_), store_.get());
  if (!engine.ok()) return engine.status();
  engine_ = *std::move(engine);
  service_ = std::make_shared<ProfilerService>(store_.get(), engine_.get(),
                                               ServiceOptionsOf(config_, &control_));
  return absl::OkStatus();
}

absl::Status Server::State::Listen() {
  EnableHealth();
  grpc::reflection::InitProtoReflectionServerBuilderPlugin();  // once per process, however often
  grpc::ServerBuilder builder;
  if (!config_.reflection) builder.SetOption(std::make_unique<WithoutReflection>());
  SetLimits(&builder);
  int socket_bound = 0;
  builder.AddListeningPort("unix:" + config_.socket, grpc::InsecureServerCredentials(),
                           &socket_bound);
  if (!config_.listen.empty()) {
    auto credentials = CredentialsOf(config_.tls);
    if (!credentials.ok()) return credentials.status();
    builder.AddListeningPort(config_.listen, *credentials, &tcp_port_);
  }
  builder.RegisterService(service_.get());
  {
    const ScopedSocketUmask mask;
    server_ = builder.BuildAndStart();
  }
  if (socket_bound == 0) {
    return absl::UnavailableError(fmt::format(
        "{}: cannot listen on this socket; is its directory there and writable?", config_.socket));
  }
  if (!config_.listen.empty() && tcp_port_ == 0) {
    return absl::UnavailableError(fmt::format(
        "--listen {}: cannot listen there; is the port in use, the address one of this machine and "
        "every TLS file valid?",
        config_.listen));
  }
  if (server_ == nullptr) return absl::UnavailableError("gRPC did not start its server");
  server_->GetHealthCheckService()->SetServingStatus(kServiceName, true);
  return GiveToGroup(config_.socket, config_.socket_group);
}

void Server::State::WatchClients() {
  const std::chrono::milliseconds patience = std::chrono::seconds(config_.slow_reader_seconds);
  control_.RunEvery(std::min(patience / 4, std::chrono::milliseconds(1000)),
                    [weak = std::weak_ptr<ProfilerService>(service_)] {
                      const auto service = weak.lock();
                      if (service != nullptr) service->EndStalledCalls();
                      return service != nullptr;
                    });
}

void Server::State::Shutdown(std::chrono::milliseconds drain) {
  if (server_ == nullptr) return;
  server_->GetHealthCheckService()->SetServingStatus(false);
  server_->Shutdown(std::chrono::system_clock::now() + drain);
  server_->Wait();
  server_.reset();
}

absl::StatusOr<std::unique_ptr<Server>> Server::Start(const Config& config) {
  if (absl::Status status = CheckConfig(config); !status.ok()) return status;
  absl::StatusOr<SocketLock> lock = SocketLock::Take(config.socket);
  if (!lock.ok()) return lock.status();
  auto state = std::make_unique<State>(config, *std::move(lock));
  if (absl::Status status = state->Open(); !status.ok()) return status;
  if (absl::Status status = state->Listen(); !status.ok()) return status;
  state->WatchClients();
  spdlog::info(
      "simplerd {} serves {}; store {} MiB{}{}, cache {} MiB, spool {} MiB in {}, {} query "
      "threads",
      SIMPLER_VERSION, Endpoints(config, state->tcp_port_), config.store_bytes >> 20,
      config.store_dir.empty() ? "" : " in ", config.store_dir, config.cache_bytes >> 20,
      config.spool_bytes >> 20, config.spool_dir, config.threads);
  return std::unique_ptr<Server>(new Server(std::move(state)));
}

Server::Server(std::unique_ptr<State> state) : state_(std::move(state)) {}
Server::~Server() = default;

void Server::Shutdown(std::chrono::milliseconds drain) { state_->Shutdown(drain); }
int Server::tcp_port() const { return state_->tcp_port_; }
ControlThread& Server::control() { return state_->control_; }

}  // namespace simpler::daemon
