#include "daemon/server/config.h"

#include <cstdlib>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/temp_dir.h"

namespace simpler::daemon {
namespace {

using ::testing::HasSubstr;

// A variable that is set as long as the object lives.
class Variable {
 public:
  Variable(const char* name, const std::string& value) : name_(name) {
    setenv(name, value.c_str(), 1);
  }
  ~Variable() { unsetenv(name_); }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

 private:
  const char* const name_;
};

CommandLine Parse(const std::vector<std::string>& arguments) {
  std::vector<const char*> argv = {"simplerd"};
  for (const std::string& argument : arguments) argv.push_back(argument.c_str());
  return ParseCommandLine(static_cast<int>(argv.size()), argv.data());
}

Config Accepted(const std::vector<std::string>& arguments) {
  const CommandLine line = Parse(arguments);
  EXPECT_TRUE(line.config) << line.out << line.err;
  return line.config.value_or(Config{});
}

void ExpectRefused(const std::vector<std::string>& arguments, const std::string& message,
                   ExitCode code = ExitCode::kRefused) {
  const CommandLine line = Parse(arguments);
  EXPECT_FALSE(line.config);
  EXPECT_EQ(line.exit_code, code) << line.err;
  EXPECT_THAT(line.err, HasSubstr(message));
}

class ConfigFileTest : public ::testing::Test {
 protected:
  std::string File(const std::string& text) const {
    return directory_.Write("simplerd.toml", text);
  }

