// Shell completion scripts, generated from the command line's own description.
#pragma once

#include <string>

#include "CLI/App.hpp"

namespace simpler::simplerctl {

// Completes commands, the options of each command, and paths. Source the result in bash.
std::string BashCompletion(const CLI::App& app);
// The same for zsh; to be stored as `_simplerctl` in a directory of $fpath.
std::string ZshCompletion(const CLI::App& app);

}  // namespace simpler::simplerctl
