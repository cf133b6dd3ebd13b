#include "analysis/graph/graph_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "analysis/formats/deps_reader.h"
#include "analysis/formats/name_map_reader.h"
#include "tests/support/test_data.h"

namespace simpler::graph {
namespace {

using formats::JsonFile;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

GraphText Render(const JsonFile& file, GraphTextRequest request) {
  const auto deps = formats::ParseDeps(file);
  EXPECT_TRUE(deps.ok()) << deps.status();
  const auto annotations = formats::ParseEdgeAnnotations(file, deps->graph);
  EXPECT_TRUE(annotations.ok()) << annotations.status();
  request.deps_name = "deps.json";
  return RenderGraphText(deps->graph, *annotations, request);
}

GraphText Render(const std::string& text, EdgeMode mode = EdgeMode::kFull) {
  GraphTextRequest request;
  request.mode = mode;
  return Render(JsonFile::FromText(text, "deps.json"), request);
}

// Kernel on AIC in three blocks, MIX halves on AIV, a dummy, and an allocation without entry.
constexpr const char* kFourTasks = R"({"tasks":[
  {"task_id":"1","kernel_ids":[4,-1,-1],"block_num":3},
  {"task_id":"2","kernel_ids":[-1,5,5],"block_num":1},
  {"task_id":"3","kernel_ids":[-1,-1,-1],"block_num":1}],
 "tensors":[{"tensor_id":"8"},{"tensor_id":"9"}],
 "edges":[
  {"pred":"0","succ":"1","source":"creator"},
  {"pred":"1","succ":"2","source":"tensormap"},
  {"pred":"2","succ":"3","source":"explicit"},
  {"pred":"1","succ":"3","source":"explicit"},
  {"pred":"1","succ":"3","source":"tensormap"},
  {"pred":"0","succ":"3","source":"creator"},
  {"pred":"0","succ":"3","source":"tensormap"}]})";

TEST(GraphText, CaseA133FullText) {
  const GraphText text = Render(kFourTasks);
  EXPECT_EQ(text.text,
            R"(SUMMARY
  source_deps_json: deps.json
  tasks: 4
  unique_task_edges: 5
  annotated_edges: 7
  tensors: 2
  perf_sidecar: no
  func_name_map: no

TASK INDEX
TASK 0 kind=alloc func_id=none fanin=0 fanout=2
TASK 1 kind=submit func_id=[4,-1,-1] SPMD block num = 3 fanin=1 fanout=2
TASK 2 kind=submit func_id=[-1,5,5] fanin=1 fanout=1
TASK 3 kind=dummy func_id=none fanin=3 fanout=0

=== TASK 0 kind=alloc func_id=none ===
FANIN 0
FANOUT 2
  -> 1
  -> 3

=== TASK 1 kind=submit func_id=[4,-1,-1] SPMD block num = 3 ===
FANIN 1
  <- 0
FANOUT 2
  -> 2
  -> 3

=== TASK 2 kind=submit func_id=[-1,5,5] ===
FANIN 1
  <- 1
FANOUT 1
  -> 3

=== TASK 3 kind=dummy func_id=none ===
FANIN 3
  <- 0
  <- 1
  <- 2
FANOUT 0
)");
  EXPECT_FALSE(text.reduced);
}

TEST(GraphText, CaseA134ReducedKeepsEdgesOfCreators) {
  const GraphText text = Render(kFourTasks, EdgeMode::kReduced);
  EXPECT_TRUE(text.reduced);
  EXPECT_THAT(text.redundant_edges, ElementsAre("1 -> 3"));
  EXPECT_THAT(text.text,
              AllOf(HasSubstr("unique_task_edges: 4\n"), HasSubstr("annotated_edges: 5\n"),
                    HasSubstr("TASK 1 kind=submit func_id=[4,-1,-1] SPMD block num = 3 fanin=1 "
                              "fanout=1\n")));
}

