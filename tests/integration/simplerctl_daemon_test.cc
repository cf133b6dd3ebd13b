// simplerctl against a real simplerd: captures are handed over, listed, judged, fetched, deleted.

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <string>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/integration/daemon_process.h"
#include "tests/integration/json_document.h"
#include "tests/integration/simplerctl_fixture.h"

namespace simpler::integration {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::MatchesRegex;
using ::testing::Not;
using ::testing::StartsWith;

constexpr const char* kUnknown = "cap-0123456789ab";
constexpr const char* kAttention = "paged_attention_CaseVarSeq4_L4";

class SimplerctlDaemonTest : public SimplerctlTest {
 protected:
  // Asks the daemon of this test.
  support::ProgramResult Ask(std::vector<std::string> arguments) const {
    arguments.insert(arguments.end(), {"--socket", daemon_.socket()});
    return Run(arguments);
  }
  // The same, to get an answer.
  std::string AnswerTo(const std::vector<std::string>& arguments) const {
    const support::ProgramResult result = Ask(arguments);
    EXPECT_EQ(result.exit_code, 0) << ::testing::PrintToString(arguments) << result.err;
    return result.out;
  }
  // Imports and returns the id.
  std::string Imported(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), "import");
    std::string id = AnswerTo(arguments);
    EXPECT_THAT(id, MatchesRegex("cap-[0-9a-f]+\n"));
    id.pop_back();
    return id;
  }
  void ExpectSameAnswer(const std::string& command, const std::string& capture,
                        const std::string& id, const std::vector<std::string>& options) const {
    const auto arguments = [&](const std::string& path) {
      std::vector<std::string> all = {command, path};
      all.insert(all.end(), options.begin(), options.end());
      return all;
    };
    const support::ProgramResult files = Run(arguments(capture));
    const support::ProgramResult daemon = Ask(arguments(id));
    const std::string what =
        command + ' ' + capture + ' ' + ::testing::PrintToString(options) + daemon.err;
    EXPECT_EQ(daemon.exit_code, files.exit_code) << what;
    EXPECT_EQ(daemon.out, files.out) << what;
    EXPECT_EQ(daemon.err, files.err) << what;
  }
  std::vector<std::string> Parts() const {
    std::vector<std::string> parts;
    for (const std::string& file : Files()) {
      if (file.ends_with(".part")) parts.push_back(file);
    }
    return parts;
  }

  DaemonProcess daemon_;
};

TEST_F(SimplerctlDaemonTest, AnswersAsTheFilesDo) {
  for (const std::string& name : DataCaptures()) {
    const std::string capture = DataDirectory(name);
    const std::string id = Imported({capture});
    for (const std::string command : {"report", "stats", "critical-path", "info"}) {
      ExpectSameAnswer(command, capture, id, {});
      ExpectSameAnswer(command, capture, id, {"--json"});
    }
    ExpectSameAnswer("stats", capture, id, {"--csv"});
    ExpectSameAnswer("critical-path", capture, id, {"--csv"});
    ExpectSameAnswer("critical-path", capture, id, {"--json", "--tol", "100"});
    ExpectSameAnswer("critical-path", capture, id, {"--top", "1"});
    ExpectSameAnswer("report", capture, id, {"--max-overhead", "50"});
    ExpectSameAnswer("report", capture, id, {"--json", "--against", DataDirectory(kAttention)});
    ExpectSameAnswer("report", capture, id, {"--run", "1"});
  }
}

TEST_F(SimplerctlDaemonTest, TracesAreTheSameBytes) {
  const std::vector<std::vector<std::string>> contents = {
      {},
      {"--format", "json"},
      {"--flows", "all", "--names", "task", "--overhead"},
      {"--from", "10", "--to", "500.5", "--lanes", "Worker View"}};
  for (const std::string& name : DataCaptures()) {
    const std::string id = Imported({DataDirectory(name)});
    for (const std::vector<std::string>& content : contents) {
      for (const std::string& form : {std::string("--json"), std::string()}) {
        std::vector<std::string> options = content;
        options.insert(options.end(), {"-o", "trace"});
        if (!form.empty()) options.push_back(form);
        ExpectSameAnswer("trace", DataDirectory(name), id, options);
      }
      std::vector<std::string> files = {"trace", DataDirectory(name), "-o", "files"};
      std::vector<std::string> daemon = {"trace", id, "-o", "daemon"};
      std::vector<std::string> fetch = {"fetch", id, "-o", "fetched"};
      for (std::vector<std::string>* arguments : {&files, &daemon, &fetch}) {
        arguments->insert(arguments->end(), content.begin(), content.end());
      }
      EXPECT_EQ(Run(files).exit_code, 0);
      AnswerTo(daemon);
      AnswerTo(fetch);
      EXPECT_EQ(Read("daemon"), Read("files")) << name;
      EXPECT_EQ(Read("fetched"), Read("files")) << name;
    }
  }
}

