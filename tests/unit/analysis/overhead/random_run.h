// Random small runs as plain lists, for checks that evaluate definitions literally.
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/capture_builder.h"

namespace simpler::overhead {

struct RandomRow {
  uint64_t task;
  size_t core;
  int start, end;
  bool stamped;  // false: dispatch and finish were not recorded
  int dispatch, finish;
};

// A task that was retired without executing.
struct RandomMarker {
  enum Kind { kDummy, kSkip, kAllocation } kind;
  uint64_t task;
  int end;
};

struct RandomRun {
  std::vector<std::string> cores;  // engine by core id
  std::vector<RandomRow> rows;     // at least one, in order of capture
  std::vector<RandomMarker> markers;
  std::vector<std::pair<uint64_t, uint64_t>> edges;  // acyclic apart from self edges

  // The same run as a capture of one cycle per µs.
  support::CaptureBuilder ToBuilder() const;
};

// Few cores and few instants, so that ties, overlaps and waiting for cores are common. Ids differ
// in length, so their order as text is not their order as numbers.
RandomRun MakeRandomRun(std::mt19937& random);

}  // namespace simpler::overhead
