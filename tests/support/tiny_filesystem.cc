#include "tests/support/tiny_filesystem.h"

#include <sched.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <unistd.h>

namespace simpler::support {
namespace {

constexpr int kNoFilesystem = 255;

// A mount namespace of its own, from which nothing propagates back.
bool HidesMounts() {
  return unshare(CLONE_NEWNS) == 0 &&
         mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0;
}

int RunChild(const std::function<int()>& work) {
  const pid_t child = fork();
  if (child == 0) _exit(work());
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) != child || !WIFEXITED(status)) return kNoFilesystem;
  return WEXITSTATUS(status);
}

}  // namespace

bool CanMount() {
  return RunChild([] { return HidesMounts() ? 0 : 1; }) == 0;
}

int WithTinyFilesystem(const std::string& directory, size_t bytes,
                       const std::function<int(const std::string&)>& work) {
  return RunChild([&] {
    const std::string options = "size=" + std::to_string(bytes);
    if (!HidesMounts() || mount("tmpfs", directory.c_str(), "tmpfs", 0, options.c_str()) != 0) {
      return kNoFilesystem;
    }
    return work(directory);
  });
}

}  // namespace simpler::support
