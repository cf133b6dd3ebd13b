#include "daemon/server/config.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <istream>
#include <limits>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include "CLI/CLI.hpp"
#include "daemon/server/tcp_address.h"
#include "fmt/format.h"

namespace simpler::daemon {
namespace {

constexpr const char* kDefaultFile = "/etc/simplerd/simplerd.toml";
constexpr const char* kVersion = "simplerd " SIMPLER_VERSION;
constexpr uint64_t kMaxBytes = uint64_t{1} << 50;

// "store-bytes" -> "SIMPLERD_STORE_BYTES".
std::string VariableOf(const std::string& option) {
  std::string variable = "SIMPLERD_";
  for (const char c : option) {
    variable += c == '-' ? '_' : static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  }
  return variable;
}

const char* ValueInEnvironment(const std::string& option) {
  const char* value = std::getenv(VariableOf(option).c_str());
  return value != nullptr && *value != '\0' ? value : nullptr;
}

// The parser reads the file before the environment and keeps what it reads first; hiding the keys
// that the environment sets gives the environment precedence.
class FileBelowEnvironment final : public CLI::ConfigTOML {
 public:
  std::vector<CLI::ConfigItem> from_config(std::istream& input) const override {
    std::vector<CLI::ConfigItem> entries = CLI::ConfigTOML::from_config(input);
    std::erase_if(entries, [](const CLI::ConfigItem& entry) {
      return entry.parents.empty() && ValueInEnvironment(entry.name) != nullptr;
    });
    return entries;
  }
};

// Declares options with a flag, a variable and a key of the file each.
class Options {
 public:
  explicit Options(CLI::App* app) : app_(app) {}

  void Group(const char* name) { group_ = name; }

  template <typename T>
  CLI::Option* Add(const std::string& name, T* value, const std::string& help) {
    return Prepare(name, app_->add_option("--" + name, *value, help)->capture_default_str());
  }
  void AddSize(const std::string& name, uint64_t* bytes, const std::string& help) {
    Add(name, bytes, help + "; accepts K, M and G")
        ->transform(CLI::AsSizeValue(/*kb_is_1000=*/false))
        ->check(CLI::Range(uint64_t{1} << 20, kMaxBytes, "1M to 1P"));
  }
  void AddCount(const std::string& name, uint32_t* count, uint32_t least, uint32_t most,
                const std::string& help) {
    Add(name, count, help)->check(CLI::Range(least, most));
  }
  void AddFlag(const std::string& name, bool* value, const std::string& help) {
    Prepare(name, app_->add_flag("--" + name, *value, help));
  }

 private:
  CLI::Option* Prepare(const std::string& name, CLI::Option* option) {
    return option->envname(VariableOf(name))->group(group_);
  }

