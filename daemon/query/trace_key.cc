#include "daemon/query/trace_key.h"

#include <algorithm>

namespace simpler::daemon {
namespace {

std::vector<std::string> SortedOnce(std::vector<std::string> texts) {
  std::sort(texts.begin(), texts.end());
  texts.erase(std::unique(texts.begin(), texts.end()), texts.end());
  return texts;
}

}  // namespace

TraceKey KeyOf(const RunKey& run, timeline::TraceFormat format,
               const timeline::TimelineOptions& options) {
  TraceKey key;
  key.run = run;
  key.format = format;
  key.flows = options.flows.to_ulong();
  // Chrome JSON always names tasks.
  if (format == timeline::TraceFormat::kPerfetto) key.naming = options.naming;
  if (options.window) {
    key.from_us = options.window->from_us;
    key.to_us = options.window->to_us;
  }
  key.lanes = SortedOnce(options.lanes);
  key.overhead_counters = options.overhead_counters;
  return key;
}

TraceKey ArchiveKey(const std::string& capture_id) {
  TraceKey key;
  key.run.capture_id = capture_id;
  return key;
}

}  // namespace simpler::daemon
