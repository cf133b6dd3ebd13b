#include "daemon/server/logging.h"

#include <grpc/support/log.h>

#include <memory>
#include <vector>

#include "fmt/format.h"
#include "spdlog/sinks/basic_file_sink.h"
#include "spdlog/sinks/stdout_sinks.h"
#include "spdlog/spdlog.h"

namespace simpler::daemon {
namespace {

// gRPC reports as errors what a client can cause at will; nothing of it is worth more than a look.
void LogOfGrpc(gpr_log_func_args* entry) {
  spdlog::log(
      entry->severity == GPR_LOG_SEVERITY_ERROR ? spdlog::level::info : spdlog::level::debug,
      "grpc: {}", entry->message);
}

}  // namespace

absl::Status StartLogging(const std::string& level, const std::string& file) {
  spdlog::sink_ptr sink;
  try {
    if (file.empty()) {
      sink = std::make_shared<spdlog::sinks::stderr_sink_mt>();
    } else {
      sink = std::make_shared<spdlog::sinks::basic_file_sink_mt>(file);
    }
  } catch (const spdlog::spdlog_ex& error) {
    return absl::PermissionDeniedError(
        fmt::format("{}; choose another file with --log-file", error.what()));
  }
  auto logger = std::make_shared<spdlog::logger>("simplerd", std::move(sink));
  logger->set_pattern("%Y-%m-%dT%H:%M:%S.%e%z %l %v");
  logger->set_level(spdlog::level::from_str(level));
  logger->flush_on(spdlog::level::info);
  spdlog::set_default_logger(std::move(logger));
  gpr_set_log_function(LogOfGrpc);
  return absl::OkStatus();
}

}  // namespace simpler::daemon
