// What a set of inputs holds and what can be computed from it, before computing anything.
#pragma once

#include <string>
#include <vector>

#include "analysis/report/analysis.h"

namespace simpler::report {

// Something a command can answer from these inputs, or why it cannot.
struct Capability {
  const char* command;  // of simplerctl
  const char* answer;
  std::vector<std::string> missing;  // what to provide first; empty: available

  bool available() const { return missing.empty(); }
};

// Judged for the run that `inputs` names.
std::vector<Capability> CapabilitiesOf(const Inputs& inputs);

std::string InfoText(const Inputs& inputs);
// "simpler.info/1" (docs/cli.md).
std::string InfoJson(const Inputs& inputs);

}  // namespace simpler::report
