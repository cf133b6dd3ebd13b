#include "client/simplerctl/daemon_messages.h"

#include <algorithm>
#include <cstdint>
#include <limits>

namespace simpler::simplerctl {

namespace v1 = profiler::v1;

v1::DocumentFormat ToMessage(OutputForm form) {
  switch (form) {
    case OutputForm::kJson:
      return v1::DOCUMENT_FORMAT_JSON;
    case OutputForm::kCsv:
      return v1::DOCUMENT_FORMAT_CSV;
    case OutputForm::kText:
      break;
  }
  return v1::DOCUMENT_FORMAT_TEXT;
}

v1::TraceOptions ToMessage(const timeline::TraceRequest& request) {
  v1::TraceOptions options;
  if (request.format == timeline::TraceFormat::kChromeJson) {
    options.set_format(v1::TRACE_FORMAT_CHROME_JSON);
  }
  options.mutable_flows()->Add(request.flows.begin(), request.flows.end());
  if (request.naming) {
    options.set_names(*request.naming == timeline::TaskNaming::kFunction ? v1::TASK_NAMING_FUNCTION
                                                                         : v1::TASK_NAMING_TASK);
  }
  if (request.from_us) options.set_from_us(*request.from_us);
  if (request.to_us) options.set_to_us(*request.to_us);
  options.mutable_lanes()->Add(request.lanes.begin(), request.lanes.end());
  options.set_overhead_counters(request.overhead_counters);
  return options;
}

v1::RunSelector RunOf(const std::string& capture_id, size_t run, bool strict) {
  v1::RunSelector selector;
  selector.set_capture_id(capture_id);
  // No capture has so many runs; the daemon says how many there are.
  selector.set_run_index(
      static_cast<uint32_t>(std::min<size_t>(run, std::numeric_limits<uint32_t>::max())));
  selector.set_strict(strict);
  return selector;
}

v1::FetchTraceRequest ArchiveRequest(const std::string& capture_id) {
  v1::FetchTraceRequest request;
  request.mutable_run()->set_capture_id(capture_id);
  request.mutable_options()->set_format(v1::TRACE_FORMAT_ARCHIVE);
  return request;
}

}  // namespace simpler::simplerctl
