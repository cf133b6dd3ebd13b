#include "proto/simpler/profiler/v1/default_endpoint.h"

#include <unistd.h>

#include <cstdlib>

namespace simpler::profiler {

std::string DefaultSocketPath() {
  if (geteuid() == 0) return "/run/simplerd/simplerd.sock";
  const char* runtime_directory = std::getenv("XDG_RUNTIME_DIR");
  if (runtime_directory != nullptr && *runtime_directory != '\0') {
    return std::string(runtime_directory) + "/simplerd.sock";
  }
  return "/tmp/simplerd-" + std::to_string(geteuid()) + "/simplerd.sock";
}

}  // namespace simpler::profiler
