// What archives of captures are called.
#pragma once

#include <filesystem>
#include <string>

namespace simpler::simplerctl {

inline constexpr const char* kArchiveSuffix = ".simpler";

// What the capture in an archive is called: "dir/run.simpler" -> "run"; without the suffix the
// whole file name.
inline std::string ArchiveLabel(const std::string& path) {
  const std::filesystem::path name = std::filesystem::path(path).filename();
  return name.extension() == kArchiveSuffix ? name.stem().string() : name.string();
}

}  // namespace simpler::simplerctl
