// Writes chip_swimlane_records.json in the current layout (docs/records-json.md).
#pragma once

#include <ostream>
#include <string>

#include "absl/status/status.h"
#include "analysis/capture/capture.h"

namespace simpler::formats {

// Writes the capture whatever layout it was read from; reading the result gives the same runs,
// streams and metadata. Rows carry run_epoch when the runs have epochs. Memory beyond the capture
// does not grow with it. DataLoss when the stream fails; it then holds an incomplete document.
absl::Status WriteRecords(const capture::Capture& capture, std::ostream& out);

// The same document as one string.
std::string WriteRecords(const capture::Capture& capture);

}  // namespace simpler::formats