 private:
  support::TempDir directory_;
};

TEST(ConfigTest, DefaultsAreThoseOfTheStruct) {
  Config expected;
  Config parsed = Accepted({});
  EXPECT_GE(parsed.threads, 2u);
  parsed.threads = expected.threads;
  EXPECT_EQ(parsed, expected);
}

TEST(ConfigTest, FlagsSetEveryValue) {
  const Config config = Accepted({"--socket",
                                  "/tmp/s",
                                  "--socket-group",
                                  "users",
                                  "--listen",
                                  "0.0.0.0:1",
                                  "--tls-cert",
                                  "c",
                                  "--tls-key",
                                  "k",
                                  "--tls-client-ca",
                                  "a",
                                  "--store-bytes",
                                  "2G",
                                  "--store-dir",
                                  "/store",
                                  "--cache-bytes",
                                  "3M",
                                  "--spool-bytes",
                                  "1048576",
                                  "--spool-dir",
                                  "/spool",
                                  "--threads",
                                  "3",
                                  "--max-queued",
                                  "4",
                                  "--max-fetches",
                                  "5",
                                  "--slow-reader-seconds",
                                  "6",
                                  "--drain-seconds",
                                  "7",
                                  "--reflection",
                                  "--log-level",
                                  "warn",
                                  "--log-file",
                                  "/log"});
  const Config expected{.socket = "/tmp/s",
                        .socket_group = "users",
                        .listen = "0.0.0.0:1",
                        .tls = {.certificate = "c", .key = "k", .client_ca = "a"},
                        .store_bytes = uint64_t{2} << 30,
                        .store_dir = "/store",
                        .cache_bytes = uint64_t{3} << 20,
                        .spool_bytes = uint64_t{1} << 20,
                        .spool_dir = "/spool",
                        .threads = 3,
                        .max_queued = 4,
                        .max_fetches = 5,
                        .slow_reader_seconds = 6,
                        .drain_seconds = 7,
                        .reflection = true,
                        .log_level = "warn",
                        .log_file = "/log"};
  EXPECT_EQ(config, expected);
}

TEST_F(ConfigFileTest, FlagsWinOverTheEnvironmentAndThatOverTheFile) {
  const std::string file = File("threads = 3\nmax-queued = 30\nmax-fetches = 300\n");
  const Variable threads("SIMPLERD_THREADS", "4");
  const Variable queued("SIMPLERD_MAX_QUEUED", "40");
  const Config config = Accepted({"--config", file, "--threads", "5"});
  EXPECT_EQ(config.threads, 5u);
  EXPECT_EQ(config.max_queued, 40u);
  EXPECT_EQ(config.max_fetches, 300u);
}

TEST_F(ConfigFileTest, FileHoldsTextsSizesAndFlags) {
  const std::string file = File(
      "# where captures stay\n"
      "store-dir = \"/var/lib/simplerd\"\n"
      "store-bytes = \"8G\"\n"
      "reflection = true\n");
  const Config config = Accepted({"--config", file});
  EXPECT_EQ(config.store_dir, "/var/lib/simplerd");
  EXPECT_EQ(config.store_bytes, uint64_t{8} << 30);
  EXPECT_TRUE(config.reflection);
}

TEST_F(ConfigFileTest, VariableNamesTheFile) {
  const Variable variable("SIMPLERD_CONFIG", File("threads = 9\n"));
  EXPECT_EQ(Accepted({}).threads, 9u);
}

TEST_F(ConfigFileTest, UnknownKeysAreRefused) {
  ExpectRefused({"--config", File("store-byte = 5\n")}, "store-byte");
  ExpectRefused({"--config", File("[store]\nbytes = 5\n")}, "store");
}

TEST_F(ConfigFileTest, BadValuesAreRefusedWhereverTheyStand) {
  ExpectRefused({"--config", File("threads = none\n")}, "threads");
  const Variable variable("SIMPLERD_THREADS", "0");
  ExpectRefused({}, "threads");
}

TEST(ConfigTest, MissingFileIsRefusedWhenItWasNamed) {
  ExpectRefused({"--config", "/nowhere/simplerd.toml"}, "/nowhere/simplerd.toml");
  const Variable variable("SIMPLERD_CONFIG", "/nowhere/else.toml");
  ExpectRefused({}, "/nowhere/else.toml");
}

TEST(ConfigTest, BadValuesAreRefused) {
  ExpectRefused({"--threads", "0"}, "threads");
  ExpectRefused({"--threads", "-1"}, "threads");
  ExpectRefused({"--store-bytes", "12X"}, "store-bytes");
  ExpectRefused({"--store-bytes", "1K"}, "store-bytes");
  ExpectRefused({"--log-level", "loud"}, "log-level");
}

TEST(ConfigTest, WrongUsageIsDistinguished) {
  ExpectRefused({"--no-such-option"}, "--no-such-option", ExitCode::kUsage);
  ExpectRefused({"positional"}, "positional", ExitCode::kUsage);
  ExpectRefused({"--threads"}, "--threads", ExitCode::kUsage);
}

TEST(ConfigTest, TlsComesWhole) {
  ExpectRefused({"--listen", "127.0.0.1:1", "--tls-cert", "c"}, "TLS is not complete");
  ExpectRefused({"--tls-cert", "c", "--tls-key", "k", "--tls-client-ca", "a"}, "--listen");
}

TEST(ConfigTest, OtherMachinesNeedTls) {
  for (const char* address : {"0.0.0.0:1", "192.168.0.1:1", "[::]:1", "example.org:1"}) {
    ExpectRefused({"--listen", address}, "can be reached from other machines");
  }
  for (const char* address : {"127.0.0.1:1", "127.8.8.8:1", "[::1]:1", "localhost:1"}) {
    EXPECT_EQ(Accepted({"--listen", address}).listen, address);
  }
}

TEST(ConfigTest, AddressesAreChecked) {
  for (const char* address :
       {"127.0.0.1", "127.0.0.1:", ":70", "127.0.0.1:65536", "::1:70", "x:-1"}) {
    ExpectRefused({"--listen", address}, "expected HOST:PORT");
  }
}

TEST(ConfigTest, HelpAndVersionExitWithoutError) {
  const CommandLine help = Parse({"--help"});
  EXPECT_FALSE(help.config);
  EXPECT_EQ(help.exit_code, ExitCode::kOk);
  EXPECT_THAT(help.out, HasSubstr("Examples:"));
  EXPECT_THAT(help.out, HasSubstr("SIMPLERD_STORE_BYTES"));
  const CommandLine version = Parse({"--version"});
  EXPECT_EQ(version.exit_code, ExitCode::kOk);
  EXPECT_THAT(version.out, HasSubstr("simplerd " SIMPLER_VERSION));
}

TEST_F(ConfigFileTest, CheckedConfigurationIsAFileThatGivesTheSame) {
  const std::vector<std::string> arguments = {"--store-bytes", "2G", "--listen", "127.0.0.1:0",
                                              "--reflection"};
  std::vector<std::string> check = arguments;
  check.push_back("--check-config");
  const CommandLine line = Parse(check);
  EXPECT_FALSE(line.config);
  EXPECT_EQ(line.exit_code, ExitCode::kOk);
  EXPECT_EQ(Accepted({"--config", File(line.out)}), Accepted(arguments)) << line.out;
}

}  // namespace
}  // namespace simpler::daemon
