// Archives of synthetic captures, for tests of everything that takes them.
#pragma once

#include <cstdint>
#include <string>

#include "analysis/capture/bundle.h"
#include "tests/support/capture_generator.h"

namespace simpler::support {

// A capture with graph and names.
capture::CaptureBundle GenerateBundle(const GeneratorOptions& options);

// The bundle as an archive.
std::string ToArchive(const capture::CaptureBundle& bundle);

}  // namespace simpler::support
