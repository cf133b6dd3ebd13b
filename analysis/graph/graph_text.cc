#include "analysis/graph/graph_text.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "analysis/graph/transitive_reduction.h"
#include "fmt/format.h"

namespace simpler::graph {
namespace {

using capture::DependencyGraph;
using Node = DependencyGraph::Node;

uint32_t RingOf(uint64_t task_id) { return task_id >> 32 & 0xFF; }

// Tasks that ran but are neither described nor connected in the graph, ascending.
std::vector<uint64_t> UnknownTasks(const DependencyGraph& graph,
                                   std::span<const uint64_t> executed_tasks) {
  std::vector<uint64_t> unknown;
  for (uint64_t id : executed_tasks) {
    if (graph.Find(id) == DependencyGraph::kNoNode) unknown.push_back(id);
  }
  std::sort(unknown.begin(), unknown.end());
  unknown.erase(std::unique(unknown.begin(), unknown.end()), unknown.end());
  return unknown;
}

class TaskNotation {
 public:
  TaskNotation(const DependencyGraph& graph, const std::vector<uint64_t>& unknown)
      : with_ring_(std::any_of(graph.nodes().begin(), graph.nodes().end(),
                               [](const Node& node) { return RingOf(node.id) > 0; }) ||
                   std::any_of(unknown.begin(), unknown.end(),
                               [](uint64_t id) { return RingOf(id) > 0; })) {}

  std::string operator()(uint64_t id) const {
    const uint64_t local = id & UINT32_MAX;
    return with_ring_ ? fmt::format("({}, {})", RingOf(id), local) : fmt::format("{}", local);
  }

 private:
  bool with_ring_;
};

// "kind=… func_id=…" and the block count of multi-block tasks.
std::string Describe(const Node& node) {
  if (!node.is_task) return "kind=alloc func_id=none";
  std::string text;
  if (!node.has_kernels) {
    text = "kind=submit func_id=unknown";
  } else if (node.IsDummy()) {
    text = "kind=dummy func_id=none";
  } else {
    text = fmt::format("kind=submit func_id=[{},{},{}]", node.kernel_ids[0], node.kernel_ids[1],
                       node.kernel_ids[2]);
  }
  if (node.block_num > 1) text += fmt::format(" SPMD block num = {}", node.block_num);
  return text;
}

bool AnyNameKnown(const DependencyGraph& graph, const capture::NameMap* names) {
  if (names == nullptr) return false;
  const auto is_known = [&](int32_t kernel) {
    return kernel >= 0 && names->names.count(kernel) > 0;
  };
  return std::any_of(graph.nodes().begin(), graph.nodes().end(), [&](const Node& node) {
    return std::any_of(node.kernel_ids.begin(), node.kernel_ids.end(), is_known);
  });
}

// One line or block of the listing.
struct Entry {
  uint64_t id = 0;
  std::string description;
  std::vector<uint64_t> predecessors;
  std::vector<uint64_t> successors;
};

class TextWriter {
 public:
  TextWriter(const DependencyGraph& graph, const formats::EdgeAnnotations& annotations,
             const GraphTextRequest& request)
      : graph_(graph),
        annotations_(annotations),
        request_(request),
        unknown_(UnknownTasks(graph, request.executed_tasks)),
        notation_(graph, unknown_),
        shown_(graph.edges().size(), true) {}

  GraphText Render() {
    ChooseEdges();
    const std::vector<Entry> entries = MakeEntries();
    AppendSummary(entries.size());
    AppendIndex(entries);
    for (const Entry& entry : entries) AppendBlock(entry);
    return std::move(result_);
  }

