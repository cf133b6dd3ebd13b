#include "analysis/formats/deps_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/temp_dir.h"

namespace simpler::formats {
namespace {

using capture::DependencyGraph;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

using IdPair = std::pair<uint64_t, uint64_t>;

// A graph with every key of the format: an allocation, a kernel on each engine, all edge sources.
constexpr const char* kFullGraph =
    R"({"runtime":"tensormap_and_ringbuffer","tasks":[
{"task_id":"4294967296","scope":"auto","early_dispatch":false,"kernel_ids":[7,-1,-1],"block_num":1,
 "args":[{"idx":0,"type":"INPUT","tensor_id":"21","dtype":"FLOAT32","shape":[128,64],
          "start_offset":"0","strides":[64,1]},{"idx":1,"type":"OUTPUT"}]},
{"task_id":"4294967297","scope":"manual","early_dispatch":true,"kernel_ids":[-1,3,4],"block_num":4,
 "args":[]}],
"tensors":[{"tensor_id":"21","buffer_addr":"268435456","version":0,"dtype":"FLOAT32",
            "buffer_numel":"8192"}],
"edges":[
{"pred":"0","succ":"4294967296","arg":0,"source":"creator","flags":["wait","retain"],
 "tensor_id":"21","consumer_dtype":"FLOAT32","consumer_shape":[128,64],
 "consumer_start_offset":"0","consumer_strides":[64,1]},
{"pred":"4294967296","succ":"4294967297","arg":-1,"source":"explicit"},
{"pred":"4294967296","succ":"4294967297","arg":0,"source":"tensormap","overlap":"other"}]})";

absl::StatusOr<DepsFile> Parse(const std::string& text) {
  return ParseDeps(JsonFile::FromText(text, "deps.json"));
}

std::string ErrorOf(const std::string& text) {
  const absl::StatusOr<DepsFile> deps = Parse(text);
  if (deps.ok()) return "accepted: " + text;
  EXPECT_EQ(deps.status().code(), absl::StatusCode::kInvalidArgument);
  return std::string(deps.status().message());
}

std::vector<IdPair> EdgeIds(const DependencyGraph& graph) {
  std::vector<IdPair> ids;
  for (const auto& edge : graph.edges()) {
    ids.emplace_back(graph.nodes()[edge.pred].id, graph.nodes()[edge.succ].id);
  }
  return ids;
}

uint64_t CountOf(const DepsFile& deps, const std::string& code) {
  for (const auto& warning : deps.warnings) {
    if (warning.code == code) return warning.count;
  }
  return 0;
}

TEST(DepsReader, ReadsTasksAndEdgesOfAnAnnotatedGraph) {
  const absl::StatusOr<DepsFile> deps = Parse(kFullGraph);
  ASSERT_TRUE(deps.ok()) << deps.status();
  EXPECT_THAT(deps->warnings, IsEmpty());
  const DependencyGraph& graph = deps->graph;
  const uint64_t first = 4294967296;
  EXPECT_THAT(EdgeIds(graph), ElementsAre(IdPair(0, first), IdPair(first, first + 1)));
  EXPECT_EQ(graph.repeated_edge_count(), 1u);
  ASSERT_EQ(graph.nodes().size(), 3u);

  const DependencyGraph::Node& alloc = graph.nodes()[0];
  EXPECT_FALSE(alloc.is_task);
  EXPECT_FALSE(alloc.has_kernels);
  EXPECT_FALSE(alloc.has_block_num);
  const DependencyGraph::Node& aic = graph.nodes()[1];
  EXPECT_TRUE(aic.is_task);
  EXPECT_FALSE(aic.early_dispatch);
  EXPECT_THAT(aic.kernel_ids, ElementsAre(7, -1, -1));
  EXPECT_EQ(aic.block_num, 1u);
  const DependencyGraph::Node& aiv = graph.nodes()[2];
  EXPECT_TRUE(aiv.early_dispatch);
  EXPECT_TRUE(aiv.has_kernels);
  EXPECT_THAT(aiv.kernel_ids, ElementsAre(-1, 3, 4));
  EXPECT_TRUE(aiv.has_block_num);
  EXPECT_EQ(aiv.block_num, 4u);
}

TEST(DepsReader, KeyOrderDoesNotMatter) {
  const auto deps = Parse(
      R"({"edges":[{"source":"creator","succ":2,"flags":[[]],"pred":1}],
          "tasks":[{"args":[{"task_id":"9"}],"block_num":2,"task_id":1}]})");
  ASSERT_TRUE(deps.ok()) << deps.status();
  EXPECT_THAT(EdgeIds(deps->graph), ElementsAre(IdPair(1, 2)));
  ASSERT_EQ(deps->graph.task_count(), 1u);
  EXPECT_EQ(deps->graph.nodes()[0].id, 1u);
  EXPECT_EQ(deps->graph.nodes()[0].block_num, 2u);
}

