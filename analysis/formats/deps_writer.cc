#include "analysis/formats/deps_writer.h"

#include <iterator>
#include <string>

#include "fmt/format.h"

namespace simpler::formats {
namespace {

using capture::DependencyGraph;

constexpr size_t kFlushBytes = size_t{256} * 1024;

void AppendTask(const DependencyGraph::Node& node, std::string& text) {
  auto out = fmt::format_to(std::back_inserter(text), R"({{"task_id":"{}","early_dispatch":{})",
                            node.id, node.early_dispatch);
  if (node.has_kernels) {
    out = fmt::format_to(out, R"(,"kernel_ids":[{},{},{}])", node.kernel_ids[0], node.kernel_ids[1],
                         node.kernel_ids[2]);
  }
  fmt::format_to(out, R"(,"block_num":{},"args":[]}})", node.block_num);
}

void Flush(std::string& text, std::ostream& out) {
  out.write(text.data(), static_cast<std::streamsize>(text.size()));
  text.clear();
}

}  // namespace

absl::Status WriteDeps(const DependencyGraph& graph, std::ostream& out) {
  std::string text = R"({"tasks":[)";
  const char* separator = "";
  for (const DependencyGraph::Node& node : graph.nodes()) {
    if (!node.is_task) continue;
    text += separator;
    separator = ",";
    AppendTask(node, text);
    if (text.size() > kFlushBytes) Flush(text, out);
  }
  text += R"(],"tensors":[],"edges":[)";
  separator = "";
  for (const DependencyGraph::Edge& edge : graph.edges()) {
    fmt::format_to(std::back_inserter(text),
                   R"({}{{"pred":"{}","succ":"{}","arg":-1,"source":"explicit"}})", separator,
                   graph.nodes()[edge.pred].id, graph.nodes()[edge.succ].id);
    separator = ",";
    if (text.size() > kFlushBytes) Flush(text, out);
  }
  text += "]}\n";
  Flush(text, out);
  if (!out) return absl::DataLossError("writing the dependency graph failed");
  return absl::OkStatus();
}

}  // namespace simpler::formats
