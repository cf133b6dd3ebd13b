#pragma once

#include <cstdint>
#include <string>

namespace simpler::capture {

// Something the input holds that was accepted but limits what can be said. `code` is stable and
// machine-readable (snake_case); `text` tells a person what was found, where and what to do.
struct Warning {
  std::string code;
  std::string text;
  uint64_t count = 1;
};

}  // namespace simpler::capture
