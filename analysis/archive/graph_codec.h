// Nodes and edges of a dependency graph as archive messages.
#pragma once

#include <span>
#include <vector>

#include "absl/status/status.h"
#include "analysis/capture/dependency_graph.h"
#include "proto/simpler/archive/v1/archive.pb.h"

namespace simpler::archive {

// Replace `message`. At most kMaxColumnValues entries.
void Encode(std::span<const capture::DependencyGraph::Node> nodes, v1::GraphNodes* message);
void Encode(std::span<const capture::DependencyGraph::Edge> edges, v1::GraphEdges* message);

// Append to the list. InvalidArgument, naming the column, when columns do not fit together.
// Whether the entries make a graph is for DependencyGraph::FromParts to say.
absl::Status Decode(const v1::GraphNodes& message,
                    std::vector<capture::DependencyGraph::Node>& nodes);
absl::Status Decode(const v1::GraphEdges& message,
                    std::vector<capture::DependencyGraph::Edge>& edges);

}  // namespace simpler::archive
