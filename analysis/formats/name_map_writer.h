// Writes name_map*.json (docs/side-files.md).
#pragma once

#include <string>

#include "analysis/capture/labels.h"

namespace simpler::formats {

// One JSON document; reading it gives an equal map.
std::string WriteNameMap(const capture::NameMap& names);

}  // namespace simpler::formats