TEST(GraphText, CaseA134OmittedShowsOnlyTheEdgesThatReducedLeavesOut) {
  const GraphText text = Render(kFourTasks, EdgeMode::kOmitted);
  EXPECT_THAT(text.redundant_edges, ElementsAre("1 -> 3"));
  EXPECT_THAT(text.text, AllOf(HasSubstr("tasks: 4\n"), HasSubstr("unique_task_edges: 1\n"),
                               HasSubstr("annotated_edges: 2\n"),
                               HasSubstr("TASK 0 kind=alloc func_id=none fanin=0 fanout=0\n"),
                               HasSubstr("TASK 3 kind=dummy func_id=none fanin=1 fanout=0\n")));
}

TEST(GraphText, CaseA135ACycleShowsTheFullGraphWithAWarning) {
  const std::string cycle = R"({"edges":[{"pred":1,"succ":2},{"pred":2,"succ":1}]})";
  const GraphText text = Render(cycle, EdgeMode::kReduced);
  EXPECT_FALSE(text.reduced);
  EXPECT_THAT(text.redundant_edges, IsEmpty());
  ASSERT_EQ(text.warnings.size(), 1u);
  EXPECT_EQ(text.warnings[0].code, "graph_cycle");
  EXPECT_THAT(text.warnings[0].text, HasSubstr("t1"));
  EXPECT_EQ(text.text, Render(cycle).text);
}

TEST(GraphText, CaseA136OneHigherRingShowsTheRingOfEveryTask) {
  const GraphText text = Render(R"({"edges":[{"pred":1,"succ":"4294967298"}]})");
  EXPECT_THAT(text.text, AllOf(HasSubstr("TASK (0, 1) "), HasSubstr("  -> (1, 2)\n")));
}

TEST(GraphText, CaseA146AnyCreatorAnnotationProtectsAnEdge) {
  const std::string edges =
      R"({"edges":[{"pred":1,"succ":2},{"pred":1,"succ":3},{"pred":2,"succ":4},
          {"pred":3,"succ":4},{"pred":1,"succ":4,"source":"explicit"})";
  EXPECT_THAT(Render(edges + "]}", EdgeMode::kReduced).redundant_edges, ElementsAre("1 -> 4"));
  EXPECT_THAT(Render(edges + R"(,{"pred":1,"succ":4,"source":"creator"}]})", EdgeMode::kReduced)
                  .redundant_edges,
              IsEmpty());
}

TEST(GraphText, CaseA148TensormapShortcutsAreRemoved) {
  const GraphText text = Render(
      R"({"edges":[{"pred":1,"succ":2,"source":"creator"},{"pred":2,"succ":3,"source":"creator"},
          {"pred":1,"succ":3,"source":"tensormap"}]})",
      EdgeMode::kReduced);
  EXPECT_THAT(text.redundant_edges, ElementsAre("1 -> 3"));
}

TEST(GraphText, CaseA149KindsOfTasks) {
  const std::string text = Render(R"({"tasks":[
      {"task_id":2,"kernel_ids":[-1,-1,-1]},{"task_id":3,"kernel_ids":[-1,2,-1],"block_num":4},
      {"task_id":4,"kernel_ids":[0,1,2]},{"task_id":5}],"edges":[{"pred":1,"succ":2}]})")
                               .text;
  EXPECT_THAT(text, AllOf(HasSubstr("TASK 1 kind=alloc func_id=none fanin"),
                          HasSubstr("TASK 2 kind=dummy func_id=none fanin"),
                          HasSubstr("TASK 3 kind=submit func_id=[-1,2,-1] SPMD block num = 4 fan"),
                          HasSubstr("TASK 4 kind=submit func_id=[0,1,2] fanin"),
                          HasSubstr("TASK 5 kind=submit func_id=unknown fanin")));
}

