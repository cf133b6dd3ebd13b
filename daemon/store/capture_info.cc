#include "daemon/store/capture_info.h"

#include <algorithm>
#include <cstddef>
#include <string_view>

#include "fmt/format.h"
#include "simdjson.h"

namespace simpler::daemon {
namespace {

constexpr size_t kMaxTextBytes = 256;
constexpr size_t kMaxLabels = 64;

// One line of valid UTF-8.
bool IsPlainText(std::string_view text) {
  const auto is_control = [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; };
  return std::none_of(text.begin(), text.end(), is_control) &&
         simdjson::validate_utf8(text.data(), text.size());
}

absl::Status CheckText(const char* what, const std::string& text) {
  if (text.size() > kMaxTextBytes) {
    return absl::InvalidArgumentError(fmt::format("{} has {} bytes, and {} are allowed; shorten it",
                                                  what, text.size(), kMaxTextBytes));
  }
  if (!IsPlainText(text)) {
    return absl::InvalidArgumentError(
        fmt::format("{} must be UTF-8 without control characters", what));
  }
  return absl::OkStatus();
}

RunInfo Describe(const capture::Run& run) {
  RunInfo info;
  info.epoch = run.epoch;
  info.aicore_rows = run.aicore_row_count();
  info.scheduler_rows = run.scheduler_row_count();
  for (const auto& stream : run.scheduler_streams) info.scheduler_phases += stream.size();
  for (const auto& lane : run.orchestrator_lanes) {
    for (const auto& block : lane) info.orchestrator_records += block->size();
  }
  for (const auto& lane : run.host_submit_lanes) info.orchestrator_records += lane.size();
  return info;
}

}  // namespace

absl::Status CheckLabels(const ImportLabels& labels) {
  if (absl::Status status = CheckText("the name", labels.name); !status.ok()) return status;
  if (absl::Status status = CheckText("the idempotency key", labels.idempotency_key);
      !status.ok()) {
    return status;
  }
  if (labels.labels.size() > kMaxLabels) {
    return absl::InvalidArgumentError(
        fmt::format("there are {} labels, and {} are allowed", labels.labels.size(), kMaxLabels));
  }
  for (const auto& [key, value] : labels.labels) {
    if (key.empty()) return absl::InvalidArgumentError("a label has no name");
    if (absl::Status status = CheckText("the name of a label", key); !status.ok()) return status;
    if (absl::Status status = CheckText("the value of a label", value); !status.ok()) {
      return status;
    }
  }
  return absl::OkStatus();
}

CaptureInfo Describe(const capture::CaptureBundle& bundle) {
  CaptureInfo info;
  info.level = bundle.capture.level;
  info.clock_freq_hz = bundle.capture.metadata.clock_freq_hz;
  for (const capture::Run& run : bundle.capture.runs) info.runs.push_back(Describe(run));
  if (bundle.graph) {
    info.graph_tasks = bundle.graph->task_count();
    info.graph_edges = bundle.graph->edges().size();
  }
  info.has_name_map = bundle.names.has_value();
  return info;
}

}  // namespace simpler::daemon
