#include "tests/support/test_data.h"

namespace simpler::support {

std::string TestDataPath(const std::string& name) { return SIMPLER_TEST_DATA_DIR "/" + name; }

}  // namespace simpler::support