TEST(DepsReader, TheFirstOfRepeatedEdgeKeysCounts) {
  const auto deps = Parse(R"({"edges":[{"pred":1,"pred":8,"succ":2,"succ":9}]})");
  ASSERT_TRUE(deps.ok()) << deps.status();
  EXPECT_THAT(EdgeIds(deps->graph), ElementsAre(IdPair(1, 2)));
}

TEST(DepsReader, CaseA32EdgesAreUniqueAndUnusableOnesAreCounted) {
  const auto deps = Parse(
      R"({"edges":[{"pred":"5","succ":6},{"pred":"5","succ":6},{"pred":null,"succ":6},3,
          {"pred":6,"succ":"5"},{"pred":5,"succ":5}]})");
  ASSERT_TRUE(deps.ok()) << deps.status();
  EXPECT_THAT(EdgeIds(deps->graph), ElementsAre(IdPair(5, 6), IdPair(6, 5), IdPair(5, 5)));
  EXPECT_EQ(CountOf(*deps, "deps_edges_skipped"), 2u);
  EXPECT_EQ(CountOf(*deps, "deps_self_edges"), 1u);
}

TEST(DepsReader, CaseA33TasksWithUnusableFields) {
  const auto deps = Parse(
      R"({"tasks":[{"task_id":"1","kernel_ids":[1,2],"block_num":0},
                   {"task_id":"2","kernel_ids":[1,2,3],"block_num":"x"},
                   {"task_id":"-1","kernel_ids":[4,5,6]},
                   {"task_id":"junk","kernel_ids":[7,8,9]}],"edges":[]})");
  ASSERT_TRUE(deps.ok()) << deps.status();
  const auto nodes = deps->graph.nodes();
  ASSERT_EQ(nodes.size(), 3u);
  EXPECT_EQ(nodes[0].id, 1u);
  EXPECT_FALSE(nodes[0].has_kernels);
  EXPECT_TRUE(nodes[1].has_kernels);
  EXPECT_EQ(nodes[2].id, UINT64_MAX);
  EXPECT_THAT(nodes[2].kernel_ids, ElementsAre(4, 5, 6));
  for (const auto& node : nodes) {
    EXPECT_TRUE(node.has_block_num);
    EXPECT_EQ(node.block_num, 1u);
  }
  EXPECT_EQ(CountOf(*deps, "deps_tasks_skipped"), 1u);
  EXPECT_EQ(CountOf(*deps, "deps_kernel_ids_unusable"), 1u);
  EXPECT_EQ(CountOf(*deps, "deps_block_num_unusable"), 1u);
}

TEST(DepsReader, CaseA34RefusesWhatIsNoGraph) {
  EXPECT_THAT(ErrorOf("{"), AllOf(HasSubstr("deps.json"), HasSubstr("not a complete JSON")));
  EXPECT_THAT(ErrorOf(R"({"tasks":[]})"), HasSubstr("no 'edges' array"));
  const auto missing = ReadDeps("/nonexistent/deps.json");
  EXPECT_EQ(missing.status().code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(std::string(missing.status().message()), HasSubstr("/nonexistent/deps.json"));
}

TEST(DepsReader, AnEmptyEdgeListIsLegal) {
  const auto deps = Parse(R"({"edges":[]})");
  ASSERT_TRUE(deps.ok()) << deps.status();
  EXPECT_THAT(deps->graph.nodes(), IsEmpty());
}

TEST(DepsReader, IdsOfSixtyFourBitsAreExact) {
  const auto deps = Parse(
      R"({"edges":[{"pred":18446744073709551615,"succ":"18446744073709551614"},
                   {"pred":-2,"succ":"9007199254740993"},{"pred":9007199254740993,"succ":1},
                   {"pred":"18446744073709551616","succ":1},{"pred":"","succ":1},
                   {"pred":"+1","succ":1},{"pred":" 1","succ":1},{"pred":"0x1","succ":1}]})");
  ASSERT_TRUE(deps.ok()) << deps.status();
  EXPECT_THAT(EdgeIds(deps->graph),
              ElementsAre(IdPair(UINT64_MAX, UINT64_MAX - 1),
                          IdPair(UINT64_MAX - 1, 9007199254740993), IdPair(9007199254740993, 1)));
  EXPECT_EQ(CountOf(*deps, "deps_edges_skipped"), 5u);
}

TEST(DepsReader, CyclesAreNotItsConcern) {
  const auto deps = Parse(R"({"edges":[{"pred":1,"succ":2},{"pred":2,"succ":1}]})");
  ASSERT_TRUE(deps.ok()) << deps.status();
  EXPECT_THAT(deps->warnings, IsEmpty());
}

