// Reads what deps.json says about its edges beyond their ends (docs/deps-json.md). Few questions
// need it, so reading a graph for analysis does not pay for it.
#pragma once

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "analysis/capture/dependency_graph.h"
#include "analysis/formats/json_file.h"

namespace simpler::formats {

struct EdgeAnnotations {
  // By position in DependencyGraph::edges().
  std::vector<uint32_t> row_count;  // entries of the file that state this edge
  std::vector<bool> from_creator;   // one of them has source "creator"
  uint64_t tensor_count = 0;        // entries of `tensors`
};

// `graph` must be the result of ParseDeps on the same document; entries that it skipped are skipped
// here as well. InvalidArgument for a `source` that is no string or a `tensors` that is no array.
absl::StatusOr<EdgeAnnotations> ParseEdgeAnnotations(const JsonFile& file,
                                                     const capture::DependencyGraph& graph);

}  // namespace simpler::formats
