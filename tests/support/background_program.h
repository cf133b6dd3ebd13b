// A program that runs beside a test, such as a daemon.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <vector>

namespace simpler::support {

// Belongs to one thread. What still runs at the end is killed.
class BackgroundProgram {
 public:
  // Starts `argv` (argv[0] is a path) with an empty standard input; both outputs are appended to
  // the file.
  BackgroundProgram(const std::vector<std::string>& argv, const std::string& output_file);
  ~BackgroundProgram();
  BackgroundProgram(const BackgroundProgram&) = delete;
  BackgroundProgram& operator=(const BackgroundProgram&) = delete;

  pid_t pid() const { return pid_; }
  void Signal(int signal) const;
  // Waits for the end: the exit code, or minus the number of the signal that ended it.
  int Wait();
  // Memory in use, in bytes; 0 when it does not run.
  uint64_t ResidentBytes() const;

 private:
  pid_t pid_ = 0;  // 0: has ended
  int result_ = 127;
};

// Everything the file holds; empty when there is none.
std::string ReadTextFile(const std::string& path);

}  // namespace simpler::support