  CLI::App* const app_;
  std::string group_;
};

void AddEndpoints(Options* options, Config* config) {
  options->Group("Endpoints");
  options->Add("socket", &config->socket, "Unix socket, accessible for its owner and group");
  options->Add("socket-group", &config->socket_group,
               "Group of the socket (default: the process's)");
  options->Add("listen", &config->listen,
               "HOST:PORT for TCP as well; beyond loopback only with TLS");
  options->Add("tls-cert", &config->tls.certificate, "Certificate of the TCP endpoint (PEM)");
  options->Add("tls-key", &config->tls.key, "Its private key (PEM)");
  options->Add("tls-client-ca", &config->tls.client_ca,
               "Authority that signs the certificates of clients (PEM)");
  options->AddFlag("reflection", &config->reflection, "Describe the services to anyone who asks");
}

void AddBudgets(Options* options, Config* config) {
  options->Group("Storage");
  options->AddSize("store-bytes", &config->store_bytes, "Memory for captures");
  options->Add("store-dir", &config->store_dir,
               "Directory where captures survive a restart (default: memory only)");
  options->AddSize("cache-bytes", &config->cache_bytes, "Memory for results of analyses");
  options->AddSize("spool-bytes", &config->spool_bytes, "Disk space for rendered traces");
  options->Add("spool-dir", &config->spool_dir, "Directory for rendered traces");
}

void AddLimits(Options* options, Config* config) {
  options->Group("Limits");
  options->AddCount("threads", &config->threads, 1, 1024, "Threads that compute");
  options->AddCount("max-queued", &config->max_queued, 1, 1'000'000,
                    "Questions that may wait for a thread");
  options->AddCount("max-fetches", &config->max_fetches, 1, 100'000,
                    "Traces that may be fetched at the same time");
  options->AddCount("slow-reader-seconds", &config->slow_reader_seconds, 1, 86'400,
                    "Fetches (imports) whose client takes (sends) nothing for longer are ended");
  options->AddCount("drain-seconds", &config->drain_seconds, 0, 86'400,
                    "Time that calls get to finish when the daemon is asked to stop");
}

void AddLogging(Options* options, Config* config) {
  options->Group("Logging");
  options->Add("log-level", &config->log_level, "Least severe messages to log")
      ->check(CLI::IsMember({"debug", "info", "warn", "error"}));
  options->Add("log-file", &config->log_file, "File to append to (default: standard error)");
}

CLI::Option* AddFileOption(CLI::App* app) {
  app->config_formatter(std::make_shared<FileBelowEnvironment>());
  app->allow_config_extras(CLI::config_extras_mode::error);
  const char* chosen = ValueInEnvironment("config");
  return app->set_config("--config", chosen != nullptr ? chosen : kDefaultFile,
                         "TOML file with the long option names as keys; unknown keys are refused",
                         /*config_required=*/chosen != nullptr);
}

void Describe(CLI::App* app) {
  app->set_version_flag("--version", kVersion);
  app->footer(
      "Every option can also be set by its variable and, without the dashes, in the file. Flags "
      "win "
      "over variables, variables over the file.\n\n"
      "Examples:\n"
      "  simplerd                                        on the default socket, in memory\n"
      "  simplerd --store-dir /var/lib/simplerd          captures survive a restart\n"
      "  simplerd --listen 127.0.0.1:7070                also on TCP, this machine only\n"
      "  simplerd --listen 0.0.0.0:7070 --tls-cert server.pem --tls-key server.key \\\n"
      "           --tls-client-ca clients.pem            for other machines\n"
      "  simplerd --config simplerd.toml --check-config  what would it run with?\n\n"
      "Exit codes: 0 done, 1 refused (a value, the socket, an address), 2 wrong usage.");
}

CommandLine Exit(ExitCode code, std::string out, std::string err) {
  return {.config = std::nullopt, .exit_code = code, .out = std::move(out), .err = std::move(err)};
}

CommandLine Refused(const std::string& message) {
  return Exit(ExitCode::kRefused, "", "simplerd: " + message + '\n');
}

// The effective configuration as a file that would give it.
std::string AsFile(const CLI::App& app) {
  return app.config_to_str(/*default_also=*/true, /*write_description=*/false);
}

}  // namespace

absl::Status CheckConfig(const Config& config) {
  const TlsFiles& tls = config.tls;
  const int given = !tls.certificate.empty() + !tls.key.empty() + !tls.client_ca.empty();
  if (given != 0 && given != 3) {
    return absl::InvalidArgumentError(
        "TLS is not complete: give --tls-cert, --tls-key and --tls-client-ca, or none of them");
  }
  if (config.listen.empty()) {
    if (given == 0) return absl::OkStatus();
    return absl::InvalidArgumentError(
        "TLS files without a TCP address: give --listen as well, or leave them out");
  }
  absl::StatusOr<TcpAddress> address = ParseTcpAddress(config.listen);
  if (!address.ok()) return address.status();
  if (!address->is_loopback && given == 0) {
    return absl::InvalidArgumentError(fmt::format(
        "--listen {} can be reached from other machines: give --tls-cert, --tls-key and "
        "--tls-client-ca, or listen on 127.0.0.1",
        config.listen));
  }
  return absl::OkStatus();
}

CommandLine ParseCommandLine(int argc, const char* const* argv) {
  Config config;
  config.threads = std::clamp(std::thread::hardware_concurrency(), 2u, 1024u);
  bool check_only = false;
  CLI::App app("Keeps captures of accelerator chips and answers questions about them", "simplerd");
  Describe(&app);
  CLI::Option* file = AddFileOption(&app)->group("Configuration");
  app.add_flag("--check-config", check_only, "Print the effective configuration and exit")
      ->configurable(false)
      ->group("Configuration");
  Options options(&app);
  AddEndpoints(&options, &config);
  AddBudgets(&options, &config);
  AddLimits(&options, &config);
  AddLogging(&options, &config);
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    return Exit(ExitCode::kOk, app.help(), "");
  } catch (const CLI::CallForVersion&) {
    return Exit(ExitCode::kOk, std::string(kVersion) + '\n', "");
  } catch (const CLI::ConfigError& error) {
    return Refused(fmt::format("{}: {}", file->as<std::string>(), error.what()));
  } catch (const CLI::FileError& error) {
    return Refused(error.what());
  } catch (const CLI::ValidationError& error) {
    return Refused(error.what());
  } catch (const CLI::ConversionError& error) {
    return Refused(error.what());
  } catch (const CLI::ParseError& error) {
    return Exit(ExitCode::kUsage, "",
                fmt::format("simplerd: {}; see simplerd --help\n", error.what()));
  }
  if (absl::Status status = CheckConfig(config); !status.ok()) {
    return Refused(std::string(status.message()));
  }
  if (check_only) return Exit(ExitCode::kOk, AsFile(app), "");
  return {.config = std::move(config), .exit_code = ExitCode::kOk, .out = {}, .err = {}};
}

}  // namespace simpler::daemon
