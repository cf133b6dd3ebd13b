#pragma once

#include <cstdint>
#include <string>

namespace simpler::simplerctl {

// "512 B", "1.5 KiB", "4.0 GiB": what budgets are counted in.
std::string ByteText(uint64_t bytes);

}  // namespace simpler::simplerctl