TEST_F(SimplerctlDaemonTest, WhatTheDaemonDoesNotOfferWorksOnIds) {
  const std::string capture = DataDirectory(kAttention);
  const std::string id = Imported({capture});
  ExpectSameAnswer("critical-path", capture, id, {"--traces", "traces"});
  ExpectSameAnswer("critical-path", capture, id, {"--report", "path.md"});
  ExpectSameAnswer("trace", capture, id, {"--max-bytes", "8K", "-o", "run.pftrace"});
  ExpectSameAnswer("report", DataDirectory("spmd_multiblock_mix_L4"),
                   DataDirectory("spmd_multiblock_mix_L4"), {"--against", capture, "--json"});
  EXPECT_EQ(AnswerTo({"report", capture, "--against", id, "--json"}),
            AnswerTo({"report", id, "--against", capture, "--json"}));
  AnswerTo({"pack", id, "-o", "daemon.simpler"});
  AnswerTo({"pack", capture, "-o", "files.simpler"});
  EXPECT_EQ(Read("daemon.simpler"), Read("files.simpler"));
}

TEST_F(SimplerctlDaemonTest, ACaptureWithoutAGraphGetsTheSameHint) {
  Write("case/chip_swimlane_records.json", SmallRecords());
  const std::string id = Imported({"case"});
  ExpectSameAnswer("trace", "case", id, {"-o", "run.pftrace"});
  ExpectSameAnswer("critical-path", "case", id, {});
}

TEST_F(SimplerctlDaemonTest, ListShowsWhatWasImported) {
  Write("case/chip_swimlane_records.json", SmallRecords());
  Write("case/deps.json", SmallDeps());
  const std::string first = Imported({"case", "--label", "job=17", "--label", "rank=0"});
  const std::string second = Imported({"case", "--name", "other", "--label", "job=18"});
  const JsonDocument all(AnswerTo({"list", "--json"}));
  EXPECT_EQ(all.Text("schema"), "simpler.captures/1");
  ASSERT_EQ(all.Array("captures").size(), 2u);
  EXPECT_EQ(all.Text("captures.0.id"), first);
  EXPECT_EQ(all.Text("captures.0.name"), "case");
  EXPECT_EQ(all.Text("captures.0.labels.job"), "17");
  EXPECT_EQ(all.Text("captures.0.labels.rank"), "0");
  EXPECT_EQ(all.Text("captures.1.name"), "other");
  for (const std::string key :
       {"captures.0.import_time_unix_ms", "captures.0.level", "captures.0.clock_freq_hz",
        "captures.0.runs.0.index", "captures.0.runs.0.aicore_rows",
        "captures.0.runs.0.scheduler_rows", "captures.0.runs.0.scheduler_phases",
        "captures.0.runs.0.orchestrator_records", "captures.0.graph_tasks",
        "captures.0.graph_edges", "captures.0.memory_bytes", "captures.0.archive_bytes",
        "store.used_bytes", "store.budget_bytes"}) {
    EXPECT_TRUE(all.IsInteger(key)) << key;
  }
  for (const std::string key :
       {"captures.0.has_name_map", "captures.0.in_memory", "captures.0.on_disk"}) {
    EXPECT_TRUE(all.Has(key)) << key;
  }
  EXPECT_TRUE(all.IsNull("captures.0.runs.0.epoch"));
  EXPECT_EQ(all.Array("evictions").size(), 0u);

  const JsonDocument one(AnswerTo({"list", "--json", "--label", "job=18"}));
  ASSERT_EQ(one.Array("captures").size(), 1u);
  EXPECT_EQ(one.Text("captures.0.id"), second);
  const std::string text = AnswerTo({"list", "--label", "job=17"});
  EXPECT_THAT(text, HasSubstr(first));
  EXPECT_THAT(text, HasSubstr("job=17 rank=0"));
  EXPECT_THAT(text, Not(HasSubstr(second)));
}

