#include "tests/support/run_program.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>

namespace simpler::support {
namespace {

constexpr int kCannotStart = 127;

struct Pipe {
  Pipe() { ok = pipe2(ends.data(), O_CLOEXEC) == 0; }
  ~Pipe() {
    CloseReader();
    CloseWriter();
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;

  void CloseReader() { Close(&ends[0]); }
  void CloseWriter() { Close(&ends[1]); }
  static void Close(int* fd) {
    if (*fd >= 0) close(*fd);
    *fd = -1;
  }

  std::array<int, 2> ends{-1, -1};
  bool ok = false;
};

// Reads both pipes until both are closed, so that neither can fill up and block the program.
void Drain(Pipe* out, std::string* out_text, Pipe* err, std::string* err_text) {
  std::array<pollfd, 2> fds{{{.fd = out->ends[0], .events = POLLIN, .revents = 0},
                             {.fd = err->ends[0], .events = POLLIN, .revents = 0}}};
  const std::array<std::string*, 2> texts{out_text, err_text};
  std::array<char, 65536> chunk;
  while (fds[0].fd >= 0 || fds[1].fd >= 0) {
    if (poll(fds.data(), fds.size(), -1) < 0) return;
    for (size_t i = 0; i < fds.size(); ++i) {
      if (fds[i].fd < 0 || fds[i].revents == 0) continue;
      const ssize_t count = read(fds[i].fd, chunk.data(), chunk.size());
      if (count <= 0) {
        fds[i].fd = -1;
      } else {
        texts[i]->append(chunk.data(), static_cast<size_t>(count));
      }
    }
  }
}

}  // namespace

ProgramResult RunProgram(const std::vector<std::string>& argv, const ProgramOptions& options) {
  ProgramResult result{.exit_code = kCannotStart, .term_signal = 0, .out = {}, .err = {}};
  Pipe out, err;
  if (!out.ok || !err.ok) return result;

  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, out.ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, err.ends[1], STDERR_FILENO);
  if (!options.working_directory.empty()) {
    posix_spawn_file_actions_addchdir_np(&actions, options.working_directory.c_str());
  }
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t default_signals;
  sigemptyset(&default_signals);
  sigaddset(&default_signals, SIGPIPE);
  posix_spawnattr_setsigdefault(&attributes, &default_signals);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);

  std::vector<std::string> arguments = argv;
  std::vector<char*> pointers;
  for (std::string& argument : arguments) pointers.push_back(argument.data());
  pointers.push_back(nullptr);
  if (options.close_stdout_reader) out.CloseReader();
  pid_t pid = 0;
  const int error = posix_spawn(&pid, pointers[0], &actions, &attributes, pointers.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  if (error != 0) return result;

  out.CloseWriter();
  err.CloseWriter();
  Drain(&out, &result.out, &err, &result.err);
  int status = 0;
  waitpid(pid, &status, 0);
  result.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  result.term_signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  return result;
}

}  // namespace simpler::support
