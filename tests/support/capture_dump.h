// Everything a capture holds as lines of text, so that tests can compare captures and a failure
// shows where they differ.
#pragma once

#include <string>

#include "analysis/capture/capture.h"

namespace simpler::support {

enum class DumpScope {
  kEverything,
  // Leaves out what only the current layout records (platform, runtime and counts of the streams),
  // streams without records at the end, and blanks in fields that are carried through as text.
  kCommonToLayouts,
};

// Blocks are flattened: captures that differ only in how records are cut into blocks give the same
// text. Generation and warnings are not part of it.
std::string DumpCapture(const capture::Capture& capture, DumpScope scope = DumpScope::kEverything);

}  // namespace simpler::support
