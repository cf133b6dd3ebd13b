// What makes two requests for a trace the same one.
#pragma once

#include <compare>
#include <optional>
#include <string>
#include <vector>

#include "analysis/timeline/trace.h"
#include "daemon/query/query_engine.h"

namespace simpler::daemon {

struct TraceKey {
  RunKey run;
  // Absent: the capture itself, as an archive.
  std::optional<timeline::TraceFormat> format;
  unsigned long flows = 0;  // bits of a FlowSet
  timeline::TaskNaming naming = timeline::TaskNaming::kTask;
  std::optional<double> from_us, to_us;
  std::vector<std::string> lanes;  // sorted, each once
  bool overhead_counters = false;

  std::partial_ordering operator<=>(const TraceKey&) const = default;
};

// Requests that differ in spelling only (a default that is named, lanes in another order) have the
// same key. `options` are those of the request: OptionsFor.
TraceKey KeyOf(const RunKey& run, timeline::TraceFormat format,
               const timeline::TimelineOptions& options);
TraceKey ArchiveKey(const std::string& capture_id);

}  // namespace simpler::daemon
