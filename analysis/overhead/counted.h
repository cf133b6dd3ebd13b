#pragma once

#include <cstdint>
#include <string>

#include "fmt/format.h"

namespace simpler::overhead {

// "1 edge", "2 edges": for nouns that form their plural with s.
inline std::string Counted(uint64_t count, const char* noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

}  // namespace simpler::overhead
