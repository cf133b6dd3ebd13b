#include "analysis/capture/joined_run.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

#include "absl/status/status.h"
#include "analysis/capture/id_set.h"
#include "fmt/format.h"

namespace simpler::capture {

// One join in progress; the friend that fills a JoinedRun.
class Joiner {
 public:
  Joiner(const Capture& capture, size_t run_index) {
    joined_.capture_ = &capture;
    joined_.run_ = &capture.runs[run_index];
    joined_.run_index_ = run_index;
  }

  absl::StatusOr<JoinedRun> Run() {
    if (!JoinInStep()) {
      if (absl::Status status = JoinByKey(); !status.ok()) return status;
    } else if (joined_.capture_->level >= 2 && joined_.run_->scheduler_row_count() == 0) {
      CountAllUnmatched();
    }
    SortByTask();
    return std::move(joined_);
  }

 private:
  using Key = uint64_t;  // core_id << 32 | reg_task_id
  using RowRef = JoinedRun::RowRef;
  struct Entry {
    Key key;
    RowRef ref;
  };

  static Key MakeKey(CoreId core, uint32_t reg) { return Key{core} << 32 | reg; }

  // Streams in the same order with tokens ascending per core need no sort and can hold no
  // duplicate. Leaves nothing behind when the streams are not like that.
  bool JoinInStep() {
    const auto& aicore = joined_.run_->aicore_tasks;
    const auto& scheduler = joined_.run_->scheduler_tasks;
    const size_t count = joined_.run_->aicore_row_count();
    const bool match = joined_.run_->scheduler_row_count() > 0;
    if (match && joined_.run_->scheduler_row_count() != count) return false;
    joined_.rows_.reserve(count);
    std::vector<int64_t> last_token;  // by core id
    RowRef next{0, 0};
    for (uint32_t block = 0; block < aicore.size(); ++block) {
      const AicoreTaskBlock& rows = *aicore[block];
      for (uint32_t row = 0; row < rows.size(); ++row) {
        const CoreId core = rows.core_id[row];
        const uint32_t token = rows.reg_task_id[row];
        if (core >= last_token.size()) last_token.resize(size_t{core} + 1, -1);
        bool in_step = last_token[core] < int64_t{token};
        last_token[core] = token;
        if (match) {
          while (next.row == scheduler[next.block]->size()) next = {next.block + 1, 0};
          const SchedulerTaskBlock& stamps = *scheduler[next.block];
          in_step =
              in_step && stamps.core_id[next.row] == core && stamps.reg_task_id[next.row] == token;
        }
        if (!in_step) {
          joined_.rows_.clear();
          return false;
        }
        joined_.rows_.push_back({{block, row}, match ? next : RowRef{}});
        ++next.row;
      }
    }
    return true;
  }

  template <typename Blocks>
  static std::vector<Entry> Entries(const Blocks& blocks) {
    std::vector<Entry> entries;
    for (uint32_t block = 0; block < blocks.size(); ++block) {
      for (uint32_t row = 0; row < blocks[block]->size(); ++row) {
        entries.push_back(
            {MakeKey(blocks[block]->core_id[row], blocks[block]->reg_task_id[row]), {block, row}});
      }
    }
    return entries;
  }

  static absl::Status Duplicate(const char* stream, Key key) {
    return absl::InvalidArgumentError(
        fmt::format("duplicate {} join key: core_id {} reg_task_id {} occurs more than once in one "
                    "run; the capture mixes runs or is damaged",
                    stream, key >> 32, key & UINT32_MAX));
  }

  static absl::Status SortUnique(std::vector<Entry>& entries, const char* stream) {
    const auto by_key = [](const Entry& a, const Entry& b) { return a.key < b.key; };
    if (!std::is_sorted(entries.begin(), entries.end(), by_key)) {
      std::sort(entries.begin(), entries.end(), by_key);
    }
    const auto same = [](const Entry& a, const Entry& b) { return a.key == b.key; };
    const auto twice = std::adjacent_find(entries.begin(), entries.end(), same);
    return twice == entries.end() ? absl::OkStatus() : Duplicate(stream, twice->key);
  }

  // Position of `key` in sorted entries, or their number. The streams mostly run side by side, so
  // the search begins at `hint`, the position after the one found before.
  static size_t Find(const std::vector<Entry>& entries, Key key, size_t hint) {
    if (hint < entries.size() && entries[hint].key == key) return hint;
    const auto it =
        std::lower_bound(entries.begin(), entries.end(), key,
                         [](const Entry& candidate, Key wanted) { return candidate.key < wanted; });
    if (it == entries.end() || it->key != key) return entries.size();
    return static_cast<size_t>(it - entries.begin());
  }

