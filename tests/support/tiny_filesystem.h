// Tests of full disks: a file system of a few kilobytes that only one child process sees.
#pragma once

#include <cstddef>
#include <functional>
#include <string>

namespace simpler::support {

// True when this process may mount file systems.
bool CanMount();

// Runs `work` with the path of an empty file system of `bytes` in a child process and returns what
// it returns, at most 127; 255 when the file system cannot be made. The path is `directory`, an
// existing empty directory. `work` must start no threads that outlive it.
int WithTinyFilesystem(const std::string& directory, size_t bytes,
                       const std::function<int(const std::string&)>& work);

}  // namespace simpler::support