TEST(GraphText, CaseA154OnlyMultiBlockTasksShowTheirBlocks) {
  const std::string text = Render(R"({"tasks":[{"task_id":1,"kernel_ids":[0,-1,-1],"block_num":1},
      {"task_id":2,"kernel_ids":[0,-1,-1],"block_num":8}],"edges":[]})")
                               .text;
  EXPECT_THAT(text, AllOf(HasSubstr("TASK 2 kind=submit func_id=[0,-1,-1] SPMD block num = 8 "),
                          HasSubstr("TASK 1 kind=submit func_id=[0,-1,-1] fanin")));
}

TEST(GraphText, CaseA150TheNameMapCountsOnlyWhenItNamesAKernel) {
  capture::NameMap names;
  GraphTextRequest request;
  request.names = &names;
  const JsonFile file = JsonFile::FromText(kFourTasks, "deps.json");
  names.names[7] = "unused";
  EXPECT_THAT(Render(file, request).text, HasSubstr("func_name_map: no\n"));
  names.names[5] = "softmax";
  EXPECT_THAT(Render(file, request).text, HasSubstr("func_name_map: yes\n"));
}

TEST(GraphText, TasksThatRanButAreNotInTheGraphAreListed) {
  const std::vector<uint64_t> executed = {uint64_t{1} << 32, 1, uint64_t{1} << 32};
  GraphTextRequest request;
  request.executed_tasks = executed;
  const std::string text = Render(JsonFile::FromText(kFourTasks, "deps.json"), request).text;
  EXPECT_THAT(text, AllOf(HasSubstr("tasks: 5\n"), HasSubstr("perf_sidecar: yes\n"),
                          HasSubstr("TASK (1, 0) kind=submit func_id=unknown fanin=0 fanout=0\n"),
                          HasSubstr("TASK (0, 1) kind=submit func_id=[4,-1,-1]")));
}

TEST(GraphText, UnusableEntriesAreSkippedAsTheReaderSkipsThem) {
  const std::string text =
      Render(R"({"edges":[7,{"pred":null,"succ":2},{"pred":1,"succ":2},{"succ":3},
                          {"source":"creator"}]})")
          .text;
  EXPECT_THAT(text, AllOf(HasSubstr("unique_task_edges: 1\n"), HasSubstr("annotated_edges: 1\n")));
}

std::string FileText(const std::string& path) {
  std::ifstream file(path);
  EXPECT_TRUE(file.good()) << path;
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST(GraphText, RecordedGraphsGiveTheTextOfThePublicViewer) {
  for (const std::string name : {"vector_example", "dense_dummies"}) {
    const std::string folder = support::TestDataPath("graphs/" + name);
    const auto file = JsonFile::Open(folder + "/deps.json");
    ASSERT_TRUE(file.ok()) << file.status();
    capture::NameMap names;
    if (name == "dense_dummies") names = formats::ReadNameMap(folder + "/name_map.json").value();
    // The viewer always claims a timing capture; task 0 of both graphs ran.
    const uint64_t executed[] = {0};
    GraphTextRequest request;
    request.names = &names;
    request.executed_tasks = executed;
    EXPECT_EQ(Render(*file, request).text, FileText(folder + "/graph.txt")) << name;
  }
}

TEST(EdgeAnnotations, RefusesWrongTypes) {
  for (const char* text : {R"({"edges":[{"pred":1,"succ":2,"source":7}]})",
                           R"({"edges":[],"tensors":{}})", R"({"edges":[],"tensors":null})"}) {
    const JsonFile file = JsonFile::FromText(text, "deps.json");
    const auto deps = formats::ParseDeps(file);
    ASSERT_TRUE(deps.ok()) << deps.status();
    const auto annotations = formats::ParseEdgeAnnotations(file, deps->graph);
    ASSERT_EQ(annotations.status().code(), absl::StatusCode::kInvalidArgument) << text;
    EXPECT_THAT(std::string(annotations.status().message()), HasSubstr("deps.json"));
  }
}

}  // namespace
}  // namespace simpler::graph