TEST(DepsReader, RefusesTruncationAtEveryByte) {
  const std::string text = kFullGraph;
  for (size_t length = 0; length < text.size(); ++length) {
    EXPECT_FALSE(Parse(text.substr(0, length)).ok()) << "cut after " << length << " bytes";
  }
}

TEST(DepsReader, RefusesWrongTypesInEveryColumn) {
  const std::pair<const char*, const char*> kCases[] = {
      {R"([])", "the top level"},
      {R"(7)", "the top level"},
      {R"({"edges":{}})", "edges must be"},
      {R"({"edges":null})", "edges must be"},
      {R"({"tasks":{},"edges":[]})", "tasks must be"},
      {R"({"tasks":"x","edges":[]})", "tasks must be"},
      {R"({"edges":[{"pred":1,"succ":2},{"pred":1.5,"succ":2}]})", "edges[1].pred"},
      {R"({"edges":[{"pred":true,"succ":2}]})", "edges[0].pred"},
      {R"({"edges":[{"pred":18446744073709551616,"succ":2}]})", "edges[0].pred"},
      {R"({"edges":[{"pred":1,"succ":[]}]})", "edges[0].succ"},
      {R"({"edges":[{"pred":1,"succ":{}}]})", "edges[0].succ"},
      {R"({"tasks":[{"task_id":[1]}],"edges":[]})", "tasks[0].task_id"},
      {R"({"tasks":[{"task_id":1e3}],"edges":[]})", "tasks[0].task_id"},
      {R"({"tasks":[{"task_id":1,"kernel_ids":7}],"edges":[]})", "tasks[0].kernel_ids"},
      {R"({"tasks":[{"task_id":1,"kernel_ids":["7",1,1]}],"edges":[]})", "tasks[0].kernel_ids"},
      {R"({"tasks":[{"task_id":1,"kernel_ids":[2147483648,1,1]}],"edges":[]})",
       "tasks[0].kernel_ids"},
      {R"({"tasks":[{"task_id":1,"block_num":true}],"edges":[]})", "tasks[0].block_num"},
      {R"({"tasks":[{"task_id":1,"block_num":4294967296}],"edges":[]})", "tasks[0].block_num"},
      {R"({"tasks":[{"task_id":1,"early_dispatch":1}],"edges":[]})", "tasks[0].early_dispatch"},
  };
  for (const auto& [text, where] : kCases) {
    EXPECT_THAT(ErrorOf(text), AllOf(HasSubstr("deps.json"), HasSubstr(where),
                                     HasSubstr("record the graph again")))
        << text;
  }
}

TEST(DepsReader, RefusesTwoDocumentsInOneFile) {
  EXPECT_THAT(ErrorOf(R"({"edges":[]}{"edges":[]})"), HasSubstr("more text follows"));
  EXPECT_THAT(ErrorOf(R"({"edges":[],"edges":[]})"), HasSubstr("'edges' occurs twice"));
  EXPECT_THAT(ErrorOf(R"({"tasks":[],"edges":[],"tasks":[]})"), HasSubstr("'tasks' occurs twice"));
}

TEST(DepsReader, RefusesDamageBetweenTheFieldsItReads) {
  for (const char* text : {R"({"edges":[{"pred":1 "succ":2}]})", R"({"edges":[{"pred" 1}]})",
                           R"({"edges":[{"pred":1,"succ":2} {"pred":1,"succ":2}]})",
                           R"({"edges":[{"pred":1,"succ":2}}})", R"({"edges":[{"pred":nul}]})",
                           R"({"tasks":[{"task_id":1,"block_num":nope}],"edges":[]})",
                           "{\"edges\":[{\"pred\":\"\xff\",\"succ\":1}]}"}) {
    EXPECT_THAT(ErrorOf(text), HasSubstr("deps.json")) << text;
  }
}

TEST(DepsReader, WarningsNameFileAndFirstEntry) {
  const auto deps = Parse(R"({"edges":[{"pred":1,"succ":2},{"pred":1}]})");
  ASSERT_TRUE(deps.ok()) << deps.status();
  ASSERT_EQ(deps->warnings.size(), 1u);
  EXPECT_THAT(deps->warnings[0].text, AllOf(HasSubstr("deps.json"), HasSubstr("edges[1]")));
}

TEST(DepsReader, ReadsAFile) {
  const support::TempDir directory;
  const auto deps = ReadDeps(directory.Write("deps.json", kFullGraph));
  ASSERT_TRUE(deps.ok()) << deps.status();
  EXPECT_EQ(deps->graph.edges().size(), 2u);
}

}  // namespace
}  // namespace simpler::formats
