// How a capture in the daemon is named where a path may stand.
#pragma once

#include <string>

namespace simpler::simplerctl {

// "cap-" and twelve hexadecimal digits, unless there is a file or directory of that name.
bool IsCaptureId(const std::string& path);

}  // namespace simpler::simplerctl
