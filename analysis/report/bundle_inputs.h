// From a capture with its side files to what an analysis reads.
#pragma once

#include <cstddef>

#include "absl/status/statusor.h"
#include "analysis/capture/bundle.h"
#include "analysis/report/analysis.h"

namespace simpler::report {

// Borrows `bundle`, which outlives the result. OutOfRange, naming the file and how many runs there
// are, when there is no such run.
absl::StatusOr<Inputs> InputsOf(const capture::CaptureBundle& bundle, size_t run_index);

}  // namespace simpler::report
