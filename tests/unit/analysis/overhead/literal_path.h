// The critical paths of a RandomRun, computed by reading their definitions literally: quadratic
// searches over plain lists, sharing nothing with the library.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tests/unit/analysis/overhead/random_run.h"

namespace simpler::overhead {

struct LiteralTask {
  uint64_t id;
  int start, end;
};

struct LiteralStep {
  LiteralTask task;
  std::string cause;
  int gap_begin;  // the gap before the task is [gap_begin, task.start); may be empty
};

class LiteralPath {
 public:
  LiteralPath(const RandomRun& run, int tolerance);

  int window_begin() const { return window_begin_; }
  int window_end() const { return window_end_; }
  int kept_edges() const { return static_cast<int>(kept_.size()); }
  // Length of the longest chain, found by trying every chain.
  int StaticLength() const;
  bool IsKept(uint64_t pred, uint64_t succ) const;
  std::vector<LiteralStep> Observed() const;

 private:
  struct Edge {
    const LiteralTask* pred;
    const LiteralTask* succ;
  };
  const LiteralTask* Find(uint64_t id) const;
  int LongestChainTo(const LiteralTask& task) const;
  // The previous occupant of the core the task began on and when it left; null when there is none.
  struct HandOver {
    const LiteralTask* from = nullptr;
    int at = 0;
  };
  HandOver CorePredecessor(const LiteralTask& task) const;

  const RandomRun& run_;
  const int tolerance_;
  std::vector<LiteralTask> tasks_;  // by first row
  std::vector<Edge> kept_;
  int window_begin_ = 0;
  int window_end_ = 0;
};

}  // namespace simpler::overhead
