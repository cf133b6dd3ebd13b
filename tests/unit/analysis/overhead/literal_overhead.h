// Figures of the overhead model for a RandomRun, computed by asking the definitions at every
// instant of the window: plain lists, shares nothing with the library.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tests/unit/analysis/overhead/random_run.h"

namespace simpler::overhead {

struct LiteralFigures {
  std::map<std::string, int> engine;  // by "aic" / "aiv", present engines only
  int all = 0, has = 0, united = 0;
  friend bool operator==(const LiteralFigures&, const LiteralFigures&) = default;
};

struct LiteralSwitch {
  int cores = 0, events = 0, min = 0, max = 0, total = 0, overhead = 0;
  friend bool operator==(const LiteralSwitch&, const LiteralSwitch&) = default;
};

struct LiteralAttribution {
  std::vector<uint64_t> tasks;  // ids, root first
  int span = 0, compute = 0, scheduler = 0, other = 0;
};

class LiteralOverhead {
 public:
  // `submits` holds the end of the only orch_submit of some executed tasks.
  LiteralOverhead(const RandomRun& run, const std::map<uint64_t, int>& submits);

  bool HasStamps() const;
  LiteralFigures Headline() const;
  LiteralFigures Placeable() const;
  double Weighted() const;
  int Unsubmitted() const;
  std::map<std::string, LiteralSwitch> Switches() const;
  std::vector<int> Heads() const;  // unordered
  std::vector<int> Tails() const;
  std::optional<LiteralAttribution> Path() const;

 private:
  struct Task {
    uint64_t id = 0;
    bool stamped = false;
    int start = 0, end = 0, dispatch = 0, finish = 0;
    std::set<std::string> engines;
  };
  using Cores = std::map<std::string, std::set<size_t>>;

  const Task* Find(uint64_t id) const;
  std::vector<const Task*> ExecutedProducers(const Task& task) const;
  int HeadlineReady(const Task& task) const;
  int RefinedReady(const Task& task) const;
  int Running(const std::string& engine, int at) const;
  bool Occupied(size_t core, int at) const;
  // Tasks of the engine that wait at an instant.
  std::vector<const Task*> Waiting(const std::string& engine, int at, bool refined) const;
  LiteralFigures Sum(bool placeable) const;
  std::set<std::string> InOverhead(int at, bool placeable, bool* has) const;
  std::vector<RandomRow> RowsOf(size_t core) const;

  const RandomRun& run_;
  const std::map<uint64_t, int>& submits_;
  std::vector<Task> tasks_;  // ascending id
  Cores cores_;              // with rows, by engine
  int begin_ = 0, end_ = 0;
};

}  // namespace simpler::overhead
