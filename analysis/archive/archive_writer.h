// Writes a capture with everything that belongs to it as one archive (docs/capture-archive.md).
#pragma once

#include "absl/status/status.h"
#include "analysis/capture/bundle.h"
#include "analysis/timeline/byte_sink.h"

namespace simpler::archive {

// Reading the archive gives an equal bundle; only where streams are cut into blocks may differ.
// Equal bundles give equal bytes. Streams section by section: memory beyond the bundle does not
// grow with it. Does not commit the sink.
//
// InvalidArgument when the bundle holds what no reader accepts (a stamp below 0, an end before its
// start, a run with more than kMaxColumnValues lanes, a single text longer than kMaxSectionBytes);
// otherwise the errors of the sink. In both cases the sink has got an incomplete archive.
absl::Status WriteArchive(const capture::CaptureBundle& bundle, timeline::ByteSink* sink);

}  // namespace simpler::archive
