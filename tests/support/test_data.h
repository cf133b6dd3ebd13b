// Where the captures under tests/data are.
#pragma once

#include <string>

namespace simpler::support {

// Absolute path of a file below tests/data, e.g. "captures/vector_example_L1/deps.json".
std::string TestDataPath(const std::string& name);

}  // namespace simpler::support
