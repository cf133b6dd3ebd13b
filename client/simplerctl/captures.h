// Captures in the daemon, for people and for programs.
#pragma once

#include <string>

#include "proto/simpler/profiler/v1/profiler.pb.h"

namespace simpler::simplerctl {

// A table with one line per capture, and how full the store is.
std::string CapturesText(const profiler::v1::ListCapturesResponse& captures);
// "simpler.captures/1" (docs/cli.md).
std::string CapturesJson(const profiler::v1::ListCapturesResponse& captures);

// One line, without a line end: what left the store's memory and why.
std::string EvictionText(const profiler::v1::Eviction& eviction);

}  // namespace simpler::simplerctl
