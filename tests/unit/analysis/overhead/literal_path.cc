#include "tests/unit/analysis/overhead/literal_path.h"

#include <algorithm>
#include <tuple>

namespace simpler::overhead {

LiteralPath::LiteralPath(const RandomRun& run, int tolerance) : run_(run), tolerance_(tolerance) {
  for (const RandomRow& row : run.rows) {
    const auto task = std::find_if(tasks_.begin(), tasks_.end(),
                                   [&](const LiteralTask& known) { return known.id == row.task; });
    if (task == tasks_.end()) {
      tasks_.push_back({row.task, row.start, row.end});
    } else {
      task->start = std::min(task->start, row.start);
      task->end = std::max(task->end, row.end);
    }
  }
  window_begin_ = tasks_.front().start;
  window_end_ = tasks_.front().end;
  for (const LiteralTask& task : tasks_) {
    window_begin_ = std::min(window_begin_, task.start);
    window_end_ = std::max(window_end_, task.end);
  }
  for (const auto& [pred_id, succ_id] : run.edges) {
    const LiteralTask* pred = Find(pred_id);
    const LiteralTask* succ = Find(succ_id);
    if (pred == nullptr || succ == nullptr || pred == succ) continue;
    if (pred->end <= succ->start + tolerance && pred->start < succ->start) {
      kept_.push_back({pred, succ});
    }
  }
}

const LiteralTask* LiteralPath::Find(uint64_t id) const {
  for (const LiteralTask& task : tasks_) {
    if (task.id == id) return &task;
  }
  return nullptr;
}

bool LiteralPath::IsKept(uint64_t pred, uint64_t succ) const {
  return std::any_of(kept_.begin(), kept_.end(), [&](const Edge& edge) {
    return edge.pred->id == pred && edge.succ->id == succ;
  });
}

int LiteralPath::LongestChainTo(const LiteralTask& task) const {
  int before = 0;
  for (const Edge& edge : kept_) {
    if (edge.succ == &task) before = std::max(before, LongestChainTo(*edge.pred));
  }
  return before + task.end - task.start;
}

int LiteralPath::StaticLength() const {
  int longest = 0;
  for (const LiteralTask& task : tasks_) longest = std::max(longest, LongestChainTo(task));
  return longest;
}

LiteralPath::HandOver LiteralPath::CorePredecessor(const LiteralTask& task) const {
  const auto order = [](const RandomRow& row) {
    return std::tuple(row.start, row.end, std::to_string(row.task));
  };
  HandOver best;
  for (size_t core = 0; core < run_.cores.size(); ++core) {
    for (const RandomRow& row : run_.rows) {
      if (row.core != core || row.task != task.id || row.start != task.start) continue;
      // The earlier slice that ended last; of several, the first in order.
      const RandomRow* last = nullptr;
      for (const RandomRow& other : run_.rows) {
        if (other.core != core || !(order(other) < order(row))) continue;
        if (last == nullptr || other.end > last->end ||
            (other.end == last->end && order(other) < order(*last))) {
          last = &other;
        }
      }
      if (last == nullptr || last->task == task.id || last->end > row.start + tolerance_) continue;
      if (best.from == nullptr || last->end > best.at) best = {Find(last->task), last->end};
    }
  }
  return best;
}

std::vector<LiteralStep> LiteralPath::Observed() const {
  const LiteralTask* task = &tasks_.front();
  for (const LiteralTask& other : tasks_) {
    if (other.end > task->end) task = &other;
  }
  struct Candidate {
    int end;
    std::string id;
    std::string cause;
    const LiteralTask* task;
  };
  std::vector<LiteralStep> steps;
  while (task != nullptr) {
    std::vector<Candidate> candidates;
    for (const Edge& edge : kept_) {
      if (edge.succ != task) continue;
      candidates.push_back({edge.pred->end, std::to_string(edge.pred->id), "data_wait", edge.pred});
    }
    const HandOver previous = CorePredecessor(*task);
    if (previous.from != nullptr && previous.from->start < task->start) {
      candidates.push_back(
          {previous.at, std::to_string(previous.from->id), "core_wait", previous.from});
    }
    const auto last = std::max_element(
        candidates.begin(), candidates.end(), [](const Candidate& a, const Candidate& b) {
          return std::tie(a.end, a.id, a.cause) < std::tie(b.end, b.id, b.cause);
        });
    const bool none = last == candidates.end();
    steps.push_back({*task, none ? "front_gap" : last->cause, 0});
    task = none ? nullptr : last->task;
  }
  std::reverse(steps.begin(), steps.end());
  int frontier = window_begin_;
  for (LiteralStep& step : steps) {
    step.gap_begin = frontier;
    frontier = std::max(frontier, step.task.end);
  }
  return steps;
}

}  // namespace simpler::overhead
