// What whole traces and parts of traces have in common.
#pragma once

#include <memory>

#include "absl/status/statusor.h"
#include "analysis/timeline/byte_sink.h"
#include "analysis/timeline/model.h"
#include "analysis/timeline/selection.h"
#include "analysis/timeline/trace.h"

namespace simpler::timeline {

// The model as a format draws it. See WriteChromeTrace for errors.
absl::StatusOr<std::unique_ptr<const Model>> BuildModelFor(TraceFormat format,
                                                           const TimelineInputs& inputs,
                                                           const TimelineOptions& options);

// Writes what the window holds; `options.window` is not looked at.
absl::StatusOr<TraceSummary> WriteWindow(TraceFormat format, const Model& model,
                                         const TimelineInputs& inputs,
                                         const TimelineOptions& options, const NanoWindow& window,
                                         ByteSink& sink);

}  // namespace simpler::timeline
