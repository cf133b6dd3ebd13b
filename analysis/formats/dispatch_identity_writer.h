// Writes dispatch_identity.json (docs/side-files.md).
#pragma once

#include <string>

#include "analysis/capture/dispatch_identity.h"

namespace simpler::formats {

// One JSON document; reading it from rankN/dN gives an equal identity.
std::string WriteDispatchIdentity(const capture::DispatchIdentity& identity);

}  // namespace simpler::formats
