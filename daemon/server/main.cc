// simplerd: keeps captures and answers questions about them.

#include <cstdio>

#include "daemon/server/config.h"
#include "daemon/server/run.h"

int main(int argc, char** argv) {
  using simpler::daemon::CommandLine;
  const CommandLine line = simpler::daemon::ParseCommandLine(argc, argv);
  std::fputs(line.out.c_str(), stdout);
  std::fputs(line.err.c_str(), stderr);
  return static_cast<int>(line.config ? simpler::daemon::Run(*line.config) : line.exit_code);
}