TEST_F(SimplerctlDaemonTest, AnArchiveIsImportedAsItIs) {
  const std::string capture = DataDirectory(kAttention);
  AnswerTo({"pack", capture, "-o", "run.simpler"});
  const std::string id = Imported({"run.simpler"});
  EXPECT_EQ(JsonDocument(AnswerTo({"list", "--json"})).Text("captures.0.name"), "run");
  AnswerTo({"fetch", id, "--format", "archive", "-o", "again.simpler"});
  EXPECT_EQ(Read("again.simpler"), Read("run.simpler"));
  EXPECT_EQ(AnswerTo({"fetch", id, "--format", "archive", "-o", "-"}), Read("run.simpler"));
}

TEST_F(SimplerctlDaemonTest, AKnownKeyStoresNothing) {
  const std::string capture = DataDirectory(kAttention);
  const std::string id = Imported({capture, "--key", "build 7"});
  const support::ProgramResult again = Ask({"import", capture, "--key", "build 7"});
  EXPECT_EQ(again.out, id + '\n');
  EXPECT_THAT(again.err, HasSubstr("build 7"));
  EXPECT_EQ(JsonDocument(AnswerTo({"list", "--json"})).Array("captures").size(), 1u);
}

TEST_F(SimplerctlDaemonTest, ABrokenCaptureIsRefusedAndNotStored) {
  Write("case/chip_swimlane_records.json", "{");
  Write("cut.simpler", PackedArchive(kAttention).substr(0, 1000));
  for (const std::string path : {"case", "cut.simpler"}) {
    const support::ProgramResult result = Ask({"import", path});
    EXPECT_EQ(result.exit_code, 1) << path;
    EXPECT_THAT(result.err, StartsWith("simplerctl: "));
    EXPECT_EQ(result.out, "");
  }
  EXPECT_EQ(JsonDocument(AnswerTo({"list", "--json"})).Array("captures").size(), 0u);
}

TEST_F(SimplerctlDaemonTest, UnknownIdsAreRefused) {
  const std::vector<std::vector<std::string>> questions = {
      {"report", kUnknown}, {"stats", kUnknown}, {"critical-path", kUnknown}, {"info", kUnknown},
      {"trace", kUnknown},  {"fetch", kUnknown}, {"delete", kUnknown},        {"pack", kUnknown}};
  for (const std::vector<std::string>& question : questions) {
    const support::ProgramResult result = Ask(question);
    EXPECT_EQ(result.exit_code, 1) << question[0];
    EXPECT_THAT(result.err, HasSubstr(kUnknown)) << question[0];
    EXPECT_EQ(result.out, "");
  }
  EXPECT_THAT(Files(), ElementsAre());
}

TEST_F(SimplerctlDaemonTest, DeletesWhatItCan) {
  const std::string capture = DataDirectory("vector_example_L1");
  const std::string first = Imported({capture});
  const std::string second = Imported({capture});
  const support::ProgramResult result = Ask({"delete", first, kUnknown, second});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.err, HasSubstr(kUnknown));
  EXPECT_EQ(JsonDocument(AnswerTo({"list", "--json"})).Array("captures").size(), 0u);
}

TEST_F(SimplerctlDaemonTest, AFetchGoesOnWithWhatAnEarlierOneLeft) {
  const std::string id = Imported({DataDirectory(kAttention)});
  AnswerTo({"fetch", id, "-o", "whole"});
  const std::string whole = Read("whole");
  const Fetched fetched = Fetch(daemon_.stub(), TraceOf(id));
  ASSERT_TRUE(fetched.status.ok());
  const std::string part = "run.pftrace." + fetched.chunks[0].etag() + ".part";
  for (const size_t arrived : {size_t{0}, size_t{1}, whole.size() / 2, whole.size()}) {
    Write(part, whole.substr(0, arrived));
    EXPECT_THAT(AnswerTo({"fetch", id, "-o", "run.pftrace"}), HasSubstr("run.pftrace"));
    EXPECT_EQ(Read("run.pftrace"), whole);
    EXPECT_THAT(Parts(), ElementsAre());
  }
}

