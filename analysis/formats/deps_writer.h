// Writes deps.json (docs/deps-json.md) from what a DependencyGraph keeps.
#pragma once

#include <ostream>

#include "absl/status/status.h"
#include "analysis/capture/dependency_graph.h"

namespace simpler::formats {

// One line of JSON and a newline. Reading it gives an equal graph; what a graph does not keep
// (scope, arguments, tensors, the kind of each edge) is not in it, so every edge is written once
// and as explicit. A task without kernels is written without the key. DataLoss when the stream
// fails; it then holds an incomplete document.
absl::Status WriteDeps(const capture::DependencyGraph& graph, std::ostream& out);

}  // namespace simpler::formats