  absl::Status JoinByKey() {
    std::vector<Entry> aicore = Entries(joined_.run_->aicore_tasks);
    if (absl::Status status = SortUnique(aicore, "aicore_tasks"); !status.ok()) return status;
    const std::vector<Entry> scheduler = Entries(joined_.run_->scheduler_tasks);

    std::vector<bool> matched(aicore.size());
    std::vector<Entry> unmatched;
    std::map<CoreId, uint64_t> lost_scheduler;
    std::map<CoreId, uint64_t> lost_aicore;
    size_t hint = 0;
    for (const Entry& entry : scheduler) {
      const size_t found = Find(aicore, entry.key, hint);
      if (found == aicore.size()) {
        unmatched.push_back(entry);
        ++lost_scheduler[static_cast<CoreId>(entry.key >> 32)];
        continue;
      }
      if (matched[found]) return Duplicate("scheduler_tasks", entry.key);
      matched[found] = true;
      hint = found + 1;
      joined_.rows_.push_back({aicore[found].ref, entry.ref});
    }
    if (absl::Status status = SortUnique(unmatched, "scheduler_tasks"); !status.ok()) return status;
    AppendUnmatched(aicore, matched, lost_aicore);
    if (!scheduler.empty() || joined_.capture_->level >= 2) {
      joined_.report_.aicore_rows_without_scheduler =
          Summarise(lost_aicore, joined_.report_.worst_aicore_cores);
    }
    joined_.report_.scheduler_rows_without_aicore =
        Summarise(lost_scheduler, joined_.report_.worst_scheduler_cores);
    return absl::OkStatus();
  }

  void CountAllUnmatched() {
    std::map<CoreId, uint64_t> lost;
    for (size_t i = 0; i < joined_.size(); ++i) ++lost[joined_.core(i)];
    joined_.report_.aicore_rows_without_scheduler =
        Summarise(lost, joined_.report_.worst_aicore_cores);
  }

  void AppendUnmatched(const std::vector<Entry>& aicore, const std::vector<bool>& matched,
                       std::map<CoreId, uint64_t>& lost) {
    std::vector<RowRef> refs;
    for (size_t i = 0; i < aicore.size(); ++i) {
      if (matched[i]) continue;
      refs.push_back(aicore[i].ref);
      ++lost[static_cast<CoreId>(aicore[i].key >> 32)];
    }
    std::sort(refs.begin(), refs.end(), [](const RowRef& a, const RowRef& b) {
      return std::pair(a.block, a.row) < std::pair(b.block, b.row);
    });
    for (const RowRef& ref : refs) joined_.rows_.push_back({ref, RowRef{}});
  }

  // Total of the counts; fills `worst` with the three largest, smaller core first on ties.
  static uint64_t Summarise(const std::map<CoreId, uint64_t>& counts,
                            std::vector<JoinReport::CoreCount>& worst) {
    uint64_t total = 0;
    for (const auto& [core, count] : counts) {
      worst.push_back({core, count});
      total += count;
    }
    std::stable_sort(worst.begin(), worst.end(),
                     [](const auto& a, const auto& b) { return a.count > b.count; });
    if (worst.size() > 3) worst.resize(3);
    return total;
  }

  bool IsSortedByTask() const {
    for (size_t i = 1; i < joined_.size(); ++i) {
      if (joined_.task_id(i - 1) > joined_.task_id(i)) return false;
    }
    return true;
  }

  // Stable, by counting the rows of every task.
  void SortByTask() {
    if (IsSortedByTask()) return;
    IdSet tasks;
    for (size_t i = 0; i < joined_.size(); ++i) tasks.Insert(joined_.task_id(i));
    tasks.Seal();
    std::vector<uint32_t> rank(joined_.size());
    std::vector<uint32_t> next(tasks.size() + 1);
    for (size_t i = 0; i < joined_.size(); ++i) {
      rank[i] = tasks.Rank(joined_.task_id(i));
      ++next[rank[i] + 1];
    }
    std::partial_sum(next.begin(), next.end(), next.begin());
    std::vector<JoinedRun::Row> sorted(joined_.size());
    for (size_t i = 0; i < joined_.size(); ++i) sorted[next[rank[i]]++] = joined_.rows_[i];
    joined_.rows_ = std::move(sorted);
  }

  JoinedRun joined_;
};

absl::StatusOr<JoinedRun> JoinedRun::Join(const Capture& capture, size_t run_index) {
  if (run_index >= capture.runs.size()) {
    return absl::OutOfRangeError(fmt::format("run {} does not exist; the capture has {} run(s)",
                                             run_index, capture.runs.size()));
  }
  return Joiner(capture, run_index).Run();
}

}  // namespace simpler::capture
