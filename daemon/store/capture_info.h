// What the store tells about a capture without analysing it.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "analysis/capture/bundle.h"

namespace simpler::daemon {

struct RunInfo {
  std::optional<int64_t> epoch{};
  uint64_t aicore_rows = 0;
  uint64_t scheduler_rows = 0;
  uint64_t scheduler_phases = 0;
  uint64_t orchestrator_records = 0;  // of device and host orchestrators
};

// What the importer says about a capture.
struct ImportLabels {
  std::string name{};                           // at most 256 bytes
  std::map<std::string, std::string> labels{};  // at most 64, 256 bytes per key and value
  std::string idempotency_key{};                // empty: none; at most 256 bytes
};

struct CaptureInfo {
  std::string id;
  ImportLabels import;
  int64_t import_time_unix_ms = 0;
  int level = 0;
  int64_t clock_freq_hz = 0;
  std::vector<RunInfo> runs;
  uint64_t graph_tasks = 0;  // 0 without a graph
  uint64_t graph_edges = 0;  // unique
  bool has_name_map = false;
  uint64_t memory_bytes = 0;  // when loaded
  uint64_t archive_bytes = 0;
  bool on_disk = false;
  bool in_memory = false;
};

// InvalidArgument, naming the text and the rule: too long, too many, not UTF-8, or with control
// characters.
absl::Status CheckLabels(const ImportLabels& labels);

// Level, clock, runs, graph and names; the rest keeps its defaults.
CaptureInfo Describe(const capture::CaptureBundle& bundle);

}  // namespace simpler::daemon
