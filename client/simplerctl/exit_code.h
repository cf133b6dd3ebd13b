#pragma once

namespace simpler::simplerctl {

// What the process reports to its caller; documented in docs/cli.md.
enum class ExitCode : int {
  kOk = 0,
  kRefused = 1,        // an input cannot be used, or an output cannot be written
  kUsage = 2,          // the command line is wrong
  kLimitExceeded = 3,  // --max-overhead: the overhead is above the limit
  kPartial = 4,        // the result does not cover what was asked for
};

}  // namespace simpler::simplerctl
