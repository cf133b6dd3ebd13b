#include "analysis/overhead/core_rows.h"

#include <algorithm>
#include <tuple>

namespace simpler::overhead {
namespace {

using capture::CoreId;
using capture::CoreType;
using capture::JoinedRun;

CoreRow CopyRow(const JoinedRun& run, size_t i) {
  CoreRow row;
  row.start = run.start(i);
  row.end = run.end(i);
  row.row = static_cast<uint32_t>(i);
  row.has_scheduler = run.has_scheduler(i);
  if (row.has_scheduler) {
    row.dispatch = run.dispatch(i);
    row.finish = run.finish(i);
  }
  return row;
}

bool Earlier(const CoreRow& a, const CoreRow& b) {
  return std::tie(a.start, a.row) < std::tie(b.start, b.row);
}

// One more than the largest core id of any row.
size_t CoreLimit(const JoinedRun& run) {
  size_t limit = 0;
  for (size_t i = 0; i < run.size(); ++i) limit = std::max(limit, size_t{run.core(i)} + 1);
  return limit;
}

}  // namespace

CoreRows::CoreRows(const JoinedRun& run) : rows_(run.size()) {
  std::vector<size_t> begin(CoreLimit(run) + 1);
  for (size_t i = 0; i < run.size(); ++i) ++begin[run.core(i) + size_t{1}];
  for (size_t core = 1; core < begin.size(); ++core) begin[core] += begin[core - 1];
  std::vector<size_t> next(begin.begin(), begin.end() - 1);
  for (size_t i = 0; i < run.size(); ++i) rows_[next[run.core(i)]++] = CopyRow(run, i);

  for (size_t core = 0; core + 1 < begin.size(); ++core) {
    if (begin[core] == begin[core + 1]) continue;
    const std::span<CoreRow> rows(rows_.data() + begin[core], rows_.data() + begin[core + 1]);
    if (!std::is_sorted(rows.begin(), rows.end(), Earlier)) {
      std::sort(rows.begin(), rows.end(), Earlier);
    }
    const CoreType type = run.capture().metadata.TypeOf(static_cast<CoreId>(core));
    cores_.push_back({static_cast<CoreId>(core), type, rows});
    if (type != CoreType::kNone) ++counts_[static_cast<size_t>(type)];
  }
}

}  // namespace simpler::overhead
