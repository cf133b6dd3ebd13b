// What the daemon says about itself, for people and for programs.
#pragma once

#include <string>

#include "proto/simpler/profiler/v1/profiler.pb.h"

namespace simpler::simplerctl {

std::string DaemonStatusText(const profiler::v1::DescribeResponse& status);
// "simpler.status/1" (docs/cli.md).
std::string DaemonStatusJson(const profiler::v1::DescribeResponse& status);

}  // namespace simpler::simplerctl
