// The options that choose what a trace shows.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "CLI/App.hpp"
#include "analysis/timeline/trace_request.h"

namespace simpler::simplerctl {

struct TraceContent {
  std::string format = "perfetto";
  std::vector<std::string> flows;
  std::string names;
  std::optional<double> from_us, to_us;
  std::vector<std::string> lanes;
  bool overhead = false;
};

// Adds --flows, --names, --from, --to, --lanes and --overhead, and --format with the values that
// the command knows. `content` must outlive the parse.
void AddTraceContentOptions(CLI::App* command, const std::vector<std::string>& formats,
                            TraceContent* content);

// Throws CLI::ValidationError when options contradict one another. Call it after parsing.
void CheckTraceContent(const TraceContent& content);

// What the trace writers understand. The format "archive" has no such request.
timeline::TraceRequest RequestOf(const TraceContent& content);

// ".pftrace", ".json" or ".simpler".
std::string ExtensionOf(const TraceContent& content);

}  // namespace simpler::simplerctl
