// Bundles that exercise every part of the archive format.
#pragma once

#include <cstdint>
#include <string>

#include "analysis/capture/bundle.h"

namespace simpler::archive {

// A small bundle in which everything that can be present is, and everything that can be absent is
// absent somewhere: two runs with epochs, a gap in the scheduler streams, lanes without records,
// unknown kinds, opaque fields, host orchestration, lifecycle, graph, names, identity, warnings.
capture::CaptureBundle FullBundle();

// The least a bundle holds: one run without any record.
capture::CaptureBundle EmptyBundle();

// A bundle of random shape and size; columns hold random legal values of random ranges, up to the
// extremes of their types. Equal seeds give equal bundles.
capture::CaptureBundle RandomBundle(uint64_t seed);

// The bundle as an archive; writing it must succeed.
std::string Archive(const capture::CaptureBundle& bundle);

}  // namespace simpler::archive
