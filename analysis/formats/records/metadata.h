// Section `metadata`.
#pragma once

#include "absl/status/status.h"
#include "analysis/capture/capture.h"
#include "analysis/formats/records/read_context.h"
#include "simdjson.h"

namespace simpler::formats::records {

// Reads what this project interprets and carries the rest through as text, in file order.
absl::Status ReadMetadata(simdjson::ondemand::value section, ReadContext& context,
                          capture::Metadata& metadata);

}  // namespace simpler::formats::records
