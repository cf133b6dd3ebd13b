#include "tests/unit/analysis/overhead/literal_overhead.h"

#include <algorithm>
#include <tuple>

namespace simpler::overhead {

LiteralOverhead::LiteralOverhead(const RandomRun& run, const std::map<uint64_t, int>& submits)
    : run_(run), submits_(submits) {
  std::map<uint64_t, Task> tasks;
  begin_ = run.rows.front().start;
  end_ = run.rows.front().end;
  for (const RandomRow& row : run.rows) {
    begin_ = std::min(begin_, row.start);
    end_ = std::max(end_, row.end);
    const auto [it, is_new] = tasks.try_emplace(row.task);
    Task& task = it->second;
    task.id = row.task;
    task.start = is_new ? row.start : std::min(task.start, row.start);
    task.end = is_new ? row.end : std::max(task.end, row.end);
    if (row.stamped) {
      task.dispatch = task.stamped ? std::min(task.dispatch, row.dispatch) : row.dispatch;
      task.finish = task.stamped ? std::max(task.finish, row.finish) : row.finish;
      task.stamped = true;
    }
    const std::string& engine = run.cores[row.core];
    if (engine == "none") continue;
    task.engines.insert(engine);
    cores_[engine].insert(row.core);
  }
  for (const auto& [id, task] : tasks) tasks_.push_back(task);
}

bool LiteralOverhead::HasStamps() const {
  return std::any_of(tasks_.begin(), tasks_.end(), [](const Task& task) { return task.stamped; });
}

const LiteralOverhead::Task* LiteralOverhead::Find(uint64_t id) const {
  for (const Task& task : tasks_) {
    if (task.id == id) return &task;
  }
  return nullptr;
}

std::vector<const LiteralOverhead::Task*> LiteralOverhead::ExecutedProducers(
    const Task& task) const {
  std::vector<const Task*> producers;
  for (const auto& [pred, succ] : run_.edges) {
    if (succ != task.id || pred == succ) continue;
    if (const Task* producer = Find(pred)) producers.push_back(producer);
  }
  return producers;
}

int LiteralOverhead::HeadlineReady(const Task& task) const {
  const std::vector<const Task*> producers = ExecutedProducers(task);
  if (producers.empty()) return task.dispatch;
  int ready = producers.front()->end;
  for (const Task* producer : producers) ready = std::max(ready, producer->end);
  return ready;
}

int LiteralOverhead::RefinedReady(const Task& task) const {
  std::vector<int> ends;
  for (const Task* producer : ExecutedProducers(task)) ends.push_back(producer->end);
  for (const auto& [pred, succ] : run_.edges) {
    if (succ != task.id || pred == succ || Find(pred) != nullptr) continue;
    for (const RandomMarker& marker : run_.markers) {
      if (marker.task == pred) ends.push_back(marker.end);
    }
  }
  return ends.empty() ? task.dispatch : *std::max_element(ends.begin(), ends.end());
}

int LiteralOverhead::Running(const std::string& engine, int at) const {
  int running = 0;
  for (const RandomRow& row : run_.rows) {
    running += run_.cores[row.core] == engine && row.start <= at && at < row.end;
  }
  return running;
}

bool LiteralOverhead::Occupied(size_t core, int at) const {
  for (const RandomRow& row : run_.rows) {
    if (row.core != core) continue;
    if (row.start <= at && at < row.end) return true;
    if (row.stamped && row.dispatch <= at && at < row.end) return true;
  }
  return false;
}

std::vector<const LiteralOverhead::Task*> LiteralOverhead::Waiting(const std::string& engine,
                                                                   int at, bool refined) const {
  std::vector<const Task*> waiting;
  for (const Task& task : tasks_) {
    if (!task.stamped || task.engines.count(engine) == 0) continue;
    const int ready = refined ? RefinedReady(task) : HeadlineReady(task);
    if (ready <= at && at < task.dispatch) waiting.push_back(&task);
  }
  return waiting;
}

std::set<std::string> LiteralOverhead::InOverhead(int at, bool placeable, bool* has) const {
  std::set<std::string> result;
  int working = 0;
  for (const auto& [engine, cores] : cores_) {
    if (Waiting(engine, at, placeable).empty()) continue;
    ++working;
    int free = static_cast<int>(cores.size()) - Running(engine, at);
    if (placeable) {
      free = 0;
      for (size_t core : cores) free += !Occupied(core, at);
    }
    if (free > 0) result.insert(engine);
  }
  *has = working > 0 && static_cast<int>(result.size()) == working;
  return result;
}

LiteralFigures LiteralOverhead::Sum(bool placeable) const {
  LiteralFigures sum;
  for (const auto& [engine, cores] : cores_) sum.engine[engine] = 0;
  for (int at = begin_; at < end_; ++at) {
    bool has = false;
    const std::set<std::string> overhead = InOverhead(at, placeable, &has);
    for (const std::string& engine : overhead) ++sum.engine[engine];
    sum.all += !cores_.empty() && overhead.size() == cores_.size();
    sum.has += has;
    sum.united += !overhead.empty();
  }
  return sum;
}

LiteralFigures LiteralOverhead::Headline() const { return Sum(false); }
LiteralFigures LiteralOverhead::Placeable() const { return Sum(true); }

double LiteralOverhead::Weighted() const {
  double weighted = 0;
  double weights = 0;
  for (const auto& [engine, overhead] : Headline().engine) {
    const auto cores = static_cast<double>(cores_.at(engine).size());
    weighted += cores * overhead;
    weights += cores;
  }
  return weights == 0 ? 0 : weighted / weights;
}

int LiteralOverhead::Unsubmitted() const {
  int unsubmitted = 0;
  for (int at = begin_; at < end_; ++at) {
    bool has = false;
    bool late = true;
    const std::set<std::string> overhead = InOverhead(at, false, &has);
    for (const std::string& engine : overhead) {
      for (const Task* task : Waiting(engine, at, false)) {
        const auto submit = submits_.find(task->id);
        late = late && submit != submits_.end() && at < submit->second;
      }
    }
    unsubmitted += !overhead.empty() && late;
  }
  return unsubmitted;
}

// As joined: by task, stamped ones first, in order of capture.
std::vector<RandomRow> LiteralOverhead::RowsOf(size_t core) const {
  std::vector<RandomRow> rows;
  for (const RandomRow& row : run_.rows) {
    if (row.core == core) rows.push_back(row);
  }
  std::stable_sort(rows.begin(), rows.end(), [](const RandomRow& a, const RandomRow& b) {
    return std::pair(a.task, !a.stamped) < std::pair(b.task, !b.stamped);
  });
  return rows;
}

std::map<std::string, LiteralSwitch> LiteralOverhead::Switches() const {
  std::map<std::string, LiteralSwitch> switches;
  for (const auto& [engine, cores] : cores_) {
    for (size_t core : cores) {
      std::vector<RandomRow> rows = RowsOf(core);
      const auto key = [](const RandomRow& row) {
        return std::tuple(row.start, row.end, row.stamped, row.stamped ? row.dispatch : 0);
      };
      std::stable_sort(rows.begin(), rows.end(),
                       [&](const RandomRow& a, const RandomRow& b) { return key(a) < key(b); });
      LiteralSwitch& sum = switches[engine];
      int total = 0;
      for (size_t i = 1; i < rows.size(); ++i) {
        const int end = rows[i - 1].end;
        if (!rows[i].stamped || rows[i].dispatch >= end || rows[i].start <= end) continue;
        ++sum.events;
        total += rows[i].start - end;
        for (int at = end; at < rows[i].start; ++at) {
          sum.overhead += !Waiting(engine, at, false).empty();
        }
      }
      sum.min = sum.cores == 0 ? total : std::min(sum.min, total);
      sum.max = std::max(sum.max, total);
      sum.total += total;
      ++sum.cores;
    }
  }
  return switches;
}

std::vector<int> LiteralOverhead::Heads() const {
  std::vector<int> heads;
  for (size_t core = 0; core < run_.cores.size(); ++core) {
    std::vector<RandomRow> rows = RowsOf(core);
    std::stable_sort(rows.begin(), rows.end(),
                     [](const RandomRow& a, const RandomRow& b) { return a.start < b.start; });
    for (size_t i = 0; i < rows.size(); ++i) {
      if (!rows[i].stamped) continue;
      int head = rows[i].start - rows[i].dispatch;
      if (i > 0) head = std::min(head, rows[i].start - rows[i - 1].end);
      heads.push_back(std::max(head, 0));
    }
  }
  return heads;
}

std::vector<int> LiteralOverhead::Tails() const {
  std::vector<int> tails;
  for (const RandomRow& row : run_.rows) {
    if (row.stamped) tails.push_back(std::max(row.finish - row.end, 0));
  }
  return tails;
}

std::optional<LiteralAttribution> LiteralOverhead::Path() const {
  const Task* at = nullptr;
  for (const Task& task : tasks_) {
    if (task.stamped && (at == nullptr || task.finish > at->finish)) at = &task;
  }
  if (at == nullptr) return std::nullopt;
  const int last_finish = at->finish;
  int path_start = at->start;
  LiteralAttribution path;
  while (at != nullptr) {
    path.tasks.insert(path.tasks.begin(), at->id);
    path.compute += at->end - at->start;
    path_start = std::min(path_start, at->start);
    const Task* latest = nullptr;
    for (const Task* producer : ExecutedProducers(*at)) {
      if (latest == nullptr ||
          std::pair(producer->end, producer->id) > std::pair(latest->end, latest->id)) {
        latest = producer;
      }
    }
    if (latest != nullptr) {
      path.scheduler += std::max(0, at->start - latest->end);
    } else if (at->stamped) {
      path.scheduler += std::max(0, at->start - at->dispatch);
      path_start = std::min(path_start, at->dispatch);
    }
    at = latest;
  }
  path.span = last_finish - path_start;
  if (path.span <= 0) return std::nullopt;
  path.other = std::max(0, path.span - path.compute - path.scheduler);
  return path;
}

}  // namespace simpler::overhead
