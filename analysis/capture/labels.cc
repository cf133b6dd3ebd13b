#include "analysis/capture/labels.h"

#include <algorithm>
#include <cctype>

#include "fmt/format.h"

namespace simpler::capture {
namespace {

bool ContainsSpmd(const std::string& name) {
  std::string lower = name;
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return lower.find("spmd") != std::string::npos;
}

std::string GraphSpaceDisplay(uint64_t task_id) {
  const uint64_t local = task_id & 0xFFFFFFFF;
  switch (task_id >> 62) {
    case 1:
      return fmt::format("g{}t{}", task_id >> 32 & 0xFFFFF, local);
    case 2:
      return fmt::format("p{}", local);
    default:
      return fmt::format("t{}", local);
  }
}

}  // namespace

IdLayout IdLayoutOf(const Capture& capture) {
  return capture.metadata.runtime == "host_build_graph" ? IdLayout::kGraphSpaces : IdLayout::kRing;
}

std::string TaskDisplay(uint64_t task_id, IdLayout layout) {
  if (layout == IdLayout::kGraphSpaces) return GraphSpaceDisplay(task_id);
  const uint64_t ring = task_id >> 32 & 0xFF;
  const uint64_t local = task_id & 0xFFFFFFFF;
  return ring == 0 ? fmt::format("t{}", local) : fmt::format("r{}t{}", ring, local);
}

std::string FunctionLetterForm(int32_t func_id) {
  std::string letters;
  for (int64_t rest = int64_t{func_id} + 1; rest > 0; rest = (rest - 1) / 26) {
    letters.insert(letters.begin(), static_cast<char>('a' + (rest - 1) % 26));
  }
  return fmt::format("{}_{}", func_id, letters);
}

int32_t ResolveFunction(const DependencyGraph::Node& node, CoreType type) {
  if (!node.has_kernels) return -1;
  if (type == CoreType::kAic) return std::max(node.kernel_ids[0], -1);
  return node.kernel_ids[1] >= 0 ? node.kernel_ids[1] : std::max(node.kernel_ids[2], -1);
}

int32_t FirstActiveFunction(const DependencyGraph::Node& node) {
  if (!node.has_kernels) return -1;
  for (int32_t kernel : node.kernel_ids) {
    if (kernel >= 0) return kernel;
  }
  return -1;
}

std::string FunctionName(int32_t func_id, const NameMap* names) {
  if (func_id < 0) return "task";
  if (names != nullptr) {
    if (const auto it = names->names.find(func_id); it != names->names.end()) return it->second;
  }
  return "func_" + FunctionLetterForm(func_id);
}

std::string TaskLabel(const std::string& function_name, const std::string& display, bool spmd) {
  const char* suffix = spmd && !ContainsSpmd(function_name) ? "_spmd" : "";
  return fmt::format("{}{}({})", function_name, suffix, display);
}

}  // namespace simpler::capture
