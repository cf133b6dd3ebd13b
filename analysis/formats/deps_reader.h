// Reads deps.json, the task graph of a case (docs/deps-json.md).
#pragma once

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "analysis/capture/dependency_graph.h"
#include "analysis/capture/warning.h"
#include "analysis/formats/json_file.h"

namespace simpler::formats {

struct DepsFile {
  capture::DependencyGraph graph;
  // Codes: deps_tasks_skipped, deps_kernel_ids_unusable, deps_block_num_unusable,
  // deps_edges_skipped, deps_self_edges.
  std::vector<capture::Warning> warnings;
};

// Reads tasks (id, kernels, block count, early dispatch) and edges in one pass. What describes
// tensors and annotations is skipped, so an error inside it that keeps brackets and quotes balanced
// goes unnoticed.
//
// Entries that are no objects or have no usable id (null, or text that is no number of 64 bits) are
// left out and counted in `warnings`. InvalidArgument, naming file, key and entry, for anything
// else that does not have the documented type, for a missing `edges` array, and for text that is
// not one complete JSON object. Cycles are legal here. O(bytes).
absl::StatusOr<DepsFile> ParseDeps(const JsonFile& file);

// As above for a file; additionally the errors of JsonFile::Open.
absl::StatusOr<DepsFile> ReadDeps(const std::string& path);

}  // namespace simpler::formats