TEST_F(SimplerctlDaemonTest, AFetchBeginsAnewWhenThePartIsOfSomethingElse) {
  const std::string id = Imported({DataDirectory(kAttention)});
  AnswerTo({"fetch", id, "-o", "whole"});
  Write("run.pftrace.0123abcd.part", "of another trace");
  AnswerTo({"fetch", id, "-o", "run.pftrace"});
  EXPECT_EQ(Read("run.pftrace"), Read("whole"));
  EXPECT_THAT(Parts(), ElementsAre());
}

TEST_F(SimplerctlDaemonTest, AFetchThatFailsKeepsItsPart) {
  Write("run.pftrace.0123abcd.part", "what has arrived");
  const support::ProgramResult result = Ask({"fetch", kUnknown, "-o", "run.pftrace"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.err, HasSubstr("the first 16 bytes are in run.pftrace.0123abcd.part"));
  EXPECT_THAT(Files(), ElementsAre("run.pftrace.0123abcd.part"));
}

TEST_F(SimplerctlDaemonTest, TwoFetchesNeverWriteTheSamePart) {
  const std::string id = Imported({DataDirectory(kAttention)});
  const std::string part = Write("run.pftrace.0123abcd.part", "what has arrived");
  const int fd = open(part.c_str(), O_WRONLY);
  ASSERT_EQ(flock(fd, LOCK_EX), 0);
  const support::ProgramResult result = Ask({"fetch", id, "-o", "run.pftrace"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.err, HasSubstr("another simplerctl is writing it"));
  EXPECT_EQ(Read("run.pftrace.0123abcd.part"), "what has arrived");
  close(fd);
}

TEST_F(SimplerctlDaemonTest, OutputsOfIdsGoToTheCurrentDirectory) {
  const std::string id = Imported({DataDirectory(kAttention)});
  AnswerTo({"trace", id});
  AnswerTo({"fetch", id, "--format", "json"});
  AnswerTo({"fetch", id, "--format", "archive"});
  EXPECT_THAT(Files(), ElementsAre(id + ".json", id + ".pftrace", id + ".simpler"));
}

TEST_F(SimplerctlDaemonTest, StatusDescribesTheDaemon) {
  Imported({DataDirectory(kAttention)});
  const JsonDocument status(AnswerTo({"status", "--json", "--wait", "10"}));
  EXPECT_EQ(status.Text("schema"), "simpler.status/1");
  EXPECT_EQ(status.Number("store.captures"), 1);
  EXPECT_TRUE(status.IsNull("store.directory"));
  EXPECT_FALSE(status.Text("version").empty());
  for (const std::string key :
       {"uptime_ms", "archive_version.major", "archive_version.minor", "store.used_bytes",
        "store.budget_bytes", "analyses.used_bytes", "analyses.budget_bytes", "analyses.computed",
        "analyses.shared", "traces.used_bytes", "traces.budget_bytes", "traces.rendered",
        "traces.shared", "query_threads", "slow_readers_cut"}) {
    EXPECT_TRUE(status.IsInteger(key)) << key;
  }
  const std::string text = AnswerTo({"status"});
  EXPECT_THAT(text, HasSubstr("1 captures"));
  EXPECT_THAT(text, HasSubstr("memory only"));
}

TEST_F(SimplerctlDaemonTest, TheEnvironmentNamesTheDaemonUnlessTheCommandLineDoes) {
  const auto run = [&](const std::string& environment, std::vector<std::string> arguments) {
    std::vector<std::string> argv = {"/usr/bin/env", environment, SIMPLERCTL_PATH};
    argv.insert(argv.end(), arguments.begin(), arguments.end());
    return support::RunProgram(argv);
  };
  EXPECT_EQ(run("SIMPLERCTL_SOCKET=" + daemon_.socket(), {"status"}).exit_code, 0);
  EXPECT_EQ(
      run("SIMPLERCTL_ADDRESS=localhost:1", {"status", "--socket", daemon_.socket()}).exit_code, 0);
  EXPECT_EQ(run("SIMPLERCTL_SOCKET=" + daemon_.socket(), {"status", "--address", "localhost:1"})
                .exit_code,
            1);
  EXPECT_EQ(run("SIMPLERCTL_TLS_CA=none.pem", {"status", "--socket", daemon_.socket()}).exit_code,
            0);
}

}  // namespace
}  // namespace simpler::integration