 private:
  void ChooseEdges() {
    if (request_.mode == EdgeMode::kFull) return;
    absl::StatusOr<std::vector<bool>> redundant = FindRedundantEdges(graph_);
    if (!redundant.ok()) {
      result_.warnings.push_back({"graph_cycle",
                                  fmt::format("{}: {}; every edge is shown", request_.deps_name,
                                              std::string(redundant.status().message())),
                                  1});
      return;
    }
    result_.reduced = true;
    std::vector<std::pair<uint64_t, uint64_t>> removed;
    for (size_t i = 0; i < shown_.size(); ++i) {
      const bool removable = (*redundant)[i] && !annotations_.from_creator[i];
      shown_[i] = removable == (request_.mode == EdgeMode::kOmitted);
      const auto [pred, succ] = graph_.edges()[i];
      if (removable) removed.emplace_back(graph_.nodes()[pred].id, graph_.nodes()[succ].id);
    }
    std::sort(removed.begin(), removed.end());
    for (const auto& [pred, succ] : removed) {
      result_.redundant_edges.push_back(fmt::format("{} -> {}", notation_(pred), notation_(succ)));
    }
  }

  std::vector<Entry> MakeEntries() const {
    std::vector<Entry> entries;
    for (const Node& node : graph_.nodes()) entries.push_back({node.id, Describe(node), {}, {}});
    for (size_t i = 0; i < shown_.size(); ++i) {
      if (!shown_[i]) continue;
      const auto [pred, succ] = graph_.edges()[i];
      entries[pred].successors.push_back(entries[succ].id);
      entries[succ].predecessors.push_back(entries[pred].id);
    }
    for (Entry& entry : entries) {
      std::sort(entry.predecessors.begin(), entry.predecessors.end());
      std::sort(entry.successors.begin(), entry.successors.end());
    }
    const auto known = static_cast<ptrdiff_t>(entries.size());
    for (uint64_t id : unknown_) entries.push_back({id, "kind=submit func_id=unknown", {}, {}});
    std::inplace_merge(entries.begin(), entries.begin() + known, entries.end(),
                       [](const Entry& a, const Entry& b) { return a.id < b.id; });
    return entries;
  }

  void AppendSummary(size_t task_count) {
    uint64_t edges = 0;
    uint64_t rows = 0;
    for (size_t i = 0; i < shown_.size(); ++i) {
      if (!shown_[i]) continue;
      ++edges;
      rows += annotations_.row_count[i];
    }
    const auto yes_or_no = [](bool value) { return value ? "yes" : "no"; };
    Append("SUMMARY\n");
    Append("  source_deps_json: {}\n", request_.deps_name);
    Append("  tasks: {}\n", task_count);
    Append("  unique_task_edges: {}\n", edges);
    Append("  annotated_edges: {}\n", rows);
    Append("  tensors: {}\n", annotations_.tensor_count);
    Append("  perf_sidecar: {}\n", yes_or_no(!request_.executed_tasks.empty()));
    Append("  func_name_map: {}\n\n", yes_or_no(AnyNameKnown(graph_, request_.names)));
  }

  void AppendIndex(const std::vector<Entry>& entries) {
    Append("TASK INDEX\n");
    for (const Entry& entry : entries) {
      Append("TASK {} {} fanin={} fanout={}\n", notation_(entry.id), entry.description,
             entry.predecessors.size(), entry.successors.size());
    }
  }

  void AppendBlock(const Entry& entry) {
    Append("\n=== TASK {} {} ===\n", notation_(entry.id), entry.description);
    Append("FANIN {}\n", entry.predecessors.size());
    for (uint64_t id : entry.predecessors) Append("  <- {}\n", notation_(id));
    Append("FANOUT {}\n", entry.successors.size());
    for (uint64_t id : entry.successors) Append("  -> {}\n", notation_(id));
  }

  template <typename... Args>
  void Append(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(result_.text), format, std::forward<Args>(args)...);
  }

  const DependencyGraph& graph_;
  const formats::EdgeAnnotations& annotations_;
  const GraphTextRequest& request_;
  const std::vector<uint64_t> unknown_;
  const TaskNotation notation_;
  std::vector<bool> shown_;  // by edge
  GraphText result_;
};

}  // namespace

GraphText RenderGraphText(const DependencyGraph& graph, const formats::EdgeAnnotations& annotations,
                          const GraphTextRequest& request) {
  return TextWriter(graph, annotations, request).Render();
}

}  // namespace simpler::graph
