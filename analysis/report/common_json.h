// Members that several JSON documents share.
#pragma once

#include <optional>
#include <vector>

#include "analysis/capture/warning.h"
#include "analysis/report/analysis.h"
#include "analysis/report/json_writer.h"

namespace simpler::report {

// "warnings": [{"code", "text", "count"}].
void WriteWarnings(const std::vector<capture::Warning>& warnings, JsonWriter* json);

// "blame": {"compute_us", "front_us", …}; every value is null when there is no blame.
void WriteBlame(const Analysis& analysis, JsonWriter* json);

}  // namespace simpler::report
