// What simplerd can be told, and where it is told: flags, environment, configuration file.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "proto/simpler/profiler/v1/default_endpoint.h"

namespace simpler::daemon {

struct TlsFiles {  // PEM; all of them or none
  std::string certificate;
  std::string key;
  std::string client_ca;  // signs the clients that may connect

  bool operator==(const TlsFiles&) const = default;
};

struct Config {
  std::string socket = profiler::DefaultSocketPath();
  std::string socket_group;  // empty: the process's
  std::string listen;        // HOST:PORT; empty: no TCP
  TlsFiles tls;

  uint64_t store_bytes = uint64_t{4} << 30;
  std::string store_dir;  // empty: memory only
  uint64_t cache_bytes = uint64_t{1} << 30;
  uint64_t spool_bytes = uint64_t{4} << 30;
  std::string spool_dir = "/var/tmp";

  uint32_t threads = 2;
  uint32_t max_queued = 256;
  uint32_t max_fetches = 64;
  uint32_t slow_reader_seconds = 30;
  uint32_t drain_seconds = 10;

  bool reflection = false;
  std::string log_level = "info";
  std::string log_file;  // empty: standard error

  bool operator==(const Config&) const = default;
};

enum class ExitCode : int { kOk = 0, kRefused = 1, kUsage = 2 };

// Either a configuration to run with, or what to print before exiting.
struct CommandLine {
  std::optional<Config> config;
  ExitCode exit_code = ExitCode::kOk;
  std::string out;
  std::string err;
};

// Flags win over SIMPLERD_* variables, these over the file, that over the defaults. Checks every
// value.
CommandLine ParseCommandLine(int argc, const char* const* argv);

// Whether the values belong together. InvalidArgument: a TCP address that is none, TLS files that
// are not complete, or an address beyond this machine without TLS.
absl::Status CheckConfig(const Config& config);

}  // namespace simpler::daemon
