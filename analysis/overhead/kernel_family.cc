#include "analysis/overhead/kernel_family.h"

#include <algorithm>
#include <map>
#include <string_view>

#include "fmt/format.h"

namespace simpler::overhead {
namespace {

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

std::string_view WithoutEngine(std::string_view name) {
  const bool engine = name.ends_with("_aic") || name.ends_with("_aiv");
  return engine ? name.substr(0, name.size() - 4) : name;
}

std::string_view WithoutIndex(std::string_view name) {
  size_t begin = name.size();
  while (begin > 0 && IsDigit(name[begin - 1])) --begin;
  const bool index = begin < name.size() && begin > 0 && name[begin - 1] == '_';
  return index ? name.substr(0, begin - 1) : name;
}

// Null when the task is not in the graph.
const capture::DependencyGraph::Node* NodeOf(const OverheadInputs& inputs, uint32_t task) {
  if (!inputs.dependencies) return nullptr;
  const capture::DependencyGraph::NodeIndex node = inputs.dependencies->nodes.node_of_task[task];
  return node == capture::DependencyGraph::kNoNode ? nullptr : &inputs.graph->nodes()[node];
}

}  // namespace

std::string KernelName(const capture::DependencyGraph::Node* node, const capture::NameMap* names) {
  const int32_t kernel = node == nullptr ? -1 : capture::FirstActiveFunction(*node);
  if (kernel < 0) return "unknown";
  if (names != nullptr) {
    if (const auto it = names->names.find(kernel); it != names->names.end()) return it->second;
  }
  return fmt::format("cid{}", kernel);
}

std::string KernelFamily(const std::string& name) {
  return std::string(WithoutIndex(WithoutEngine(name)));
}

std::vector<KernelFamilyShare> SumByKernelFamily(const OverheadInputs& inputs,
                                                 const ObservedPath& path,
                                                 const capture::NameMap* names) {
  std::vector<KernelFamilyShare> shares;
  std::map<std::string, size_t> share_of_family;
  for (const PathTask& step : path.tasks) {
    const std::string family = KernelFamily(KernelName(NodeOf(inputs, step.task), names));
    const auto [it, inserted] = share_of_family.try_emplace(family, shares.size());
    if (inserted) shares.push_back({family});
    KernelFamilyShare& share = shares[it->second];
    share.compute += step.compute;
    share.stall += step.stall;
    ++share.tasks;
  }
  std::stable_sort(shares.begin(), shares.end(),
                   [](const auto& a, const auto& b) { return a.compute > b.compute; });
  return shares;
}

}  // namespace simpler::overhead
