// What the command line promises besides its results: exit codes, discovery, outputs, completion.

#include <filesystem>
#include <fstream>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/integration/json_document.h"
#include "tests/integration/simplerctl_fixture.h"

namespace simpler::integration {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::StartsWith;
using ::testing::UnorderedElementsAre;

constexpr const char* kId = "cap-0123456789ab";

class CommandLineTest : public SimplerctlTest {
 protected:
  // A capture folder with records and, unless told otherwise, a graph.
  void WriteCapture(const std::string& folder, bool with_graph = true) {
    Write(folder + "/chip_swimlane_records.json", SmallRecords());
    if (with_graph) Write(folder + "/deps.json", SmallDeps());
  }
};

TEST_F(CommandLineTest, HelpAndVersionExitWith0AndShowExamples) {
  const support::ProgramResult help = Run({"--help"});
  EXPECT_EQ(help.exit_code, 0);
  EXPECT_THAT(help.out, HasSubstr("Examples:"));
  for (const std::string command :
       {"report", "trace", "stats", "critical-path", "info", "graph", "pack", "unpack", "import",
        "list", "fetch", "delete", "status", "completion"}) {
    const support::ProgramResult result = Run({command, "--help"});
    EXPECT_EQ(result.exit_code, 0) << command;
    EXPECT_THAT(result.out, HasSubstr("Examples:")) << command;
  }
  const support::ProgramResult version = Run({"--version"});
  EXPECT_EQ(version.exit_code, 0);
  EXPECT_THAT(version.out, StartsWith("simplerctl "));
}

TEST_F(CommandLineTest, WrongUsageExitsWith2AndOneLine) {
  const std::vector<std::vector<std::string>> wrong = {
      {},
      {"bogus"},
      {"report", "--no-such-option"},
      {"report", "a", "b"},
      {"report", "--csv"},
      {"stats", "--json", "--csv"},
      {"trace", "--format", "svg"},
      {"report", "--max-overhead", "many"},
      {"completion", "fish"},
      {"unpack"},
      {"fetch"},
      {"delete"},
      {"list", "--label", "job"},
      {"list", "--socket", "a", "--address", "b:1"},
      {"status", "--timeout", "-1"},
      {"report", kId, "--deps", "deps.json"},
      {"stats", kId, "--func-names", "n.json"},
      {"fetch", kId, "--format", "archive", "--overhead"}};
  for (const auto& arguments : wrong) {
    const support::ProgramResult result = Run(arguments);
    EXPECT_EQ(result.exit_code, 2) << ::testing::PrintToString(arguments);
    EXPECT_THAT(result.err, StartsWith("simplerctl: "));
    EXPECT_EQ(result.out, "");
  }
}

TEST_F(CommandLineTest, MaxOverheadExitsWith0Or3) {
  const std::string capture = DataDirectory("paged_attention_CaseVarSeq4_L4");  // 97.6 %
  EXPECT_EQ(Run({"report", capture, "--max-overhead", "98"}).exit_code, 0);
  const support::ProgramResult above = Run({"report", capture, "--max-overhead", "97"});
  EXPECT_EQ(above.exit_code, 3);
  EXPECT_THAT(above.err, HasSubstr("97.6 %"));
  EXPECT_THAT(above.out, HasSubstr("Part 1:"));
}

TEST_F(CommandLineTest, MaxOverheadExitsWith4WhenUnknownOrInvalid) {
  EXPECT_EQ(Run({"report", DataDirectory("vector_example_L1"), "--max-overhead", "50"}).exit_code,
            4);
  Write("lossy/chip_swimlane_records.json",
        Replace(SmallRecords(), "\"dropped\": 0, \"truncated\": false",
                "\"dropped\": 8, \"truncated\": true"));
  Write("lossy/deps.json", SmallDeps());
  const support::ProgramResult lossy = Run({"report", "lossy", "--max-overhead", "100"});
  EXPECT_EQ(lossy.exit_code, 4);
  EXPECT_THAT(lossy.out, StartsWith("INVALID capture"));
  EXPECT_THAT(lossy.out, HasSubstr("8 lost (device_buffer)"));
}

TEST_F(CommandLineTest, WithoutPathTheNewestCaptureBelowOutputsIsTaken) {
  WriteCapture("outputs/old");
  WriteCapture("outputs/group/rank0/d0");
  WriteCapture("outputs/middle");
  const auto now = fs::file_time_type::clock::now();
  const std::string records = "/chip_swimlane_records.json";
  fs::last_write_time(Path("outputs/old" + records), now - std::chrono::hours(3));
  fs::last_write_time(Path("outputs/middle" + records), now - std::chrono::hours(2));
  fs::last_write_time(Path("outputs/group/rank0/d0" + records), now - std::chrono::hours(1));
  const support::ProgramResult result = Run({"report"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("outputs/group/rank0/d0" + records));
}

TEST_F(CommandLineTest, WithoutAnyCaptureTheMessageSaysWhereItLooked) {
  const support::ProgramResult result = Run({"report"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.err, HasSubstr("./outputs"));
}

TEST_F(CommandLineTest, ARunThatDoesNotExistIsRefused) {
  WriteCapture("case");
  const support::ProgramResult result = Run({"report", "case", "--run", "1"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.err, HasSubstr("--run"));
}

TEST_F(CommandLineTest, WithoutADaemonEveryQuestionToItSaysWhatToDo) {
  WriteCapture("case");
  const std::vector<std::vector<std::string>> questions = {
      {"list"},       {"status"},      {"import", "case"}, {"delete", kId},
      {"fetch", kId}, {"report", kId}, {"stats", kId},     {"critical-path", kId},
      {"info", kId},  {"trace", kId},  {"pack", kId},      {"report", "case", "--against", kId}};
  for (std::vector<std::string> question : questions) {
    question.insert(question.end(), {"--socket", Path("none.sock")});
    const support::ProgramResult result = Run(question);
    EXPECT_EQ(result.exit_code, 1) << ::testing::PrintToString(question);
    EXPECT_THAT(result.err,
                StartsWith("simplerctl: no daemon answers at unix:" + Path("none.sock")));
    EXPECT_THAT(result.err, HasSubstr("start simplerd"));
    EXPECT_EQ(result.out, "");
  }
  EXPECT_THAT(Files(), UnorderedElementsAre("case/chip_swimlane_records.json", "case/deps.json"));
}

TEST_F(CommandLineTest, AFileThatIsCalledLikeAnIdIsAFile) {
  WriteCapture(kId);
  EXPECT_EQ(Run({"report", kId, "--socket", Path("none.sock")}).exit_code, 0);
}

TEST_F(CommandLineTest, TheReportBeginsWithTheVerdictAndEndsWithTheLedger) {
  const support::ProgramResult result =
      Run({"report", DataDirectory("paged_attention_CaseVarSeq4_L4")});
  EXPECT_THAT(result.out, StartsWith("The scheduler is the bottleneck"));
  for (const std::string landmark :
       {"Part 1:", "Part 2:", "Part 3:", "Part 4:", "Part 5:", "Part 6:", "Pop: hit=64, miss=391",
        "Fanout (notify consumers): total edges=76, max_degree=2",
        "Fanin  (release producers): total edges=92, max_degree=4",
        "Avg scheduler loop iteration: 4775882 ns"}) {
    EXPECT_THAT(result.out, HasSubstr(landmark));
  }
  const size_t last_line = result.out.rfind('\n', result.out.size() - 2) + 1;
  EXPECT_THAT(result.out.substr(last_line), StartsWith("Ledger: balanced"));
}

TEST_F(CommandLineTest, OutputGoesToAFileAndReplacesIt) {
  WriteCapture("case");
  Write("out.json", "old content that is longer than nothing");
  const support::ProgramResult result = Run({"stats", "case", "--json", "-o", "out.json"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.out, "");
  EXPECT_EQ(JsonDocument(Read("out.json")).Text("schema"), "simpler.stats/1");
}

TEST_F(CommandLineTest, ARefusedInputKeepsAnExistingOutput) {
  Write("case/chip_swimlane_records.json", "{");
  Write("out.json", "precious");
  EXPECT_EQ(Run({"stats", "case", "--json", "-o", "out.json"}).exit_code, 1);
  EXPECT_EQ(Read("out.json"), "precious");
}

TEST_F(CommandLineTest, AFullDiskIsAnError) {
  WriteCapture("case");
  const support::ProgramResult result = Run({"report", "case", "-o", "/dev/full"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.err, HasSubstr("/dev/full"));
}

TEST_F(CommandLineTest, AReaderThatLeavesEndsTheCommandQuietly) {
  const support::ProgramResult result =
      support::RunProgram({SIMPLERCTL_PATH, "report", DataDirectory("spmd_multiblock_mix_L4")},
                          {.close_stdout_reader = true});
  EXPECT_EQ(result.term_signal, SIGPIPE);
  EXPECT_EQ(result.err, "");
}

TEST_F(CommandLineTest, CompletionScriptsListCommandsAndOptions) {
  const support::ProgramResult bash = Run({"completion", "bash"});
  ASSERT_EQ(bash.exit_code, 0);
  const std::string script = Write("completion.bash", bash.out);
  const support::ProgramResult syntax = support::RunProgram({"/bin/bash", "-n", script});
  EXPECT_EQ(syntax.exit_code, 0) << syntax.err;
  const support::ProgramResult zsh = Run({"completion", "zsh"});
  EXPECT_THAT(zsh.out, StartsWith("#compdef simplerctl"));
  EXPECT_THAT(zsh.out, HasSubstr("'--max-overhead["));
}

// What bash offers for a command line that ends in the word to complete.
std::string Completed(const std::string& script, const std::vector<std::string>& words) {
  std::string array;
  for (const std::string& word : words) array += '\'' + word + "' ";
  const std::string program = "source '" + script + "'; COMP_WORDS=(" + array +
                              "); COMP_CWORD=" + std::to_string(words.size() - 1) +
                              "; _simplerctl; echo \"${COMPREPLY[*]}\"";
  return support::RunProgram({"/bin/bash", "-c", program}).out;
}

TEST_F(CommandLineTest, BashCompletesCommandsOptionsAndValues) {
  const std::string script = Write("completion.bash", Run({"completion", "bash"}).out);
  EXPECT_EQ(Completed(script, {"simplerctl", "rep"}), "report\n");
  EXPECT_EQ(Completed(script, {"simplerctl", "report", "--max"}), "--max-overhead\n");
  EXPECT_EQ(Completed(script, {"simplerctl", "trace", "--format", ""}), "perfetto json\n");
  EXPECT_EQ(Completed(script, {"simplerctl", "list", "--soc"}), "--socket\n");
  EXPECT_EQ(Completed(script, {"simplerctl", "--soc"}), "--socket\n");
  EXPECT_EQ(Completed(script, {"simplerctl", "report", "pa"}), "\n");  // left to file names
}

}  // namespace
}  // namespace simpler::integration
