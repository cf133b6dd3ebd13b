// What archives of captures are called.
#pragma once

#include <string>

namespace simpler::simplerctl {

inline constexpr const char* kArchiveSuffix = ".simpler";

// "run.simpler" -> "run"; other names stay as they are.
inline std::string WithoutArchiveSuffix(std::string name) {
  const std::string suffix = kArchiveSuffix;
  if (name.size() > suffix.size() && name.ends_with(suffix)) {
    name.resize(name.size() - suffix.size());
  }
  return name;
}

}  // namespace simpler::simplerctl
