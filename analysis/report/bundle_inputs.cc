#include "analysis/report/bundle_inputs.h"

#include "absl/status/status.h"
#include "fmt/format.h"

namespace simpler::report {

absl::StatusOr<Inputs> InputsOf(const capture::CaptureBundle& bundle, size_t run_index) {
  const size_t runs = bundle.capture.runs.size();
  if (run_index >= runs) {
    return absl::OutOfRangeError(
        fmt::format("{}: there is no run {}; the capture holds {} run{}, numbered from 0: choose "
                    "one with --run",
                    bundle.sources.records, run_index, runs, runs == 1 ? "" : "s"));
  }
  return Inputs{.capture = &bundle.capture,
                .run_index = run_index,
                .graph = bundle.graph ? &*bundle.graph : nullptr,
                .names = bundle.names ? &*bundle.names : nullptr,
                .warnings = bundle.warnings,
                .capture_name = bundle.sources.records,
                .graph_name = bundle.sources.deps};
}

}  // namespace simpler::report
