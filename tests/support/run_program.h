// Runs a program and collects what it did, for tests of whole commands.
#pragma once

#include <string>
#include <vector>

namespace simpler::support {

struct ProgramResult {
  int exit_code = -1;   // -1 when the program was ended by a signal
  int term_signal = 0;  // 0 when it exited
  std::string out;
  std::string err;
};

struct ProgramOptions {
  std::string working_directory{};   // empty: the caller's
  bool close_stdout_reader = false;  // nobody reads standard output: writing to it fails
};

// Runs `argv` (argv[0] is a path) to its end with an empty standard input. A program that cannot be
// started exits with 127, as from a shell.
ProgramResult RunProgram(const std::vector<std::string>& argv, const ProgramOptions& options = {});

}  // namespace simpler::support
